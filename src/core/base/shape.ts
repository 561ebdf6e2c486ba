/**
 * Options from callers that no compiler checked. A wrong type or a name that does not exist is refused here, by name, before it
 * is ignored or meets code that expects something else. What the values mean is checked where they are used.
 */
import { StaffettaError } from './error.ts';
import { suggest } from './suggest.ts';

export type ShapeKind = 'text' | 'number' | 'flag' | 'list' | 'object' | 'function' | 'any';

/** The kind of each option; with a mark where it must be given. */
export type Shape<T> = { readonly [K in keyof Required<T>]: ShapeKind | `${ShapeKind}!` };

const words: Readonly<Record<ShapeKind, string>> = {
  text: 'a text',
  number: 'a number',
  flag: 'true or false',
  list: 'a list',
  object: 'an object',
  function: 'a function',
  any: 'something',
};

export function checkShape<T extends object>(what: string, given: T, shape: Shape<T>): void {
  if (kindOf(given) !== 'object') throw unlike(what, given, 'object');
  const kinds = shape as Readonly<Record<string, ShapeKind | `${ShapeKind}!`>>;
  for (const name of Object.keys(given))
    if (!Object.hasOwn(kinds, name)) throw unknown(what, name, Object.keys(kinds));
  for (const name of Object.keys(kinds)) {
    const kind = kinds[name] ?? 'any';
    const value: unknown = (given as Readonly<Record<string, unknown>>)[name];
    if (
      value === undefined
        ? !kind.endsWith('!')
        : kind.startsWith('any') || kind.startsWith(kindOf(value) ?? '-')
    )
      continue;
    throw unlike(`${what}: ${name}`, value, kind.replace('!', '') as ShapeKind);
  }
}

export function checkKind(what: string, value: unknown, kind: ShapeKind): void {
  if (kindOf(value) !== kind) throw unlike(what, value, kind);
}

/** A time to wait, where none at all makes no sense. */
export function checkPositiveMs(what: string, ms: number | undefined): void {
  if (ms === undefined || (Number.isSafeInteger(ms) && ms > 0)) return;
  const issue = `${what}: expected whole milliseconds above zero, not ${ms}`;
  throw new StaffettaError('invalid-input', `${issue}.`, { details: { issues: [issue] } });
}

function kindOf(value: unknown): ShapeKind | undefined {
  switch (typeof value) {
    case 'string':
      return 'text';
    case 'number':
      return 'number';
    case 'boolean':
      return 'flag';
    case 'function':
      return 'function';
    case 'object':
      return value === null ? undefined : Array.isArray(value) ? 'list' : 'object';
    default:
      return undefined;
  }
}

function unlike(what: string, value: unknown, wanted: ShapeKind): StaffettaError {
  const kind = kindOf(value);
  const found = typeof value === 'boolean' ? String(value) : kind === undefined ? String(value) : words[kind];
  const issue = `${what}: expected ${words[wanted]}, not ${found}`;
  return new StaffettaError('invalid-input', `${issue}.`, { details: { issues: [issue] } });
}

function unknown(what: string, name: string, known: readonly string[]): StaffettaError {
  const near = suggest(name, known);
  const issue = `${what}: there is no option ${JSON.stringify(name)}`;
  return new StaffettaError('invalid-input', `${issue}.`, {
    details: { issues: [issue], known },
    hint: near === undefined ? `There are: ${known.join(', ')}` : `Did you mean: ${near}`,
  });
}
