/**
 * A secret name and its value, in the forms in which environments, shells, configuration files and programs write them:
 *
 *   DB_PASSWORD=…   export DB_PASSWORD='…'   password: …   "password": "…"   'password' => '…'   let password: string = "…"
 *   <password>…</password>   --password …   --password=…   WITH PASSWORD '…'   API_TOKEN ?= … of a Makefile
 *   Password { get; set; } = "…"   password <- "…"
 *
 * What stands beside its name without any sign of assignment is in pairs.ts, what is typed plainly in a command in plain.ts.
 *
 * An upper-case name followed by = without a space is a shell's or an .env file's: its value is taken for a secret unless it is a
 * stand-in. Everywhere else the value has to look random, because `password: string` is ordinary source.
 */
import { nameGlance } from '../scan/glance.ts';
import { withoutListing } from '../lead.ts';
import {
  distinct,
  isCallExpression,
  isDrawn,
  isJumble,
  isLikelySecret,
  isMixed,
  isNameLike,
  isPasswordLooking,
  isRandomLooking,
} from '../plausible.ts';
import type { SecretRule, Span } from '../rule.ts';
import { connectionValue, isSecretOfName, pairedValue } from './pairs.ts';
import { drawnWord, isGluedName, isShortName, plainValue, queryValue, settingsLine } from './plain.ts';
import {
  after,
  bareCharsMax,
  capturedSpan,
  judged,
  nameAt,
  quoteBefore,
  quotedAt,
  restOfLine,
  shellWord,
  toItsEnd,
  valueAt,
  type ValueName,
} from './values.ts';
import {
  endsAsSecretName,
  isEnvName,
  isFolderName,
  isHarmlessWord,
  isPasswordName,
  isSecretName,
  nameAnchors,
} from '../secret-name.ts';

/** After the name its own closing quote or bracket, then a type if there is one, then what separates it from the value. */
const separator =
  /["'`]?\]?\*{0,2}(?:[ \t\r]{0,8}\??:[ \t\r]{0,8}[A-Za-z&][\w[\]<>|.&' ]{0,40}=[ \t\r]{0,8}(?=["'`])|[ \t]{0,4}\{[ \t;a-z]{3,40}\}[ \t]{0,4}=[ \t]{0,4}(?=["'])|[ \t]{0,8}<-[ \t]{0,8}(?=["'])|[ \t\r]{0,40}(?:=>|:=|\|\|=|\?\??=|=(?![=>])|:(?![:=])\*{0,2})[ \t\r]{0,40})/y;
const shellSeparator = /=(?=[^ \t\r])/y;
const optionSeparator = /[ =]/y;
/** What stands in for the value of a variable that is not set. */
const otherwise = /["'`]?\]?\)?[ \t]{0,4}(?:\|\||\?\?|\?:|or(?=[ \t]))[ \t]{0,4}(?=["'`])/y;
const shellOtherwise = /:?[-=]/y;
const toBrace = /[^ \t\r"'`}]{6,512}(?=\})/y;
const makeSeparator = /[ \t]{0,8}(?:\?|:{1,3}|\+)=[ \t]{0,8}/y;
/** Of code: what goes on with a call or an index is no value. */
const word = new RegExp(
  `[^ \\t\\r"'\`;&|<>(),[\\]{}\\\\]{1,${bareCharsMax}}(?=[ \\t\\r"'\`;&|<>),\\]}\\\\]|$)`,
  'y',
);
/** Maybe behind other attributes, or as character data, or of a list of names and values. */
const xmlValue =
  /((?:["' \t][^<>]{0,200})?(?:>|&gt;|<\/key>[ \t]{0,8}<string>)(?:<!\[CDATA\[|<value>)?)([^<\r]{6,512}?)(?:\]\]>)?(?:<|&lt;)\//y;
const sqlValue = /([ \t\r]{1,8}')([^' \t\r]{6,256})'/y;

export const assignmentRule: SecretRule = {
  id: 'assigned-secret',
  anchors: nameAnchors,
  fold: true,
  glance: nameGlance,
  find: (text, at) => toItsEnd(text, findAssigned(text, at)),
};

function findAssigned(text: string, at: number): Span | undefined {
  const name = nameAt(text, at);
  if (isFolderName(name.name)) return connectionValue(text, name);
  if (!isSecretName(name.name))
    return isGluedName(name.name) || isShortName(name.name) ? plainValue(text, name) : undefined;
  if (isPartOfOther(text, name)) return undefined;
  const quoted = quotedPair(text, name) ?? bracedValue(text, name);
  if (quoted !== undefined) return quoted;
  if (isEnvName(name.name)) {
    const from = after(shellSeparator, text, name.end);
    if (from !== undefined && text.startsWith('${', from)) return undefined;
    if (from !== undefined)
      return wholeLine(text, name, from) ?? judged(text, valueAt(text, from, shellWord), isLikelySecret);
    if (!endsAsSecretName(name.name)) return undefined;
  }
  return (
    otherwiseValue(text, name) ??
    queryValue(text, name) ??
    (text.startsWith('--', name.start) ? optionValue(text, name.end) : undefined) ??
    makeValue(text, name) ??
    pairedValue(text, name) ??
    settingsLine(text, name) ??
    drawnWord(text, name) ??
    separatedValue(text, name) ??
    capturedSpan(text, name.end, xmlValue, isPasswordName(name.name) ? isPasswordLooking : isRandomLooking) ??
    (/^password$/i.test(name.name) ? capturedSpan(text, name.end, sqlValue, isLikelySecret) : undefined) ??
    plainValue(text, name)
  );
}

/**
 * Of an .env file, where &, | and ; mean nothing: a line without white space is a name and its value to the end, unless the rest reads
 * like another command.
 */
function wholeLine(text: string, name: ValueName, from: number): Span | undefined {
  const end = isAtStart(text, name) ? after(restOfLine, text, from) : undefined;
  if (end === undefined) return undefined;
  const value = text.slice(from, end);
  if (!/[;&|<>)"'`\\]/.test(value) || /^[[{(]["'`]|\[redacted:/.test(value)) return undefined;
  const isCommand = /&&|\|\||[;&|][A-Za-z_]\w*=/.test(value) && /^[\w.+/=:@%,;&|$"'-]+$/.test(value);
  if (isCommand || /\\[nrt][A-Za-z_]\w*=/.test(value)) return undefined;
  // A sign at the end may be the shell's.
  return judged(text, { start: from, end: /[;&|>)"'`\\]$/.test(value) ? end - 1 : end }, isMixedSecret);
}

/** `-e 'DB_PASSWORD=…'`, `--from-literal="password=…"`: to the quote that closes it. */
function quotedPair(text: string, { start, end, name }: ValueName): Span | undefined {
  const quote = text.charAt(end) === '=' ? quoteBefore(text, start) : undefined;
  const value = quote === undefined ? undefined : quotedAt(text, end + 1, quote);
  if (value === undefined || isMoreThanOne(text.slice(value.start, value.end))) return undefined;
  const judge = isPasswordName(name) ? isPasswordLooking : isRandomLooking;
  return judged(text, value, (one) =>
    isEnvName(name) && !/[ \t&|]/.test(one) ? isLikelySecret(one) : isLongDrawn(one) && judge(one),
  );
}

/** Shorter ones are judged as they are without quotes. */
function isLongDrawn(value: string): boolean {
  return value.length >= 12 && isDrawn(value);
}

/** `a=1&password=…&b=2` or several lines or a list in quotes; what chance has made has no names in it. */
function isMoreThanOne(value: string): boolean {
  if (/\\[nrt]|^[[{(]["'`]/.test(value)) return true;
  const next = /[&,; \t]([\w.-]{2,64})=/.exec(value)?.[1] ?? '';
  return isNameLike(next) || (/^["'`=]/.test(value) && !isDrawn(value));
}

/** `process.env.JWT_SECRET || "…"` */
function otherwiseValue(text: string, { end, name }: ValueName): Span | undefined {
  const from = after(otherwise, text, end);
  if (from === undefined) return undefined;
  const value = quotedAt(text, from + 1, text.charAt(from));
  return judged(text, value, (one) => isSecretOfName(name, one));
}

/** `${DB_PASSWORD:-…}` */
function bracedValue(text: string, { start, end, name }: ValueName): Span | undefined {
  const from = text.startsWith('${', start - 2) ? after(shellOtherwise, text, end) : undefined;
  const to = from === undefined ? undefined : after(toBrace, text, from);
  if (from === undefined || to === undefined) return undefined;
  return judged(text, { start: from, end: to }, (one) => isSecretOfName(name, one));
}

function makeValue(text: string, name: ValueName): Span | undefined {
  const from =
    isEnvName(name.name) && isAtStart(text, name) ? after(makeSeparator, text, name.end) : undefined;
  return from === undefined ? undefined : judged(text, valueAt(text, from, shellWord), isMixedSecret);
}

const startCharsMax = 280;

function isAtStart(text: string, { start }: ValueName): boolean {
  if (start > startCharsMax) return false;
  return /^[ \t+-]{0,40}(?:(?:export|override|ENV|ARG|set|setx|declare -x)[ \t]{1,8})?$/.test(
    withoutListing(text.slice(0, start)),
  );
}

function optionValue(text: string, end: number): Span | undefined {
  const from = after(optionSeparator, text, end);
  if (from === undefined) return undefined;
  return judged(
    text,
    valueAt(text, from, shellWord),
    (value) => (isMixed(value) || isJumble(value)) && isLikelySecret(value),
  );
}

function separatedValue(text: string, name: ValueName): Span | undefined {
  const from = after(separator, text, name.end);
  if (from === undefined) return undefined;
  const value = restOfYaml(text, name, from) ?? valueAt(text, from, word);
  const judge = isPasswordName(name.name) && isQuoted(text, value) ? isPasswordLooking : isRandomLooking;
  if (isLineOfYaml(text, name, value)) return judged(text, value, (one) => isMixedSecret(one) || judge(one));
  return judged(text, value, judge);
}

/** A line of YAML that is a name and a value with brackets in it, to the end. */
function restOfYaml(text: string, name: ValueName, from: number): Span | undefined {
  const isYaml = isAtStart(text, name) && /^["']?:[ \t]+$/.test(text.slice(name.end, from));
  const end = isYaml ? after(restOfLine, text, from) : undefined;
  const value = end === undefined ? '' : text.slice(from, end);
  if (end === undefined || !/[^\w.:/@$%+=-]/.test(value) || (/[,;({[]$/.test(value) && !isDrawn(value)))
    return undefined;
  return judged(text, { start: from, end }, isJumbleOfSigns);
}

/** More signs than an expression has without white space, and none of its shapes. */
function isJumbleOfSigns(value: string): boolean {
  return (
    value.length >= 10 &&
    (isMixed(value) || isJumble(value)) &&
    distinct(value) >= 8 &&
    !isCallExpression(value)
  );
}

/** `next page token: …` in prose, `arn:…:secret:…` in a path. */
function isPartOfOther(text: string, { start }: ValueName): boolean {
  const before = text.slice(Math.max(0, start - 200), start);
  return isHarmlessWord(/([A-Za-z]+)[ -]$/.exec(before)?.[1] ?? '') || /\barn:[\w:/-]*:$/.test(before);
}

function isQuoted(text: string, value: Span | undefined): boolean {
  return value !== undefined && /["'`]/.test(text.charAt(value.end));
}

function isMixedSecret(value: string): boolean {
  return isMixed(value) && isLikelySecret(value);
}

/** A name, a colon and a value: nothing before, nothing after. */
function isLineOfYaml(text: string, name: ValueName, value: Span | undefined): boolean {
  if (!isEnvName(name.name) || !isPasswordName(name.name) || value === undefined) return false;
  return (
    /^[\s+-]*["']?$/.test(text.slice(0, name.start)) &&
    /^["']?\s*$/.test(text.slice(value.end, value.end + 64))
  );
}
