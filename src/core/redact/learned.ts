/**
 * A secret that was recognised in one place is looked for in all others that are stored with it: said in a sentence it may look like
 * nothing, while the command beside it says what it is.
 *
 * Only a value that hardly occurs by chance is looked for: at least eight characters, varied, and no words, name or address. Where
 * somebody's password is `development-server-2`, that name stays in the text.
 */
import { createFinder } from './scan/anchors.ts';
import { isDistinctive, isLineOfKey, spellingsOf } from './known-values.ts';
import type { Redactions } from './redactions.ts';

/** What was taken out, beside the account of it, which holds no secret and may be kept. */
const takenOut = new WeakMap<Redactions, ReadonlySet<string>>();

/** As byte strings. */
export function noteTaken(redactions: Redactions, secrets: ReadonlySet<string>): void {
  if (secrets.size > 0) takenOut.set(redactions, secrets);
}

/** An account made of others. */
export function noteTakenOf(redactions: Redactions, of: Redactions): void {
  noteTaken(redactions, takenOut.get(of) ?? new Set());
}

/** More of them are not looked for elsewhere: a file of nothing but secrets has no sentences about them. */
const valuesMax = 500;
const charsMax = 256;

export function valuesIn(all: readonly Redactions[]): readonly string[] {
  const values = new Set<string>();
  for (const one of all)
    for (const secret of takenOut.get(one) ?? []) {
      if (values.size === valuesMax) return [...values];
      const value = Buffer.from(secret, 'latin1').toString('utf8');
      if (value.length <= charsMax && isTelling(value)) values.add(value);
    }
  return [...values];
}

/** Whether a value can be looked for without wiping out what only looks the same. */
export function isTelling(value: string): boolean {
  if (isLineOfKey(value)) return true;
  return (
    isDistinctive(value) &&
    !/[\s\p{C}]/u.test(value) &&
    /\d|[^\w.:/@-]/.test(value) &&
    !isName(value) &&
    !/^(?:[a-z][a-z\d+.-]*:\/\/|[~.]{0,2}\/)|^[\w.+-]+@[\w-]+\.[\w.-]+$/i.test(value)
  );
}

/** `us-east-1-prod2`, `db01.internal:5432`, `my_app_user_v2`: words and short numbers, all in one case. */
function isName(value: string): boolean {
  if (/[a-z]/.test(value) && /[A-Z]/.test(value)) return false;
  return value
    .toLowerCase()
    .split(/[-_.:/@]+/)
    .every((part) => /^(?:[a-z]*\d{0,4})$/.test(part));
}

/** Whether bytes hold one of the values, in any spelling. */
export function finderOf(values: readonly string[]): (bytes: Uint8Array) => boolean {
  const find = createFinder(values.flatMap(spellingsOf).map((literal) => ({ literal, fold: false })));
  return (bytes) => find(bytes, 0, bytes.length).at.length > 0;
}

/** More than any spelling of a value has: what goes over the end of a piece is found in this much of both. */
export const spellingBytesMax = 8 * charsMax;
