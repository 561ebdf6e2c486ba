/**
 * A secret name and its value where no sign of assignment stands between them:
 *
 *   define('DB_PASSWORD', '…')   ["API_TOKEN", "…"]   ["mysql", "--password", "…"]   os.Setenv("API_TOKEN", "…")
 *   { name: DB_PASSWORD, value: … }   <add key="ApiToken" value="…" />
 *   setPassword("…")   :password "…"   set -x DB_PASSWORD '…'   storePassword "…"
 *   ENV API_TOKEN …                      of a Dockerfile
 *   Server=db;User Id=sa;Password=…;     of a connection string, also UID=sa;PWD=…
 */
import {
  distinct,
  isDrawn,
  isJumble,
  isLikelySecret,
  isMixed,
  isPasswordLooking,
  isRandomLooking,
  isStandIn,
} from '../plausible.ts';
import type { Span } from '../rule.ts';
import { isEnvName, isPasswordName } from '../secret-name.ts';
import { after, judged, quotedAt, valueAt, type ValueName } from './values.ts';

const toSecond = /["'`][ \t]{0,4},[ \t]{0,40}(?=["'`])/y;
/** An argument, or a space alone. */
const toLiteral = /(?:\([ \t]{0,4}|[ \t]{1,8})(?=["'])/y;
const toValue = /["'`]?[ \t]{0,4}[,;]?[ \t]{0,4}["'`]?value["'`]?[ \t]{0,4}[:=][ \t]{0,4}/iy;
const toEnvValue = /[ \t]{1,8}(?=[^ \t\r=])/y;
const equals = /[ \t]?=[ \t]?/y;
const wordToSpace = /[^ \t\r"'`][^ \t\r]{0,511}/y;
const pairedWord = /[^ \t\r"'`;&|<>(),[\]{}\\]{1,512}(?=[ \t\r,;}\]]|$)/y;
/** In quotes of which the first stands before the name, or to the end of the line. */
const connectionWords: Readonly<Record<string, RegExp>> = {
  '': /[^ \t\r"'`;][^;\r]{3,255}(?=;|[ \t\r]*$)/y,
  '"': /[^ \t\r"'`;][^;\r"]{3,255}(?=[";])/y,
  "'": /[^ \t\r"'`;][^;\r']{3,255}(?=[';])/y,
  '`': /[^ \t\r"'`;][^;\r`]{3,255}(?=[`;])/y,
};
const connectionFields =
  /(?:^|["'`=\s])(?:server|data source|host(?:name)?|addr(?:ess)?|user(?: ?id|name)?|uid|database|initial catalog|dbname|endpoint|port|driver|encrypt|pooling)[ ]?=[^=]{0,160}$/i;
const connectionField =
  /^;[ ]?(?:server|data source|host|user(?: ?id|name)?|uid|database|initial catalog|dbname|port|encrypt|trustservercertificate|pooling|ssl ?mode|timeout|connection timeout|multipleactiveresultsets|integrated security)[ ]?=/i;

export function pairedValue(text: string, name: ValueName): Span | undefined {
  return (
    listedValue(text, name) ??
    namedValue(text, name) ??
    cellValue(text, name) ??
    literalValue(text, name) ??
    dockerValue(text, name) ??
    connectionValue(text, name)
  );
}

/** Other names: of variables, options, and things with a number at the end. */
const listed = /^[A-Z][A-Z0-9_]*$|^-|^[A-Za-z]+(?:[-_./:][A-Za-z]+)*[-_.]?v?\d{0,3}$/;

/** Whether a value that a list gives after a name is the secret of that name: a list of names is none. */
export function isSecretInList(name: string, value: string): boolean {
  if (!isEnvName(name) && !name.startsWith('--')) return false;
  const isName = listed.test(value) && !isJumble(value) && !(value.length >= 12 && isDrawn(value));
  return !isName && isRandomLooking(value);
}

/** Whether a text is the secret of the name that stands beside it under a name of its own. */
export function isSecretOfName(name: string, value: string): boolean {
  if (!isEnvName(name)) return isPasswordName(name) ? isPasswordLooking(value) : isRandomLooking(value);
  return isLikelySecret(value) && (isMixed(value) || isPasswordName(name) || isJumble(value));
}

function listedValue(text: string, { start, end }: ValueName): Span | undefined {
  const from = after(toSecond, text, end);
  if (from === undefined || text.charAt(start - 1) !== text.charAt(end)) return undefined;
  const name = text.slice(start, end);
  const opens = name.startsWith('--') ? /[([{,][ \t]*$/ : /[([{][ \t]*$/;
  if (!opens.test(text.slice(Math.max(0, start - 5), start - 1))) return undefined;
  return judged(text, quotedAt(text, from + 1, text.charAt(from)), (value) => isSecretInList(name, value));
}

function namedValue(text: string, { start, end, name }: ValueName): Span | undefined {
  const from = after(toValue, text, end);
  if (from === undefined) return undefined;
  if (!/(?:name|key)["'`]?[ \t]{0,4}[:=][ \t]{0,4}["'`]?$/i.test(text.slice(Math.max(0, start - 20), start)))
    return undefined;
  const isQuoted = /["'`]/.test(text.charAt(from));
  return judged(text, valueAt(text, from, pairedWord), (value) =>
    // Without quotes it may be a variable.
    isQuoted ? isSecretOfName(name, value) : isRandomLooking(value),
  );
}

/** What a name is called with, or has behind it, in quotes. */
function literalValue(text: string, { end, name }: ValueName): Span | undefined {
  const from = after(toLiteral, text, end);
  const value = from === undefined ? undefined : quotedAt(text, from + 1, text.charAt(from));
  return judged(text, value, (one) => isSecretOfName(name, one));
}

const toCell = /["'`]?\*{0,2}[ \t]{0,40}\|[ \t]{0,40}/y;
const cellEnd = /^["'`]?[ \t]{0,64}(?:\||$)/;

/** `| DB_PASSWORD | … |`, a row of a table. */
function cellValue(text: string, { end, name }: ValueName): Span | undefined {
  const from = /^[ \t>+-]{0,8}\|/.test(text) ? after(toCell, text, end) : undefined;
  const value = from === undefined ? undefined : valueAt(text, from, wordToSpace);
  if (value === undefined || !cellEnd.test(text.slice(value.end, value.end + 80))) return undefined;
  return judged(text, value, (one) => isSecretOfName(name, one) && (isDrawn(one) || isMixed(one)));
}

/** One word to the end of the line. */
function dockerValue(text: string, { start, end, name }: ValueName): Span | undefined {
  if (!isEnvName(name) || !/(?:^|[ \t+-])ENV[ \t]{1,8}$/.test(text.slice(Math.max(0, start - 12), start)))
    return undefined;
  const from = after(toEnvValue, text, end);
  const value = from === undefined ? undefined : valueAt(text, from, wordToSpace);
  if (value === undefined || !/^["'`]?[ \t\r]*\\?$/.test(text.slice(value.end, value.end + 64)))
    return undefined;
  return judged(text, value, (one) => (isMixed(one) || isJumble(one)) && isLikelySecret(one));
}

/** The fields beside it say what it is, so that a word will do. */
export function connectionValue(text: string, { start, end, name }: ValueName): Span | undefined {
  if (!/^(?:password|pwd)$/i.test(name)) return undefined;
  const from = after(equals, text, end);
  const before = text.slice(Math.max(0, start - 200), start);
  const word = connectionWords[/["'`](?=[^"'`]*$)/.exec(before)?.[0] ?? ''];
  const to = from === undefined || word === undefined ? undefined : after(word, text, from);
  if (from === undefined || to === undefined) return undefined;
  const isField =
    (/;[ ]?$/.test(before) &&
      connectionFields.test(
        before.slice(before.lastIndexOf(';', before.length - 3) + 1).replace(/;[ ]?$/, ''),
      )) ||
    connectionField.test(text.slice(to, to + 64));
  return isField ? judged(text, { start: from, end: to }, isFieldValue) : undefined;
}

/** With spaces in it, it has to look drawn. */
function isFieldValue(value: string): boolean {
  return !isStandIn(value) && distinct(value) >= 3 && (!/[ \t<>{}"'`]/.test(value) || isDrawn(value));
}
