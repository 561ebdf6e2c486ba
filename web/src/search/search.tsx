export function Search({ q }: { readonly q: string }) {
  return <h1>{q}</h1>;
}
