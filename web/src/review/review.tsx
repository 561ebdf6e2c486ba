export function Review({ task }: { readonly task: string }) {
  return <h1>{task}</h1>;
}
