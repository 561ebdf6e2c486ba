/**
 * A name, an equals sign and a bare value, as people type them in a command, a connection string, a query or a line of settings:
 *
 *   host=x user=bob password=…    kv put db password=…    --from-literal=password=…    -Dspring.datasource.password=…
 *   --set auth.password=…,auth.user=x    -o username=bob,password=…    /login?user=a&password=…    db_pass=…
 *   db.password=…   and   password: …   on lines of their own
 *
 * Source says `password=password2` and `password=os.environ[…]` in the same form. So the value has to look chosen: letters and digits,
 * or a sign among letters, and not like a variable. Where the neighbours are those of code, it must be nothing that a variable could be
 * called.
 */
import {
  distinct,
  isCallExpression,
  isDrawn,
  isLikelySecret,
  isMixed,
  isNameLike,
  isPasswordLooking,
  isRandomLooking,
  isStandIn,
} from '../plausible.ts';
import { withoutListing } from '../lead.ts';
import type { SecretRule, Span } from '../rule.ts';
import { isHarmlessWord, isPasswordName, isSecretName, nameWordsOf } from '../secret-name.ts';
import { after, judged, nameAt, restOfLine, toItsEnd, type ValueName } from './values.ts';

const equals = /=(?![=>~ \t\r"'`])/y;
const colon = /:[ \t]{1,8}(?=[^ \t\r"'`])/y;
/** To the end of the shell's word, of the field of a connection string or of the query's. */
const bare = /(?:[^ \t\r"'`;&|<>\\]|\\(?![nrtbfvux"'`\\/]|$)){4,512}/y;
const field =
  '(?:host(?:name|addr)?|server|user(?:name)?|uid|login|dbname|database|port|sslmode|connect_timeout|application_name)';
const fieldBefore = new RegExp(`(?:^|[\\s"'\`])${field}=[^\\s"'\`=]{1,64}[ \\t]{1,4}$`, 'i');
const fieldAfter = new RegExp(`^[ \\t]{1,4}${field}=`, 'i');

/** Names that are ordinary words but before an equals sign: `db_pass=`, `pass=`, `pw=`. */
export const shortNameRule: SecretRule = {
  id: 'assigned-secret',
  anchors: ['pass=', 'pw=', 'psw='],
  fold: true,
  find: (text, at) => {
    const name = nameAt(text, at);
    return isSecretName(name.name) || !isShortName(name.name)
      ? undefined
      : toItsEnd(text, plainValue(text, name));
  },
};

const otherPasses = /(?:by|com|tres|sur|over|under|multi|single|one|two|all)pass$/;

export function isShortName(name: string): boolean {
  const words = nameWordsOf(name);
  const last = words.at(-1) ?? '';
  return (
    /^(?:\w{0,16}pass|pw|psw)$/.test(last) && !otherPasses.test(last) && !isHarmlessWord(words.at(-2) ?? '')
  );
}

/** `dbpassword=`, `clientsecret=`: one word of two. */
export function isGluedName(name: string): boolean {
  return /^[a-z]{1,16}(?:password|passwd|passphrase|secret)$/.test(nameWordsOf(name).at(-1) ?? '');
}

export function plainValue(text: string, name: ValueName): Span | undefined {
  const isPassword = isPasswordName(name.name) || isShortName(name.name);
  const whole = settingsLine(text, name) ?? drawnWord(text, name);
  if (whole !== undefined) return whole;
  const from = after(equals, text, name.end);
  if (from === undefined) return lineOfYaml(text, name);
  const to = after(bare, text, from);
  if (to === undefined) return undefined;
  const value = withoutNeighbours(text, { start: from, end: to });
  if (/^[([]/.test(text.slice(value.end))) return undefined;
  if (isPassword && isFieldOfWords(text, name, value)) return value;
  const judge = isPassword ? isChosen : isChosenToken;
  const isCode = isInCode(text, name, value);
  return judged(text, value, (one) => judge(one) && (!isCode || isNoVariable(one)));
}

/** Also where the value begins with what would make another operator of it. */
const anyEquals = /=(?![ \t\r"'`])/y;
const toSpace = /[^ \t\r"'`][^ \t\r]{9,511}(?=[ \t\r]|$)/y;

/** Behind a space and up to the next, and with signs in it that end a word: of one that chance has made they are a part. */
export function drawnWord(text: string, { start, end, name }: ValueName): Span | undefined {
  const from = /^[ \t]?$/.test(text.charAt(start - 1)) ? after(anyEquals, text, end) : undefined;
  const to = from === undefined ? undefined : after(toSpace, text, from);
  if (from === undefined || to === undefined) return undefined;
  const value = text.slice(from, to);
  if (!/["'`;&|<>,()[\]{}]|^[=~]/.test(value) || isNameLike(/[&,;|]([\w.-]{2,64})=/.exec(value)?.[1] ?? ''))
    return undefined;
  const judge = isPasswordName(name) || isShortName(name) ? isPasswordLooking : isRandomLooking;
  const isOne =
    isMixed(value) && distinct(value) >= 8 && isDrawn(value) && !isCallExpression(value) && judge(value);
  return isOne ? { start: from, end: /[,;)\]}"'`]$/.test(value) ? to - 1 : to } : undefined;
}

const startCharsMax = 280;
const setting = /[ \t]{0,40}=(?![=>~])[ \t]{0,40}/y;

/** Of a file of settings: nothing before the name, nothing behind the value, and signs in it that no variable has. */
export function settingsLine(text: string, { start, end, name }: ValueName): Span | undefined {
  const from = start > startCharsMax ? undefined : after(setting, text, end);
  if (from === undefined) return undefined;
  if (!/^[ \t+-]{0,40}$/.test(withoutListing(text.slice(0, start)))) return undefined;
  const to = after(restOfLine, text, from);
  if (to === undefined) return undefined;
  const judge = isPasswordName(name) || isShortName(name) ? isPasswordLooking : isRandomLooking;
  // A sign at the end belongs to what is around.
  const last = /[,;({[]/.test(text.charAt(to - 1)) ? to - 1 : to;
  // With space around the sign it may be a line of code.
  const isOf = from === end + 1 ? isOfSigns : isDrawn;
  return judged(text, { start: from, end: last }, (one) => isOf(one) && judge(one) && !isCallExpression(one));
}

/** What a variable or an index would not be. */
function isOfSigns(value: string): boolean {
  return (
    isNoVariable(value) || (/[^\w$.,=()[\]-]/.test(value) && value.length >= 12 && distinct(value) >= 10)
  );
}

const queryWord = /[^ \t\r"<>`&#\\]{8,512}/y;

/** To the next field of a query, if chance has made it. */
export function queryValue(text: string, { start, end: nameEnd }: ValueName): Span | undefined {
  const from = /[?&]/.test(text.charAt(start - 1)) ? after(equals, text, nameEnd) : undefined;
  const to = from === undefined ? undefined : after(queryWord, text, from);
  if (from === undefined || to === undefined) return undefined;
  const end = /['),.;]$/.test(text.slice(from, to)) ? to - 1 : to;
  return judged(text, { start: from, end }, (one) => isDrawn(one) && isRandomLooking(one));
}

/** `,auth.user=x` is the next of a list; a bracket that nothing opened, a comma and a full stop belong to what is around. */
function withoutNeighbours(text: string, { start, end }: Span): Span {
  const whole = text.slice(start, end);
  let length = /,[A-Za-z_][\w.[\]-]{0,64}=/.exec(whole)?.index ?? whole.length;
  const opened = /^[^()[\]{}]*[)\]}]/.exec(whole.slice(0, length));
  if (opened !== null) length = opened[0].length - 1;
  const call = /^[\w$.]+[([]/.exec(whole.slice(0, length));
  if (call !== null) length = call[0].length - 1;
  while (length > 0 && /[,.:]/.test(whole.charAt(length - 1))) length--;
  return { start, end: start + length };
}

/** Between the other fields of a connection string a word will do. */
function isFieldOfWords(text: string, { start }: ValueName, value: Span): boolean {
  const before = text.slice(Math.max(0, start - 120), start);
  const one = text.slice(value.start, value.end);
  if (!fieldBefore.test(before) && !fieldAfter.test(text.slice(value.end, value.end + 40))) return false;
  // `user=postgres password=postgres` of every manual.
  return isLikelySecret(one) && distinct(one) >= 4 && !/[,()]/.test(one) && !before.includes(`=${one} `);
}

/** What stands around an argument, a field or a statement of a programming language. */
function isInCode(text: string, { start }: ValueName, value: Span): boolean {
  const before = text.slice(Math.max(0, start - 64), start);
  if (/^[ \t]*[,)\]};]/.test(text.slice(value.end, value.end + 16)) && !/^,\S/.test(text.slice(value.end)))
    return true;
  if (/(?:^|[ \t"'`]--?[\w-]{1,40})=["'`]?$/.test(before)) return false;
  return !/(?:^|[?&]|["'`]|[^ \t,({[<][ \t]+|^[ \t+-]+|[\w.-]=[^=,(){}\s"'`]{0,40},)$/.test(before);
}

/** Letters and digits, or a sign among letters. */
function isChosen(value: string): boolean {
  if (isReference(value) || /[()]/.test(value)) return false;
  return isMixed(value)
    ? isPasswordLooking(value)
    : /[A-Za-z][!#$%^?~@]+[A-Za-z]/.test(value) &&
        value.length >= 7 &&
        distinct(value) >= 5 &&
        !isStandIn(value) &&
        isLikelySecret(value) &&
        !/^[\w.+-]+@[\w.-]+$/.test(value);
}

/** `db-credentials-v2` is what a secret is called. */
function isChosenToken(value: string): boolean {
  return (
    value.length >= 8 && isChosen(value) && !/^[A-Za-z]+(?:[-_./:][A-Za-z]+)*[-_.]?v?\d{0,3}$/.test(value)
  );
}

/** `dbPassword2`, `TEST_USER_1`, `db_admin_2`. */
function isReference(value: string): boolean {
  return (
    /^[A-Za-z_$][\w$]*?\d{0,2}$/.test(value) &&
    (/pass|pwd|secret|token|key|cred|user|param|value|input|config|field|string/i.test(value) ||
      /^[A-Za-z]+(?:_[A-Za-z]+)+_?\d{0,2}$/.test(value))
  );
}

/** Three digits or more, or a sign that no name has. */
function isNoVariable(value: string): boolean {
  if (/^[\w$.]+$/.test(value)) return value.replace(/\D/g, '').length >= 3;
  return /[!#%^?~@]/.test(value);
}

/** A name, a colon and a bare value, nothing before and nothing after. A type may have a number in its name, seldom three digits. */
function lineOfYaml(text: string, { start, end, name }: ValueName): Span | undefined {
  if (!isPasswordName(name) || !/^[\s+-]{0,64}$/.test(text.slice(0, Math.min(start, 65)))) return undefined;
  const from = after(colon, text, end);
  const to = from === undefined ? undefined : after(bare, text, from);
  if (from === undefined || to === undefined || !/^[ \t\r]*$/.test(text.slice(to, to + 64))) return undefined;
  return judged(
    text,
    { start: from, end: to },
    (value) => isChosen(value) && isNoVariable(value) && !/[,;{}()[\]]/.test(value),
  );
}
