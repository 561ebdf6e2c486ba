/** A number and its word: 1 line, 2 lines, 0 lines. The command, the server, the packets and the pages all count with this. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
