/** The value below which the given part of the values lies, between neighbours in proportion. */
export function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (sorted.length - 1) * part;
  const low = sorted[Math.floor(at)] ?? Number.NaN;
  const high = sorted[Math.ceil(at)] ?? Number.NaN;
  return low + (high - low) * (at - Math.floor(at));
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** The middle half of the values, as text. */
export function quartiles(values: readonly number[], show: (value: number) => string): string {
  return `${show(quantile(values, 0.25))}–${show(quantile(values, 0.75))}`;
}

export function times(ratio: number): string {
  return `${ratio.toFixed(2)}×`;
}

export function micros(ms: number): string {
  return `${Math.round(ms * 1000)} µs`;
}

export function millis(ms: number): string {
  return `${ms.toFixed(2)} ms`;
}

export function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}

/** Runs and says how many milliseconds it took. */
export async function timed(run: () => Promise<unknown> | void): Promise<number> {
  const started = performance.now();
  await run();
  return performance.now() - started;
}
