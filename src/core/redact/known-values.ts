/**
 * Secrets known by their value: those of the environment in which the work is done. They are replaced wherever they stand, also escaped
 * for JSON, percent-encoded, in base64 or in hex.
 *
 * A value qualifies by its variable's name and by itself: it must be long and varied enough that it does not occur by chance.
 * Where a secret is called `development`, that word would otherwise turn into a placeholder everywhere.
 */
import { distinct, entropy, isStandIn } from './plausible.ts';
import { isSecretName, nameWordsOf } from './secret-name.ts';

const valueCharsMin = 8;
const bitsMin = 2.5;
/** Forty characters of base64 have 4.9 on average; words and paths of that length have less than 4.4. */
const keyBitsMin = 4.6;
const moreNames =
  /(?:^|_)(?:PAT|DSN|CONNECTION_STRING|CONN_STR|CREDS|COOKIE|SESSION|WEBHOOK|LICENSE_KEY|MNEMONIC|SEED_PHRASE)$/;

/** Our own variables name a store, an agent, its session and its leg. None of them is a credential, and journals hold what they say. */
const ourOwn = 'STAFFETTA_';

/** Values worth knowing from an environment, given as its variables. */
export function secretValuesOf(env: Readonly<Record<string, string | undefined>>): readonly string[] {
  const values = Object.entries(env).flatMap(([name, value]) =>
    value !== undefined && isTelling(name) ? distinctiveLines(value) : [],
  );
  return [...new Set(values)].toSorted();
}

function isTelling(name: string): boolean {
  return !name.startsWith(ourOwn) && (isSecretName(name) || moreNames.test(name));
}

/** What of a value can be looked for: its lines, as text is searched line by line, without those that are ordinary. */
export function distinctiveLines(value: string): readonly string[] {
  return value
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter(isDistinctive);
}

/** As keys are wrapped: of so many characters that look drawn by chance, a slash at the beginning makes no path. */
export function isLineOfKey(value: string): boolean {
  return /^[A-Za-z0-9+/]{40,512}={0,2}$/.test(value) && entropy(value) >= keyBitsMin;
}

export function isDistinctive(value: string): boolean {
  if (isLineOfKey(value)) return true;
  if (
    value.length < valueCharsMin ||
    isStandIn(value) ||
    // A path may have letters of any script.
    /^(?:~?\/|[A-Za-z]:[\\/])[\p{L}\p{M}\p{N}_.\-/\\ ]*$/u.test(value) ||
    /^-{4,5} ?(?:BEGIN|END)\b/.test(value)
  )
    return false;
  if (/^\d+$/.test(value)) return value.length >= 12;
  if (entropy(value) < bitsMin || distinct(value) < 5) return false;
  const kinds = [/[a-z]/, /[A-Z]/, /\d/, /[^A-Za-z0-9]/].filter((kind) => kind.test(value)).length;
  return kinds >= 2 ? value.length >= 16 || !isPlainWords(value) : value.length >= 16;
}

function isPlainWords(value: string): boolean {
  return nameWordsOf(value).every((word) => /^(?:[a-z]+|\d{1,4})$/.test(word));
}

/** Every spelling under which a value may stand in a text, as byte strings. */
export function spellingsOf(value: string): readonly string[] {
  const bytes = Buffer.from(value);
  const plain = bytes.toString('latin1');
  const json = Buffer.from(JSON.stringify(value).slice(1, -1)).toString('latin1');
  const url = encodeURIComponent(value.toWellFormed());
  return [
    ...new Set([plain, json, JSON.stringify(json).slice(1, -1), url, ...base64Cores(bytes), ...hexOf(bytes)]),
  ].filter((spelling) => spelling.length >= valueCharsMin);
}

/** In base64 a value shows in one of three ways, by where it begins; the characters at its ends depend on its neighbours. */
function base64Cores(bytes: Buffer): string[] {
  return [0, 1, 2].flatMap((before) => {
    const encoded = Buffer.concat([Buffer.alloc(before), bytes])
      .toString('base64')
      .replace(/=+$/, '');
    const first = Math.ceil((before * 8) / 6);
    const last = Math.floor(((before + bytes.length) * 8) / 6);
    const core = encoded.slice(first, last);
    return core.length < 12 ? [] : [core, core.replaceAll('+', '-').replaceAll('/', '_')];
  });
}

const hexBlockBytes = 8;
const hexBlocksMax = 8;

/**
 * In hex a value is as long as two, and tools break it into lines: so its pieces are looked for too, where they are no words. What a
 * break cuts off is shorter than two pieces.
 */
function hexOf(bytes: Buffer): string[] {
  const pieces = [bytes];
  if (bytes.length > hexBlockBytes && bytes.length <= hexBlockBytes * hexBlocksMax)
    for (let at = 0; at + hexBlockBytes <= bytes.length; at += hexBlockBytes)
      pieces.push(bytes.subarray(at, at + hexBlockBytes), bytes.subarray(bytes.length - hexBlockBytes));
  return pieces
    .filter((piece) => piece === bytes || /\d[^]*[^\d]|[^\d][^]*\d/.test(piece.toString('latin1')))
    .map((piece) => piece.toString('hex'))
    .flatMap((hex) => [hex, hex.toUpperCase()]);
}
