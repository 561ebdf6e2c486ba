export function Attention() {
  return <h1>Attention</h1>;
}
