export function Reviews() {
  return <h1>Reviews</h1>;
}
