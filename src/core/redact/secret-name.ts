/**
 * Names under which secrets are kept: of variables, fields, headers, options. A name is split into words (`dbPassword`,
 * `DB_PASSWORD`, `db-password` are the same two); its last words decide, apart from words that only say which one it is.
 */

/** Every secret name and the sign after it contain one of these. */
export const nameAnchors = [
  'passw',
  'passphrase',
  'passcode',
  '_pass',
  // With what follows the name: most words that begin so are others.
  'pass:',
  'pass=',
  'pass"',
  "pass'",
  'pass\\',
  'pass>',
  'pass =',
  'pwd',
  'secret',
  'token',
  'credential',
  'apikey',
  'api_key',
  'api-key',
  'accesskey',
  'access_key',
  'access-key',
  'privatekey',
  'private_key',
  'private-key',
  'signingkey',
  'signing_key',
  'signing-key',
  'encryptionkey',
  'encryption_key',
  'encryption-key',
  'masterkey',
  'master_key',
  'master-key',
  'accountkey',
  'account_key',
  'account-key',
  'servicekey',
  'service_key',
  'service-key',
  'authkey',
  'auth_key',
  'auth-key',
  '_auth',
  'psk',
  'logged_in_key',
  'nonce_key',
  '_salt',
] as const;

const aloneNames = new Set([
  'password',
  'passwd',
  'passwort',
  'passphrase',
  'passcode',
  'pwd',
  'psk',
  'pgpassword',
  'secret',
  'token',
  'credential',
  'credentials',
  'apikey',
  'accesskey',
  'authtoken',
  'accesstoken',
  'secretkey',
  'privatekey',
]);
const keyKinds = new Set([
  'api',
  'access',
  'secret',
  'private',
  'signing',
  'encryption',
  'master',
  'account',
  'service',
  'auth',
]);
/** `next_token`, `pad_token`, `public_secret`: not what the last word alone would say. */
const harmlessBefore = new Set(
  'next previous prev page pagination continuation cursor sync resume cancel cancellation stop eos bos pad unk sep cls mask syntax first last start end begin open close current max min num total input output prompt completion cached public is has no not show hide toggle confirm forgot reset change validate check verify parse amz goog idempotency significant progress fencing effect single multi one two second third final render shadow by'.split(
    ' ',
  ),
);
export function isHarmlessWord(word: string): boolean {
  return harmlessBefore.has(word.toLowerCase());
}

/** Of the settings of WordPress; elsewhere most salts are no secrets. */
const wordPressNames = /^(?:(?:SECURE_)?AUTH|LOGGED_IN|NONCE)_(?:KEY|SALT)$/;
/** `USE_CREDENTIALS`: yes or no. */
const switches = /^(?:use|enable|disable|allow|require|skip|no|is|has)$/;
const suffixes =
  /^(?:\d+|v\d+|value|val|raw|text|plain|base64|b64|enc|encoded|prod|production|live|stage|staging|dev|development|test|testing|main|default|old|new|primary|secondary|backup|ci|here|base)$/;
const otherThings =
  /^(?:file|path|dir|url|uri|endpoint|host|name|names|id|ids|arn|type|types|kind|ttl|length|len|size|limit|count|max|min|expiry|expires|expiration|age|regex|pattern|field|param|parameter|header|prefix|suffix|env|version|hash|digest|policy|provider|manager|store|ref|reference|index|enabled|required|cache|mode|format|algorithm|alg|scope|scopes|usage|use|budget|s)$/;

export function nameWordsOf(name: string): string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
}

export function isEnvName(name: string): boolean {
  return /^[A-Z][A-Z0-9_]*$/.test(name);
}

/** The name of a password in the narrow sense, which people choose themselves. */
export function isPasswordName(name: string): boolean {
  return /pass(?:word|wd|phrase|code|$)|pwd|psk$/i.test(name);
}

const judgedMax = 2000;
const judgedNames = new Map<string, boolean>();

/** The same few names stand in every record of a transcript, so verdicts are remembered. */
export function isSecretName(name: string): boolean {
  let verdict = judgedNames.get(name);
  if (verdict !== undefined) return verdict;
  verdict = judge(name);
  if (judgedNames.size >= judgedMax) judgedNames.clear();
  judgedNames.set(name, verdict);
  return verdict;
}

/** The folder that a shell is in, or was in before. */
export function isFolderName(name: string): boolean {
  return name === 'PWD' || name === 'OLDPWD';
}

function judge(name: string): boolean {
  if (isFolderName(name)) return false;
  if (endsAsSecretName(name)) return true;
  const words = nameWordsOf(name);
  if (switches.test(words[0] ?? '')) return false;
  // In an environment variable the word may stand in the middle: DB_PASSWORD_REPORTING, SECRET_KEY_BASE.
  return (
    isEnvName(name) &&
    !otherThings.test(words.at(-1) ?? '') &&
    words.some((_, i) => endsInSecret(words.slice(0, i + 1), name))
  );
}

export function endsAsSecretName(name: string): boolean {
  if (wordPressNames.test(name)) return true;
  const words = nameWordsOf(name);
  if (words.length > 1 && switches.test(words[0] ?? '')) return false;
  while (words.length > 1 && suffixes.test(words.at(-1) ?? '')) words.pop();
  return endsInSecret(words, name);
}

function endsInSecret(words: readonly string[], name: string): boolean {
  const last = (words.at(-1) ?? '').replace(/\d+$/, '');
  const before = words.at(-2) ?? '';
  if (last === 'key') return keyKinds.has(before);
  if (last === 'auth') return name === '_auth';
  if (last === 'pass') return before === '' ? name === 'pass' : !harmlessBefore.has(before);
  return aloneNames.has(last) && !harmlessBefore.has(before);
}
