/**
 * A secret that somebody says in a sentence: `The db password is …`, `Das Passwort für staging lautet …`, `Le mot de passe est …`,
 * `la contraseña es …`, `la chiave API è …`, `api key for the mailer: …`.
 *
 * What stands right behind a single name and a colon or an equals sign is an assignment, and judged there.
 */
import { wordGlance } from '../scan/glance.ts';
import { isDrawn, isPasswordLooking, isRandomLooking } from '../plausible.ts';
import { patternRule, wordStart, type SecretRule } from '../rule.ts';

/** As byte strings have it. */
const bytes = (text: string): string => Buffer.from(text).toString('latin1');

const gap = '[ \\t]';
const ofWhat = 'for|of|to|on|in|für|zu|zum|zur|von|vom|des|der|pour|de|du|del|della|para|per|di|al|en'.split(
  '|',
);
const whose = bytes(`${gap}(?:${ofWhat.join('|')})(?:${gap}[^ \\t\\r:=]{1,30}){1,4}?`);
const isWhat = 'is|was|ist|war|lautet|est|es|era|è'.split('|');
const willBe = 'must|should|has to|will'.split('|');
const says = bytes(
  `${gap}(?:${isWhat.join('|')}|(?:${willBe.join('|')}) be)(?:${gap}(?:now|still|currently|jetzt|nun|maintenant|ahora|ora|adesso))?:?${gap}{1,2}`,
);
/** The first word behind a name that somebody speaks of. */
const glance = wordGlance([...ofWhat, ...isWhat, ...willBe].flatMap((words) => /^[a-z]+/.exec(words) ?? []));
const sign = `${gap}?[:=]${gap}{0,2}`;
/** Behind one word that programs use too a sign is an assignment; behind several it is not. */
const afterWord = `(?:${says}|${whose}(?:${says}|${sign}))`;
const afterWords = `(?:${whose})?(?:${says}|${sign})`;
const value = `[^ \\t\\r"'\`\\\\,;<>(){}]{7,127}[^ \\t\\r"'\`\\\\,;:.<>(){}](?=[ \\t\\r"'\`\\\\,;:.)}]|$)`;

function spoken(
  id: string,
  nouns: readonly [anchors: readonly string[], pattern: string],
  rest: Rest,
): SecretRule {
  const [anchors, noun] = nouns;
  const pattern = `((?:${bytes(noun)})${rest.words ? afterWords : afterWord}["'\`*]{0,2})(${value})`;
  const quick = rest.words ? {} : { glance };
  return patternRule(id, anchors.map(bytes), pattern, { fold: true, accept: rest.accept, ...quick });
}

interface Rest {
  /** The name is one that no program has. */
  readonly words: boolean;
  readonly accept: (value: string) => boolean;
}

const passwords = 'spoken-password';
const secrets = 'spoken-secret';

export const spokenRules: readonly SecretRule[] = [
  spoken(
    passwords,
    [['password', 'passwort', 'passphrase', 'passcode', 'kennwort'], 'pass(?:wor[dt]|phrase|code)|kennwort'],
    { words: false, accept: isChosen },
  ),
  // Whatever signs are in it, if chance has made it.
  patternRule(
    passwords,
    ['password', 'passwort', 'passphrase', 'passcode', 'kennwort'],
    `((?:pass(?:wor[dt]|phrase|code)|kennwort)(?:${whose})?${says}["'\`*]{0,2})([^ \\t\\r]{7,127}[^ \\t\\r"'\`*.,;:)])`,
    { fold: true, glance, accept: isDrawnPassword },
  ),
  spoken(passwords, [['pwd', 'pass', 'pin'], `${wordStart}(?:pwd|pass|pin)`], {
    words: false,
    accept: isChosen,
  }),
  spoken(passwords, [['pw: ', 'pw '], `${wordStart}pw`], { words: true, accept: isChosen }),
  // `The login is ada / …`, `log in with ada:…`
  patternRule(
    passwords,
    [
      'login',
      'log in',
      'sign in',
      'credentials',
      'creds',
      'zugang',
      'identifiants',
      'credencial',
      'credenzial',
    ].map(bytes),
    `((?:log ?in|sign in|credentials|creds|zugang(?:sdaten)?|identifiants|credenciales|credenziali)(?:${whose})?(?:${says}|${sign}|${gap}(?:with|as|using|mit|avec|con)${gap})["'\`*]{0,2}[A-Za-z0-9._@+-]{2,64}["'\`*]{0,2}(?:${gap}{0,2}[/:|]${gap}{0,2}|,?${gap}(?:and|und|et|y|e)${gap})["'\`*]{0,2})(${value})`,
    { fold: true, accept: isChosen },
  ),
  // Several words, which only quotation marks tell from the rest of a sentence.
  patternRule(
    passwords,
    ['passphrase', 'password', 'seed phrase', 'recovery phrase', 'mnemonic'],
    `((?:passphrase|password|seed phrase|recovery phrase|mnemonic)(?:${whose})?(?:${says}|${sign})\\\\?["\`'])([a-z]{3,12}(?:[ -][a-z]{3,12}){3,23})(?=\\\\?["\`'])`,
    { fold: true, accept: isWordByWord },
  ),
  spoken(
    passwords,
    [
      ['mot de passe', 'contrase', "parola d'ordine", 'clave ', 'zugangscode'],
      `mot de passe|contrase(?:ñ|n)a|parola d'ordine|${wordStart}clave|zugangscode`,
    ],
    { words: true, accept: isChosen },
  ),
  spoken(secrets, [['token', 'secret', 'apikey'], 'token|secret|apikey'], {
    words: false,
    accept: isUnlikelyWord,
  }),
  spoken(
    secrets,
    [
      ['api key', 'api-key', 'access key', 'access-key', 'secret key', 'schlüssel', 'schluessel'],
      '(?:api|access|secret)[ -]key|schl(?:ü|ue)ssel',
    ],
    { words: true, accept: isUnlikelyWord },
  ),
  spoken(
    secrets,
    [
      ['clé ', 'jeton', 'chiave ', 'segreto'],
      `clé (?:d'|de )?(?:api|accès)|${wordStart}jeton|chiave (?:d'|di )?(?:api|accesso)|${wordStart}segreto`,
    ],
    { words: true, accept: isUnlikelyWord },
  ),
];

const strongSign = /[!#$%^&*?~+=]/;

/** What people choose: letters and digits, or a sign among letters. In a sentence about passwords most words are none. */
function isChosen(value: string): boolean {
  if (!isPasswordLooking(value) || !/[A-Za-z]/.test(value) || isPhrase(value) || isAddress(value))
    return false;
  if (strongSign.test(value)) return /\d/.test(value) || /[A-Za-z][!#$%^&*?~+]+[A-Za-z]/.test(value);
  if (!/\d/.test(value) || /[-_/.:\\]/.test(value)) return false;
  return (/[A-Z]/.test(value) && /[a-z]/.test(value)) || (value.match(/\d/g) ?? []).length > 1;
}

function isDrawnPassword(value: string): boolean {
  const isWords = isPhrase(value) && !/^[A-Za-z]{14,}$/.test(value);
  return isDrawn(value) && isPasswordLooking(value) && !isWords && !isAddress(value);
}

/** Words drawn by chance have none of those that make a sentence. */
function isWordByWord(words: string): boolean {
  return !/(?:^|[ -])(?:the|and|for|not|you|your|must|may|can|cannot|should|has|have|had|was|were|are|with|from|too|into|this|that|least|wrong|invalid|required|empty|incorrect|missing|expired)(?:$|[ -])/i.test(
    words,
  );
}

/** Tokens and keys are spoken of more than they are said, and nobody chooses them. */
function isUnlikelyWord(value: string): boolean {
  if (!isRandomLooking(value) || !/[A-Za-z]/.test(value) || !/\d/.test(value)) return false;
  return !isPhrase(value) && !isAddress(value) && (strongSign.test(value) || !/[/.:\\]/.test(value));
}

const technical =
  /^(?:argon2(?:id|i|d)?|(?:b|s)crypt\w*|pbkdf2\w*|sha\d*|md\d|hmac\w*|aes\d*\w*|rsa\d*|ed25519|x25519|ecdsa\w*|secp\d+\w*|base\d+\w*|utf\d+\w*|oauth\d*|[erhp]s\d{3}k?|ipv\d|https?\d?|tls\d*|k8s|s3|ec2|x509|pkcs\d*|uuid(?:v?\d)?|v\d+|u?int\d+|float\d+|auth0|1password\d?|totp\d*|\d+(?:bits?|bytes?|chars?|characters?|digits?|letters?|days?|hours?|minutes?|min|ms|[kmg]b))$/i;

/** `at-least-12-characters`, `SHA256-hashed`, `32-byte-hex`: words, numbers and names of techniques. */
function isPhrase(value: string): boolean {
  return value
    .split(/[-_/.:+]+/)
    .every((part) => part === '' || /^(?:[A-Za-z]{2,}|\d{1,4})$/.test(part) || technical.test(part));
}

/** `ada@example.com`, `deploy@host1:22`; with a second sign it is a password. */
function isAddress(value: string): boolean {
  return /^[\w.+-]+@[\w.-]+(?::\d+)?$/.test(value) && !/^\w*\d\w*@\w*\d\w*$/.test(value);
}
