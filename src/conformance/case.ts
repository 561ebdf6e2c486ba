import { digestOf } from '../core/journal/digest.ts';
import { isStaffettaError, type ErrorCode } from '../core/base/error.ts';

/** One thing that a contract sentence means, and the code that finds out whether it is so. */
export interface Case<On> {
  /** The sentence it proves, as numbered beside the port. */
  readonly id: string;
  readonly title: string;
  /** What must be possible with a scratch store before this can be proven. */
  readonly needs?: 'damage';
  readonly run: (on: On) => Promise<void>;
}

export function check(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Error(message);
}

export function same(actual: unknown, wanted: unknown, what: string): void {
  if (isSame(actual, wanted)) return;
  throw new Error(`${what}: expected ${show(wanted)}, got ${show(actual)}`);
}

/** Of plain data. A field that is undefined is as good as none. */
function isSame(one: unknown, two: unknown): boolean {
  if (typeof one !== 'object' || typeof two !== 'object' || one === null || two === null)
    return Object.is(one, two);
  if (Array.isArray(one) !== Array.isArray(two)) return false;
  const [left, right] = [one, two].map((value) => new Map<string, unknown>(Object.entries(value)));
  const names = new Set([...(left?.keys() ?? []), ...(right?.keys() ?? [])]);
  return [...names].every((name) => isSame(left?.get(name), right?.get(name)));
}

export function sameBytes(actual: Uint8Array | undefined, wanted: Uint8Array, what: string): void {
  if (actual !== undefined && Buffer.from(actual).equals(wanted)) return;
  throw new Error(`${what}: expected ${show(wanted)}, got ${show(actual)}`);
}

export async function expectRefusal(
  call: () => Promise<unknown>,
  code: ErrorCode,
  what: string,
): Promise<void> {
  let result: unknown;
  try {
    result = await call();
  } catch (error) {
    if (isStaffettaError(error, code)) return;
    throw new Error(`${what}: expected a refusal with ${code}, got ${String(error)}`, { cause: error });
  }
  throw new Error(`${what}: expected a refusal with ${code}, got ${show(result)}`);
}

/** Lets everything else that is ready run first, also what waits for the disk or a timer. */
export async function tick(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  setImmediate(resolve);
  await promise;
}

/** For what happens by the time of the system; everything else goes without. */
export async function pause(ms: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  setTimeout(resolve, ms);
  await promise;
}

/** Looks again and again while the work goes on, and once more when it is done. */
export async function watching(work: readonly Promise<unknown>[], look: () => Promise<void>): Promise<void> {
  const state = { working: true };
  const finish = async (): Promise<void> => {
    try {
      await Promise.all(work);
    } finally {
      state.working = false;
    }
  };
  const watch = async (): Promise<void> => {
    while (state.working) {
      await look();
      await tick();
    }
    await look();
  };
  await Promise.all([finish(), watch()]);
}

const shownCharsMax = 300;

function show(value: unknown): string {
  if (value === undefined) return 'undefined';
  if (value instanceof Uint8Array) return `${value.length} bytes with ${digestOf(value)}`;
  const text = JSON.stringify(value);
  return text.length <= shownCharsMax ? text : `${text.slice(0, shownCharsMax)}… (${text.length} characters)`;
}
