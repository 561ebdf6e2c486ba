/** Our own bugs stop the program here; nothing an outsider sends may reach a failing assert. */
export function assert(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Error(`staffetta bug: ${message}`);
}

export function unreachable(value: never): never {
  throw new Error(`staffetta bug: unexpected ${JSON.stringify(value)}`);
}
