/** Sentences in which a secret is said, and sentences about secrets in which none is. Secrets are in pieces, so that none is written here. */
export interface Said {
  /** SECRET stands where it is said. */
  readonly words: string;
  readonly secret: string;
  readonly rule: 'spoken-password' | 'spoken-secret';
}

const chosen = ['hunter2', 'Blue!42'].join('');
const season = ['Winter77', 'Kite'].join('');
const signed = ['Rain4ever', '!now'].join('');
const small = ['kitten', '99cat'].join('');
const unspaced = ['correct', '!horse'].join('');
const drawn = ['correct horse', 'battery staple'].join(' ');
const random = ['kJ8sL2', 'mN4pQ6'].join('');
const hex = ['9f8a7b6c', '5d4e3f2a'].join('');

const passwords = [
  ['The db password is SECRET', chosen],
  ['my password for staging is "SECRET", do not commit it.', season],
  ['The password was SECRET.', signed],
  ['the password is now: SECRET', small],
  ['Passphrase of the old key is `SECRET`', unspaced],
  ['the password for the staging database: SECRET', season],
  ['the passcode to the vault is SECRET!', chosen],
  ['login ada, pwd is SECRET', chosen],
  ['Das Passwort lautet SECRET, aber niemals einchecken.', ['Sommer2026', '!xyz'].join('')],
  ['Das Kennwort für den Server ist SECRET.', chosen],
  ['Der Zugangscode lautet SECRET', season],
  ['Le mot de passe est SECRET', signed],
  ['mot de passe : SECRET', chosen],
  ['Le mot de passe pour la base est "SECRET".', season],
  ['La contraseña es SECRET.', chosen],
  ['contraseña de la base: SECRET', season],
  ['la clave es SECRET', signed],
  ['la clave de API es SECRET', random],
  ['La password è SECRET', chosen],
  ["La parola d'ordine è SECRET", season],
  ['pw: SECRET', chosen],
  ['The pw for staging is SECRET.', season],
  ['the login is ada / SECRET', chosen],
  ['Log in with ada@example.com and SECRET, then look at the queue.', season],
  ['creds for staging: ada:SECRET', signed],
  ['Zugangsdaten: ada / SECRET', small],
  ['the passphrase is "SECRET"', drawn],
  ['seed phrase: `SECRET`', drawn],
] as const;

const secrets = [
  ['the api key is SECRET', random],
  ['api key for the mailer: SECRET', hex],
  ['Use this: access key = SECRET', random],
  ['The token for CI is SECRET.', random],
  ['their secret was SECRET', hex],
  ['Der API-Schlüssel lautet SECRET', random],
  ['Der Token ist jetzt SECRET', hex],
  ["La clé d'API est SECRET", random],
  ['le jeton est SECRET', hex],
  ['el token es SECRET', hex],
  ['la chiave API è SECRET', random],
  ['il segreto è SECRET', hex],
] as const;

export const saidSecrets: readonly Said[] = [
  ...passwords.map(([words, secret]) => ({ words, secret, rule: 'spoken-password' as const })),
  ...secrets.map(([words, secret]) => ({ words, secret, rule: 'spoken-secret' as const })),
];

export const aboutSecrets: readonly string[] = [
  'The password is required.',
  'The password is base64-encoded and the hash is SHA256.',
  'the password is SHA256-hashed before it is stored',
  'A passphrase is at-least-12-characters long.',
  'The password is read from $DB_PASSWORD1 at start.',
  'the token is stored in localStorage',
  'the password is hashed with argon2id',
  'the password is argon2id-hashed, the pepper is not',
  'the password hash is Argon2id',
  'The password is Argon2id with 64MB.',
  'the secret is passed as process.env.SECRET',
  'the secret is process.env.SECRET_V2 here',
  'token: string',
  'const token: Token2 = parse(text)',
  'the token is RS256-signed and expires in 3600seconds',
  'the secret is 32-byte-hex, made by openssl',
  'The access key is deprecated; use roles.',
  'the api key is read_from_env2 and nowhere else',
  'the api key for the mailer: see https://example.com/keys/2024',
  'the token is sent to ada@example.com',
  'The token is ada@example.com in this log.',
  'the password is /run/secrets/db2 in the container',
  'the password is ./config/local2.json',
  'The token is undefined2 in older versions',
  'token is tokenizer.next2()',
  'The pin is connected to GPIO17',
  'tests that pass is all we need: 12of12',
  'Das Passwort ist erforderlich.',
  'Das Passwort ist SHA256-verschluesselt.',
  'Der Schlüssel ist eindeutig: user_id2',
  'Der Schlüssel ist primary-key-2 der Tabelle',
  'Le mot de passe est obligatoire.',
  'Le mot de passe est chiffré avec bcrypt.',
  'le jeton est expiré depuis 24heures',
  'La contraseña es obligatoria.',
  'la clave es importante para el rendimiento',
  'la clave primaria es user_id_2',
  'La password è obbligatoria.',
  'la chiave è il nome: tabella_utenti2',
  'the secret of good prose is rewriting',
  'A token is about 4characters of English.',
  'const pw = measure(page2)',
  'pw = page2.width',
  'The login is handled in src/auth/login2.ts',
  'log in with ada and wait for the 2nd prompt',
  'Log in as admin / user2 to see the difference',
  'login: POST /api/v2/session',
  'credentials: user / password',
  'creds: aws / gcp / azure',
  'the password is "not long enough for this"',
  'The error says: password was "missing from the request body"',
  'password: "must have eight letters"',
];
