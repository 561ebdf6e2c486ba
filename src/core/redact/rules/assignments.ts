/**
 * A secret name and its value, in the forms in which environments, shells, configuration files and programs write them:
 *
 *   DB_PASSWORD=…   export DB_PASSWORD='…'   password: …   "password": "…"   'password' => '…'   let password: string = "…"
 *   <password>…</password>   --password …   --password=…   WITH PASSWORD '…'
 *
 * An upper-case name followed by = without a space is a shell's or an .env file's: its value is taken for a secret unless it is a
 * stand-in. Everywhere else the value has to look random, because `password: string` is ordinary source.
 */
import { nameGlance } from '../glance.ts';
import { isLikelySecret, isMixed, isPasswordLooking, isRandomLooking } from '../plausible.ts';
import type { Rule, Span } from '../rule.ts';
import {
  endsAsSecretName,
  isEnvName,
  isHarmlessWord,
  isPasswordName,
  isSecretName,
  nameAnchors,
} from '../secret-name.ts';

const nameCharsMax = 64;
const bareCharsMax = 512;
const quotedCharsMax = 8192;

const nameEnd = /[\w.-]{0,64}/y;
/** After the name its own closing quote or bracket, then a type if there is one, then what separates it from the value. */
const separator =
  /["'`]?\]?(?:[ \t\r]{0,8}\??:[ \t\r]{0,8}[A-Za-z][\w[\]<>|. ]{0,40}=[ \t\r]{0,8}(?=["'`])|[ \t\r]{0,8}(?:=>|:=|\|\|=|\?\?=|=(?![=>])|:(?![:=]))[ \t\r]{0,8})/y;
const shellSeparator = /=(?=[^ \t\r])/y;
const optionSeparator = /[ =]/y;
const stringPrefix = /[rbfuRBFU]{0,2}(?=["'`])/y;
/** A bare word ends at white space, a quote or an operator of the shell; a backslash belongs to it unless it starts an escape. */
const shellWord = new RegExp(
  `(?:[^ \\t\\r"'\`;&|<>)\\\\]|\\\\(?![nrtbfvux"'\`\\\\/])){1,${bareCharsMax}}`,
  'y',
);
/** Of code: what goes on with a call or an index is no value. */
const word = new RegExp(
  `[^ \\t\\r"'\`;&|<>(),[\\]{}\\\\]{1,${bareCharsMax}}(?=[ \\t\\r"'\`;&|<>),\\]}\\\\]|$)`,
  'y',
);
const xmlValue = /(>)([^<> \t\r]{6,512})<\//y;
const sqlValue = /([ \t\r]{1,8}')([^' \t\r]{6,256})'/y;

export const assignmentRule: Rule = {
  id: 'assigned-secret',
  anchors: nameAnchors,
  fold: true,
  glance: nameGlance,
  find: (text, at) => {
    const span = findAssigned(text, at);
    return span === undefined || span.end - span.start < bareCharsMax - 8 ? span : toItsEnd(text, span);
  },
};

interface Name {
  readonly start: number;
  readonly end: number;
  readonly name: string;
}

type Judge = (value: string) => boolean;

function findAssigned(text: string, at: number): Span | undefined {
  const name = nameAt(text, at);
  if (!isSecretName(name.name) || isPartOfOther(text, name)) return undefined;
  if (isEnvName(name.name)) {
    const from = after(shellSeparator, text, name.end);
    if (from !== undefined) return judged(text, valueAt(text, from, shellWord), isLikelySecret);
    if (!endsAsSecretName(name.name)) return undefined;
  }
  return (
    (text.startsWith('--', name.start) ? optionValue(text, name.end) : undefined) ??
    separatedValue(text, name) ??
    captured(text, name.end, xmlValue, isRandomLooking) ??
    (/^password$/i.test(name.name) ? captured(text, name.end, sqlValue, isLikelySecret) : undefined)
  );
}

/** No pattern reads more than its fixed length, but of a value that long nothing may stay. */
function toItsEnd(text: string, span: Span): Span {
  let { end } = span;
  for (let next = after(shellWord, text, end); next !== undefined; next = after(shellWord, text, end))
    end = next;
  return { start: span.start, end };
}

function optionValue(text: string, end: number): Span | undefined {
  const from = after(optionSeparator, text, end);
  if (from === undefined) return undefined;
  return judged(text, valueAt(text, from, shellWord), (value) => isMixed(value) && isLikelySecret(value));
}

function separatedValue(text: string, name: Name): Span | undefined {
  const from = after(separator, text, name.end);
  if (from === undefined) return undefined;
  const value = valueAt(text, from, word);
  const judge = isPasswordName(name.name) && isQuoted(text, value) ? isPasswordLooking : isRandomLooking;
  if (isLineOfYaml(text, name, value)) return judged(text, value, (one) => isMixedSecret(one) || judge(one));
  return judged(text, value, judge);
}

/** `next page token: …` in prose, `arn:…:secret:…` in a path. */
function isPartOfOther(text: string, { start }: Name): boolean {
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
function isLineOfYaml(text: string, name: Name, value: Span | undefined): boolean {
  if (!isEnvName(name.name) || !isPasswordName(name.name) || value === undefined) return false;
  return (
    /^[\s+-]*["']?$/.test(text.slice(0, name.start)) &&
    /^["']?\s*$/.test(text.slice(value.end, value.end + 64))
  );
}

function nameAt(text: string, at: number): Name {
  let start = at;
  while (start > 0 && at - start < nameCharsMax && isNameCode(text.charCodeAt(start - 1))) start--;
  const end = after(nameEnd, text, at) ?? at;
  return { start, end, name: text.slice(start, end).replace(/^[-.]+|[-.]+$/g, '') };
}

/** A letter, a digit or one of _ . - */
function isNameCode(code: number): boolean {
  if (code >= 0x30 && code <= 0x39) return true;
  const upper = code & ~0x20;
  return (upper >= 0x41 && upper <= 0x5a) || code === 0x5f || code === 0x2e || code === 0x2d;
}

function after(expression: RegExp, text: string, at: number): number | undefined {
  expression.lastIndex = at;
  return expression.test(text) ? expression.lastIndex : undefined;
}

/** The value that begins here, without its quotes. */
function valueAt(text: string, at: number, bare: RegExp): Span | undefined {
  const quoted = after(stringPrefix, text, at) ?? at;
  const quote = text.charAt(quoted);
  if (quote === '"' || quote === "'" || quote === '`') return quotedAt(text, quoted + 1, quote);
  const end = after(bare, text, at);
  if (end === undefined) return undefined;
  return { start: at, end: withoutStop(text, at, end) };
}

function quotedAt(text: string, start: number, quote: string): Span | undefined {
  for (let at = start; at < text.length && at - start < quotedCharsMax; at++) {
    const character = text.charAt(at);
    if (character === '\\') at++;
    else if (character === quote) return { start, end: at };
  }
  return undefined;
}

/** A comma or a full stop at the end belongs to the sentence. */
function withoutStop(text: string, start: number, end: number): number {
  let at = end;
  while (at > start && /[,.:]/.test(text.charAt(at - 1))) at--;
  return at;
}

function judged(text: string, span: Span | undefined, judge: Judge): Span | undefined {
  return span !== undefined && judge(text.slice(span.start, span.end)) ? span : undefined;
}

function captured(text: string, at: number, expression: RegExp, judge: Judge): Span | undefined {
  expression.lastIndex = at;
  const match = expression.exec(text);
  if (match === null) return undefined;
  const start = at + (match[1] ?? '').length;
  return judged(text, { start, end: start + (match[2] ?? '').length }, judge);
}
