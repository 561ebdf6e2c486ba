/** What could not be tried here is said aloud: a reader of the results must not take silence for a proof. */
export function notProven(what: string, because: string): void {
  const line = '!'.repeat(100);
  console.warn(`${line}\nNOT PROVEN: ${what}\n  because ${because}\n${line}`);
}
