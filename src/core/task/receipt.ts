import { limits } from '../base/limits.ts';

/** Deeper than any receipt, and far from what would exhaust the stack here or in a reader. */
const depthMax = 200;

/**
 * Why a value would come back from JSON as something else; undefined if it comes back as it is. Nothing at all is a receipt too, and
 * fields that are undefined may be left out: everything else that JSON drops or changes without a word is a flaw.
 */
export function receiptFlaw(value: unknown): string | undefined {
  if (value === undefined) return undefined;
  const flaw = flawAt(value, '', []);
  if (flaw !== undefined) return flaw;
  const bytes = Buffer.byteLength(JSON.stringify(value));
  if (bytes <= limits.blobBytesMax) return undefined;
  return `it takes ${bytes} bytes as JSON; the limit is ${limits.blobBytesMax}`;
}

function flawAt(value: unknown, at: string, within: readonly object[]): string | undefined {
  const found = kindOf(value);
  if (found !== undefined) return `${at === '' ? 'it' : at} is ${found}`;
  if (typeof value !== 'object' || value === null) return undefined;
  if (within.includes(value)) return `${at} leads back to itself`;
  if (within.length >= depthMax) return `it is nested more than ${depthMax} deep`;
  const path = [...within, value];
  // A text is kept as UTF-8, so its names must have such a form too.
  for (const [name, item] of Object.entries(value)) {
    if (!name.isWellFormed()) return `${at === '' ? 'it' : at} has a name that is not well-formed Unicode`;
    if (item === undefined && !Array.isArray(value)) continue;
    const inside = Array.isArray(value) ? `${at}[${name}]` : `${at}.${name}`;
    const flaw = flawAt(item, inside, path);
    if (flaw !== undefined) return flaw;
  }
  return undefined;
}

/** What it is, if JSON has no such thing. */
function kindOf(value: unknown): string | undefined {
  switch (typeof value) {
    case 'string':
      return value.isWellFormed() ? undefined : 'not well-formed Unicode';
    case 'number':
      return Number.isFinite(value) ? undefined : `${value}`;
    case 'boolean':
      return undefined;
    case 'object':
      return value === null ? undefined : objectKind(value);
    default:
      return typeof value === 'undefined' ? 'undefined' : `a ${typeof value}`;
  }
}

function objectKind(value: object): string | undefined {
  if (Object.getOwnPropertySymbols(value).length > 0) return 'an object with symbols';
  if (Array.isArray(value)) {
    const names = Object.keys(value);
    return names.length === value.length ? undefined : 'a list with holes or names';
  }
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype === null || prototype === Object.prototype)
    return typeof (value as { toJSON?: unknown }).toJSON === 'function' ? 'an object with toJSON' : undefined;
  const name: unknown = value.constructor?.name;
  return `a ${typeof name === 'string' && name !== '' ? name : 'object of a class'}`;
}
