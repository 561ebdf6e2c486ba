/** Credentials in the headers of a request or an answer, as logs, curl commands and code write them. */
import { nameGlance, spaceGlance } from '../scan/glance.ts';
import { hasBothCases, isJumble, isMadeOfCommonWords, isMixed, isNameLike, isStandIn } from '../plausible.ts';
import { patternRule, type SecretRule, type Span } from '../rule.ts';

const cookieValue = `[^ \\t\\r;,="'\`\\\\]`;
const cookiePair = `[\\w.$-]{1,128}=${cookieValue}{0,4096}={0,2}`;

export const headerRules: readonly SecretRule[] = [
  patternRule('bearer-token', ['bearer'], '(bearer(?:[ \\t]token)?:?[ \\t\\r]{1,4})([\\w.~+/-]{16,}={0,2})', {
    fold: true,
    glance: bearerGlance,
    accept: isToken,
  }),
  patternRule('basic-credentials', ['basic'], '(basic[ \\t\\r]{1,4})([A-Za-z0-9+/]{8,}={0,2})', {
    fold: true,
    glance: spaceGlance,
    accept: holdsPassword,
  }),
  patternRule(
    'authorization',
    ['authorization'],
    '(authorization["\'`\\]]{0,2}[ \\t\\r]{0,4}(?::|=|,|=>)[ \\t\\r]{0,4}["\'`]?(?:(?:token|apikey|key|negotiate|digest)[ \\t\\r]{1,4})?)([\\w.~+/-]{16,}={0,2})(?![\\w.~+/-]|[([])',
    { fold: true, glance: nameGlance, accept: isToken },
  ),
  // Where the header's name says what it is, a short one will do.
  patternRule(
    'bearer-token',
    ['authorization'],
    '(authorization["\'`\\]]{0,2}[ \\t\\r]{0,4}(?::|=|,|=>)[ \\t\\r]{0,4}["\'`]?(?:bearer|token)[ \\t\\r]{1,4})([\\w.~+/-]{8,15}={0,2})(?![\\w.~+/-]|[([])',
    { fold: true, glance: nameGlance, accept: (token) => isToken(token) && !isMadeOfCommonWords(token) },
  ),
  // Of Docker's settings: base64 of `user:password`.
  patternRule(
    'basic-credentials',
    ['auth"', 'auth:', 'auth\\'],
    '(?<![\\w-])(auth["\'`]?[ \\t\\r]{0,4}:[ \\t\\r]{0,4}["\'`]?)([A-Za-z0-9+/]{8,}={0,2})(?![A-Za-z0-9+/=])',
    { accept: holdsPassword },
  ),
  // All that a client sends, but of an answer only the first value: the rest are its attributes.
  patternRule(
    'cookie',
    ['set-cookie'],
    `(set-cookie["'\`\\]]{0,2}[ \\t\\r]{0,4}[:=,][ \\t\\r]{0,4}["'\`]?[\\w.$-]{1,128}=)(${cookieValue}{16,4096}={0,2})`,
    {
      fold: true,
      glance: nameGlance,
      accept: isToken,
    },
  ),
  patternRule(
    'cookie',
    ['cookie'],
    `(?<!set-)(cookie["'\`\\]]{0,2}[ \\t\\r]{0,4}[:=,][ \\t\\r]{0,4}["'\`]?)(${cookiePair}(?:;[ \\t\\r]{0,2}${cookiePair}){0,64})`,
    {
      fold: true,
      glance: nameGlance,
      accept: (cookies) => cookies.split(';').some(isSession),
    },
  ),
  patternRule(
    'netrc-password',
    ['password '],
    '(?:(?<=login[ \\t\\r]{1,4}[^ \\t\\r]{1,128}[ \\t\\r]{1,8})|(?<=^[ \\t\\r+-]*))(password[ \\t\\r]{1,8})([^ \\t\\r]{6,256})(?=[ \\t\\r]|$)',
    {
      accept: (password) => (isMixed(password) || isJumble(password)) && !isStandIn(password),
    },
  ),
];

/** The token may stand on the next line. */
function bearerGlance(bytes: Uint8Array, anchor: Span): boolean {
  const next = bytes[anchor.end];
  return next === undefined || next === 0x0a || next === 0x0d || next === 0x3a || spaceGlance(bytes, anchor);
}

/** Base64 of `user:password`. */
function holdsPassword(encoded: string): boolean {
  const decoded = Buffer.from(encoded, 'base64').toString('latin1');
  const colon = decoded.indexOf(':');
  return (
    colon !== -1 &&
    /^[\x20-\x7e]+$/.test(decoded) &&
    decoded.length - colon > 4 &&
    !isStandIn(decoded.slice(colon + 1))
  );
}

/** The place says token; of what may stand there only a name in code is none. */
export function isToken(value: string): boolean {
  if (isStandIn(value) || !(isMixed(value) || isJumble(value))) return false;
  return !isNameLike(value) || (value.length >= 20 && /^[\w-]+$/.test(value) && hasBothCases(value));
}

function isSession(pair: string): boolean {
  const [name = '', value = ''] = pair.split(/=(.*)/s);
  return value.length >= (/sess|sid|auth|token/i.test(name) ? 8 : 16) && isToken(value);
}
