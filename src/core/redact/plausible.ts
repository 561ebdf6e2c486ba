/**
 * Whether a value that stands where a secret would stand is one. What a name like `password` is given in ordinary source is a type, an
 * expression, a sentence, a reference to where the secret is kept, or a stand-in; none of these may be touched. Only the first
 * characters are looked at: a secret shows itself early, and a long value must not be read once for every name before it.
 */
import { readsLikeWord } from './letters.ts';
import { withoutPlaceholders } from './placeholder.ts';

const charsRead = 256;

/** A placeholder that the end would cut in two is left out: what is left of it looks like a text. */
function headOf(text: string): string {
  // What this says is that a key was drawn, not what the key looks like.
  const value = text.startsWith('django-insecure-') ? text.slice(16) : text;
  if (value.length <= charsRead) return value;
  const last = value.lastIndexOf('[redacted:', charsRead - 1);
  const isCut = last !== -1 && !value.slice(last, charsRead).includes(']');
  return value.slice(0, isCut ? last : charsRead);
}

export function isMixed(value: string): boolean {
  const head = headOf(value);
  return /\d/.test(head) && /[A-Za-z]/.test(head);
}

/** Letters of both cases, as chance gives them to anything long, and not those of a name. */
export function hasBothCases(value: string): boolean {
  return /[A-Z]/.test(value) && /[a-z]/.test(value) && (/\d/.test(value) || isJumble(value));
}

/** A value whose name and form already say that it is a secret, as in `DB_PASSWORD=…`: anything but a stand-in will do. */
export function isLikelySecret(value: string): boolean {
  const head = headOf(value);
  return head.length >= 6 && !isStandIn(head) && !isNumber(head) && !isExpression(head);
}

/** Under a name that says password: people make them of a word and a number, which elsewhere would be an ordinary name. */
export function isPasswordLooking(value: string): boolean {
  const head = headOf(value);
  if (head.length < 7 || !isWritten(head)) return false;
  return isMixed(head) || isJumble(head) || isRandomLooking(head);
}

/** Under any other name, in code, prose or data, a value has to look as if nobody had thought it up. */
export function isRandomLooking(value: string): boolean {
  const head = headOf(value);
  if (head.length < 8 || !isWritten(head) || isNameLike(head)) return false;
  if (isMixed(head)) return true;
  if (!/[A-Za-z]/.test(head)) return /\d/.test(head) && /[^\d .,:/+()-]/.test(head);
  return isJumble(head) || (/[A-Za-z][!@#$%^&*?~]+[A-Za-z]/.test(head) && distinct(head) >= 6);
}

/** Several words, in whatever script. Chance may have made spaces too: then what stands between them is no words. */
function isSentence(value: string): boolean {
  if (/[\x80-\xff]{6}|[\r\n]/.test(value)) return true;
  if (!/[ \t]/.test(value)) return false;
  if (value.length < 16 || /[\x80-\xff]/.test(value) || !isMixed(value) || distinct(value) < 12) return true;
  return shareOf(value, (word) => isWord(word, 3)) > 0.45;
}

/** Hardly a word in it: what people write as code or prose has them, whatever signs stand between. */
export function isDrawn(value: string): boolean {
  const head = headOf(value);
  if (head.length < 8 || distinct(head) < 6) return false;
  return shareOf(head, (word) => isWord(word.replace(/\d{1,5}$/, ''), 3)) < 0.5;
}

/** Of three kinds, and hardly a word: no expression and no template is made so, whatever brackets it has. */
function isChance(value: string): boolean {
  return (
    value.length >= 14 && /[a-z]/.test(value) && /[A-Z]/.test(value) && /\d/.test(value) && isDrawn(value)
  );
}

/** Not a sentence, in whatever script, not a stand-in, not code, not a version, a type or a time. */
function isWritten(value: string): boolean {
  return (
    !isSentence(value) &&
    !isStandIn(value) &&
    !isMadeOfCommonWords(value) &&
    !isPattern(value) &&
    !isExpression(value) &&
    !isNumber(value) &&
    !/^[\^~<>=A-Za-z]{0,2}\d+(?:\.[\dx*]+)+(?:[-+][\w.]+)?$/.test(value) &&
    !/^(?:u?int|float|bigu?int|base|utf|sha|md|es|hmac|hs|rs|aes|ed|x|ripemd|blake)[-_]?\d{1,5}[a-z_-]*$/i.test(
      value,
    ) &&
    !/^\d{4}-\d{2}-\d{2}(?:[T ][\d:.]+(?:Z|[+-][\d:]+)?)?$/.test(value)
  );
}

/** A regular expression: chance makes one of its pairs of signs, hardly two. */
function isPattern(value: string): boolean {
  return (value.match(/\\[wWdDsSbB]|\(\?[:=!<]|\[\^|[\])][*+?]/g) ?? []).length > 1;
}

function isNumber(value: string): boolean {
  return /^(?:\d{1,11}|0x[0-9a-f]{1,16}[lu]{0,3})$/i.test(value);
}

/** Bits per character, by how often each occurs. */
export function entropy(value: string): number {
  const counts = new Map<string, number>();
  for (const character of value) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / value.length) * Math.log2(count / value.length);
  return bits;
}

export function distinct(value: string): number {
  return new Set(value).size;
}

/** A reference to a secret, a blank to fill in, or a mark left by somebody who already took it out. */
export function isStandIn(text: string): boolean {
  // A placeholder does not vouch for what stands beside it.
  const value = withoutPlaceholders(headOf(text));
  return (
    value === '' ||
    isTemplate(value) ||
    isVariable(value) ||
    references.test(value) ||
    /example|placeholder|change[_-]?me|redacted|replace[_-]?me|your[_-]/i.test(value) ||
    /^(.)\1*$|^[x!-/:-@[-`{-~]+$|\*{3}|\.{3}|\xe2\x80\xa6|x{6}/i.test(value) ||
    /^(?:\/|~\/|\.{1,2}\/|[A-Za-z]:\\)[\w.\-/\\ \x80-\xff]*$|\/secrets\/|^[A-Z]+(?:_[A-Z]+)+$/.test(value) ||
    (!/\d/.test(value) && isMadeOfCommonWords(value))
  );
}

/**
 * `<your-token>`, `{{ token }}`, `${TOKEN}`, `%(token)s`, `user-%s`: names in brackets, words around them, or the beginning of one
 * where a word ended. In what chance has made, a bracket says nothing.
 */
function isTemplate(value: string): boolean {
  if (isChance(value)) return /\$\{[^{}]{1,80}\}|\{\{[^{}]{0,80}\}\}|<%[^%]{0,80}%>/.test(value);
  const around = value.replace(filledIn, '');
  return (
    (around !== value && /^[\w ./:@?=&,;)"'`\\-]*$/.test(around)) ||
    /^[$%@#]?(?:\{\{|\{%|<%|\$\{|\$\(|\$\[)[\w ./:=-]*$|^-----BEGIN|^%\w+%$/.test(value) ||
    /^(?:[\w ./:-]*[ ./:_-])?%[srdqv](?:[ ./:_%-][\w ./:%-]*)?$/.test(value) ||
    /^[$%@#]?[<{([]{1,3}[ \w.,:|/?*=$@-]*[>})\]]{1,3}$/.test(value) ||
    /^[$%@#]?[<{([]{1,3}[A-Za-z_. -]*$|^[A-Za-z_. -]*[>})\]]{1,3}$/.test(value)
  );
}

const filledIn =
  /\$?\{[A-Za-z_]\w{0,40}\}|\$\{\{?[^{}]{1,80}\}{1,2}|\{\{[^{}]{0,80}\}\}|<%[^%]{0,80}%>|%\([A-Za-z_]\w{0,40}\)[sdr]|\$\([^()]{1,80}\)/g;

/**
 * `$HOME`, `$dbPassword`, `$1`, `$this->token`. After the dollar comes a name: of words, or without a digit in it. What goes on
 * with another sign or is no name was written as it is: `$ecretVal99`, `$2b$10$…`.
 */
function isVariable(value: string): boolean {
  if (!value.startsWith('$')) return false;
  if (/^\$(?:\d{1,2}|[#?$@*!-])?$/.test(value)) return true;
  const [whole, name = ''] = /^\$([A-Za-z_]\w*)/.exec(value) ?? [];
  if (whole === undefined || (/\d/.test(name) && !/^[A-Z0-9_]+$/.test(name) && !isNameLike(name)))
    return false;
  return /^(?:->|::|[./:@-]|\[['"]?\w+['"]?\])?(?:(?<=.)[\w./:$>-]*)?$/.test(value.slice(whole.length));
}

const references =
  /^(?:process\.|os\.|env[.([:]|import\.meta|secrets?\.|vars?\.|vault[:.]|op:\/\/|ref\+|arn:|data:|file:|https?:|sha\d{3}[:-]|system\.)/i;
const commonWords =
  /your|my|the|some|any|new|old|insert|enter|replace|value|field|here|goes|change|example|sample|dummy|fake|mock|test|demo|null|none|undefined|true|false|todo|default|required|optional|string|number|boolean|password|passwd|pass|word|secret|token|api|key|access|client|admin|root|user|guest|name|foo|bar|baz|qux|abc|def|xyz|this|valid|invalid|wrong|correct|super|login|auth|bearer|basic|oauth/g;

/** `my-secret-token`, `test_password_12`: what people write where something has to stand. */
export function isMadeOfCommonWords(value: string): boolean {
  const rest = value.toLowerCase().replace(commonWords, '');
  return rest.length < value.length && /^[\W_\d]*$/.test(rest) && rest.replace(/\D/g, '').length <= 4;
}

/** `config.auth.token`, `TokenKind.String`, `read(file)`: taken from somewhere, written nowhere. */
function isExpression(value: string): boolean {
  const isPath = /^[A-Za-z_$][\w$]{0,64}(?:(?:\?\.|\.|::|->|#)+[A-Za-z_$][\w$]*)+$/.test(value);
  return (isPath && (value.length < 8 || isNameLike(value))) || isCallExpression(value);
}

/** `getToken()`, `String[]`, `Optional<Token>`: a name before a bracket, and nothing but names behind it. */
export function isCallExpression(value: string): boolean {
  if (isChance(value)) return false;
  const [, name = ''] =
    /^[{(!&*]?([A-Za-z_$@][\w$.:>?-]{0,80}?)\??[([<{][\w .,:$'"<>()[\]{}=-]*$/.exec(value) ?? [];
  return (
    isNameLike(name) ||
    (/^[A-Za-z]+(?:[_.][A-Za-z]+)*$/.test(name) && name.split(/[_.]/).some((word) => isWord(word, 4)))
  );
}

/** `_convert_oauth2_credentials`, `third_party$module2`, `Ed25519PrivateKey`: more than half of it stands in words. */
export function isNameLike(text: string): boolean {
  const value = headOf(text);
  if (!/^[\w$.,:#/-]+$/.test(value) || /^[A-Za-z]*(?:\d+[A-Za-z]+){2}/.test(value)) return false;
  return shareOf(value, (word) => technical.test(word) || isWord(word.replace(/\d{1,5}$/, ''), 4)) > 0.5;
}

const technical =
  /^(?:ed25519|x25519|x509|oauth\d?|sha\d*|md5|hmac|rsa\d*|aes\d*|pkcs\d*|jwt|utf\d*|base\d+|aws\d?|gcp|k8s|s3|ec2|http\d?|ipv\d|es\d+|v\d+|alpha\d*|beta\d*)$/i;

/** Letters that change case in the middle of a word or pile up consonants. */
export function isJumble(text: string): boolean {
  const value = headOf(text);
  if (value.length < 8 || !/[A-Za-z]/.test(value)) return false;
  if ((!/[a-z]/.test(value) || !/[A-Z]/.test(value)) && !/[A-Za-z]{12}/.test(value)) return false;
  const words = shareOf(value, (word) => isWord(word, 3));
  // Names have few words of one or two letters.
  return words - (value.length < 16 ? 0 : shareOf(value, (word) => word.length < 3)) < 0.5;
}

function isWord(text: string, charsMin: number): boolean {
  return (
    text.length >= charsMin &&
    /^[A-Za-z]+$/.test(text) &&
    /[aeiouy]/i.test(text) &&
    !/[^aeiouy]{5}/i.test(text) &&
    readsLikeWord(text)
  );
}

/** How much of a value stands in words of a kind. Words begin at a capital, after a sign, and at letters after a number. */
function shareOf(value: string, isKind: (word: string) => boolean): number {
  const words = value.split(
    /[^A-Za-z0-9]+|(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|(?<=\d)(?=[a-z]{4})/,
  );
  let all = 0;
  let kind = 0;
  for (const word of words) {
    all += word.length;
    if (isKind(word)) kind += word.length;
  }
  return all === 0 ? 0 : kind / all;
}
