/** The forms in which programs and people write a value down. docs/reliability.md counts what is left in each. */
export interface Writing {
  readonly form: string;
  readonly names: readonly string[];
  /** A value as it is spelled in this form. */
  readonly spell: (value: string) => string;
  readonly write: (name: string, spelled: string) => string;
  /** Which values can stand in it at all. */
  readonly isFor?: (value: string) => boolean;
}

const envNames = ['DB_PASSWORD', 'SECRET_KEY', 'API_TOKEN', 'SECRET_KEY_BASE', 'SMTP_PASS', 'CLIENT_SECRET'];
const snakeNames = ['db_password', 'secret_key', 'api_token', 'secret_key_base', 'smtp_pass', 'password'];
const camelNames = ['password', 'secretKey', 'apiToken', 'clientSecret', 'dbPassword', 'accessToken'];
const xmlNames = ['password', 'dbPassword', 'apiToken'];
const optionNames = ['password', 'api-token'];

const asItIs = (value: string): string => value;

/** As Python's shlex.quote does it. */
function shellQuoted(value: string): string {
  return /^[\w@%+=:,./-]+$/.test(value) ? value : `'${value.replaceAll("'", `'"'"'`)}'`;
}

/** Plain where YAML allows it, as its writers do. */
function yaml(value: string): string {
  const isPlain = /^[A-Za-z0-9_./+(^$~=;<][^\s#:"'`,[\]{}&*!|>%@]*$/.test(value) && !/^\d+$/.test(value);
  return isPlain ? value : `'${value.replaceAll("'", "''")}'`;
}

function xml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

function literal(value: string): string {
  const quote = value.includes("'") && !value.includes('"') ? '"' : "'";
  return quote + value.replaceAll('\\', '\\\\').replaceAll(quote, `\\${quote}`) + quote;
}

function percent(value: string): string {
  return encodeURIComponent(value).replace(/[!'()*]/g, (one) => `%${one.charCodeAt(0).toString(16)}`);
}

const json = (value: string): string => JSON.stringify(value);
const inner = (text: string): string => JSON.stringify(text).slice(1, -1);
const isBare = (value: string): boolean => !/^["'`]|[ \t]/.test(value);
const isWithout = (signs: string) => (value: string) =>
  !Array.from(signs).some((sign) => value.includes(sign));

export const writings: readonly Writing[] = [
  { form: 'NAME=value in a shell', names: envNames, spell: shellQuoted, write: (n, v) => `${n}=${v} ./run` },
  { form: 'export NAME=value', names: envNames, spell: shellQuoted, write: (n, v) => `export ${n}=${v}` },
  {
    form: 'NAME="value"',
    names: envNames,
    spell: (value) => value.replace(/["\\$`]/g, '\\$&'),
    write: (n, v) => `${n}="${v}"`,
  },
  {
    form: '.env',
    names: envNames,
    spell: asItIs,
    write: (n, v) => `PORT=80\n${n}=${v}\nHOST=db`,
    isFor: isBare,
  },
  {
    form: '.env behind cat -n',
    names: envNames,
    spell: asItIs,
    write: (n, v) => `     1\tPORT=80\n     2\t${n}=${v}\n     3\tHOST=db`,
    isFor: isBare,
  },
  {
    form: '.env behind grep -n',
    names: envNames,
    spell: asItIs,
    write: (n, v) => `app/.env:7:${n}=${v}`,
    isFor: isBare,
  },
  {
    form: '.env behind an arrow',
    names: envNames,
    spell: asItIs,
    write: (n, v) => `     1→PORT=80\n     2→${n}=${v}\n     3→HOST=db`,
    isFor: isBare,
  },
  {
    form: '.env behind a bar',
    names: envNames,
    spell: asItIs,
    write: (n, v) => `  2 | ${n}=${v}`,
    isFor: isBare,
  },
  {
    form: '.env in JSON',
    names: envNames,
    spell: inner,
    write: (n, v) => `{"content":"PORT=80\\n${n}=${v}\\n"}`,
    isFor: isBare,
  },
  {
    form: 'properties',
    names: ['db.password', 'api.token'],
    spell: asItIs,
    write: (n, v) => `${n}=${v}`,
    isFor: (value) => isBare(value) && !value.includes('\\'),
  },
  {
    form: 'YAML behind grep -n',
    names: snakeNames,
    spell: yaml,
    write: (n, v) => `db.yml:4:  ${n}: ${v}`,
  },
  { form: 'YAML', names: snakeNames, spell: yaml, write: (n, v) => `db:\n  ${n}: ${v}\n  port: 1` },
  { form: 'YAML, upper case', names: envNames, spell: yaml, write: (n, v) => `env:\n  ${n}: ${v}\n` },
  { form: 'YAML, double quotes', names: snakeNames, spell: json, write: (n, v) => `${n}: ${v}\n` },
  { form: 'JSON', names: camelNames, spell: json, write: (n, v) => `{"user":"app","${n}":${v},"port":1}` },
  { form: 'JSON over lines', names: snakeNames, spell: json, write: (n, v) => `{\n  "${n}": ${v}\n}` },
  {
    form: 'JSON in JSON',
    names: camelNames,
    spell: (value) => inner(json(value)),
    write: (n, v) => `{"stdout":"{\\"user\\":\\"app\\",\\"${n}\\":${v}}"}`,
  },
  { form: 'Python', names: [...envNames, ...snakeNames], spell: literal, write: (n, v) => `${n} = ${v}` },
  {
    form: 'Python argument',
    names: snakeNames,
    spell: literal,
    write: (n, v) => `connect("db", ${n}=${v}, port=1)`,
  },
  { form: 'TOML', names: snakeNames, spell: json, write: (n, v) => `${n} = ${v}` },
  { form: 'JavaScript', names: camelNames, spell: literal, write: (n, v) => `const ${n} = ${v};` },
  {
    form: 'JavaScript object',
    names: camelNames,
    spell: literal,
    write: (n, v) => `  { ${n}: ${v}, retries: 1 },`,
  },
  { form: 'Ruby', names: snakeNames, spell: literal, write: (n, v) => `  config.${n} = ${v}` },
  { form: 'XML element', names: xmlNames, spell: xml, write: (n, v) => `  <${n}>${v}</${n}>` },
  { form: 'XML attribute', names: xmlNames, spell: xml, write: (n, v) => `<server host="db" ${n}="${v}" />` },
  {
    form: 'INI',
    names: snakeNames,
    spell: asItIs,
    write: (n, v) => `[client]\nuser = app\n${n} = ${v}\nhost = db\n`,
    isFor: isBare,
  },
  {
    form: 'INI behind cat -n',
    names: snakeNames,
    spell: asItIs,
    write: (n, v) => `     1\t[client]\n     2\t${n} = ${v}\n`,
    isFor: isBare,
  },
  {
    form: 'INI behind grep -n',
    names: snakeNames,
    spell: asItIs,
    write: (n, v) => `alembic.ini:3:${n} = ${v}`,
    isFor: isBare,
  },
  { form: 'aligned', names: snakeNames, spell: json, write: (n, v) => `  ${n.padEnd(28)} = ${v}` },
  { form: 'YAML, aligned', names: snakeNames, spell: yaml, write: (n, v) => `${n}:            ${v}` },
  {
    form: 'default in JavaScript',
    names: envNames,
    spell: json,
    write: (n, v) => `const secret = process.env.${n} || ${v};`,
  },
  {
    form: 'default in Python',
    names: envNames,
    spell: json,
    write: (n, v) => `os.environ.get("${n}", ${v})`,
  },
  {
    form: 'default in a shell',
    names: envNames,
    spell: asItIs,
    write: (n, v) => `${n}=\${${n}:-${v}}`,
    isFor: (value) => isBare(value) && !/["'}$`\\]/.test(value),
  },
  {
    form: 'row of a table',
    names: envNames,
    spell: asItIs,
    write: (n, v) => `| ${n} | \`${v}\` |`,
    isFor: isWithout('`|'),
  },
  {
    form: 'bold name',
    names: ['Password', 'Token'],
    spell: asItIs,
    write: (n, v) => `**${n}:** \`${v}\``,
    isFor: isWithout('`'),
  },
  {
    form: 'CSV',
    names: snakeNames,
    spell: (value) => (/[",]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value),
    write: (n, v) => `user,${n},id\nann,${v},7\n`,
  },
  {
    form: 'property list',
    names: ['Password', 'apiToken'],
    spell: xml,
    write: (n, v) => `<key>${n}</key>\n<string>${v}</string>`,
  },
  {
    form: 'XML over lines',
    names: xmlNames,
    spell: xml,
    write: (n, v) => `<${n}>\n  ${v}\n</${n}>`,
    isFor: isBare,
  },
  {
    form: 'Dockerfile',
    names: envNames,
    spell: asItIs,
    write: (n, v) => `FROM base\nENV ${n}=${v}\n`,
    isFor: isBare,
  },
  {
    form: 'set NAME=value',
    names: envNames,
    spell: asItIs,
    write: (n, v) => `set ${n}=${v}`,
    isFor: isBare,
  },
  {
    form: 'pair in quotes',
    names: [...envNames, ...snakeNames],
    spell: asItIs,
    write: (n, v) => `docker run -e '${n}=${v}' postgres`,
    isFor: isWithout("'"),
  },
  {
    form: 'connection string',
    names: ['Password', 'Pwd'],
    spell: asItIs,
    write: (n, v) => `"Server=db;User Id=app;${n}=${v};Database=x"`,
    isFor: isWithout('";'),
  },
  {
    form: 'name and value over lines',
    names: envNames,
    spell: json,
    write: (n, v) => `        - name: ${n}\n          value: ${v}`,
  },
  {
    form: 'block of YAML',
    names: snakeNames,
    spell: asItIs,
    write: (n, v) => `${n}: >-\n  ${v}`,
    isFor: isBare,
  },
  {
    form: 'query',
    names: ['token', 'password'],
    spell: encodeURIComponent,
    write: (n, v) => `GET https://h.internal/x?user=1&${n}=${v}`,
  },
  {
    form: 'argument of a command',
    names: ['redis-cli -a', 'gh secret set DB_PASSWORD --body', 'az login -p', 'sshpass -p'],
    spell: asItIs,
    write: (n, v) => `${n} '${v}'`,
    isFor: isWithout("'"),
  },
  {
    form: 'URL',
    names: ['postgres', 'https'],
    spell: percent,
    write: (n, v) => `${n}://app:${v}@db.internal:5432/main`,
  },
  {
    form: '--option value',
    names: optionNames,
    spell: shellQuoted,
    write: (n, v) => `deploy --${n} ${v} --dry-run`,
  },
  {
    form: '--option=value',
    names: optionNames,
    spell: shellQuoted,
    write: (n, v) => `deploy --${n}=${v} --dry-run`,
  },
  {
    form: 'Authorization: Bearer',
    names: [''],
    spell: asItIs,
    write: (_, v) => `Authorization: Bearer ${v}`,
    isFor: (value) => /^[\w.~+/-]+=*$/.test(value),
  },
  {
    form: 'Authorization: Basic',
    names: [''],
    spell: (value) => Buffer.from(`app:${value}`).toString('base64'),
    write: (_, v) => `Authorization: Basic ${v}`,
  },
  {
    form: 'WordPress',
    names: ['AUTH_KEY', 'SECURE_AUTH_KEY', 'LOGGED_IN_KEY', 'NONCE_KEY', 'AUTH_SALT', 'NONCE_SALT'],
    spell: literal,
    write: (n, v) => `define( '${n}',${' '.repeat(18 - n.length)}${v} );`,
  },
  {
    form: 'setter',
    names: ['setPassword', 'setClientSecret', 'withPassword'],
    spell: json,
    write: (n, v) => `ds.${n}(${v});`,
  },
  {
    form: 'property in C#',
    names: ['Password', 'ApiToken'],
    spell: json,
    write: (n, v) => `public string ${n} { get; set; } = ${v};`,
  },
  {
    form: 'ConvertTo-SecureString',
    names: [''],
    spell: asItIs,
    write: (_, v) => `$p = ConvertTo-SecureString "${v}" -AsPlainText -Force`,
    isFor: isWithout('"$`'),
  },
  {
    form: 'set -x and setenv',
    names: ['set -x DB_PASSWORD', 'setenv DB_PASSWORD', 'set -gx SECRET_KEY'],
    spell: asItIs,
    write: (n, v) => `${n} '${v}'`,
    isFor: isWithout("'\\"),
  },
  { form: 'R', names: snakeNames, spell: json, write: (n, v) => `${n} <- ${v}` },
  {
    form: 'Clojure',
    names: ['password', 'db-password'],
    spell: json,
    write: (n, v) => `{:user "ada" :${n} ${v}}`,
  },
  {
    form: 'Gradle',
    names: ['storePassword', 'keyPassword'],
    spell: json,
    write: (n, v) => `    ${n} ${v}`,
  },
  {
    form: 'wpa_supplicant',
    names: ['psk'],
    spell: asItIs,
    write: (n, v) => `    ${n}="${v}"`,
    isFor: isWithout('"'),
  },
  {
    form: 'variable of Ansible',
    names: ['ansible_ssh_pass', 'ansible_become_pass'],
    spell: asItIs,
    write: (n, v) => `host1 ansible_host=10.0.0.1 ${n}=${v} ansible_user=ada`,
    isFor: isBare,
  },
  {
    form: 'requirepass',
    names: ['requirepass', 'masterauth'],
    spell: asItIs,
    write: (n, v) => `${n} ${v}`,
    isFor: isBare,
  },
  {
    form: 'Cookie',
    names: ['session', 'sid'],
    spell: asItIs,
    write: (n, v) => `Cookie: ${n}=${v}`,
    isFor: (value) => /^[\w.~+/-]+$/.test(value),
  },
  {
    form: '.pgpass',
    names: ['app', '*'],
    spell: (value) => value.replace(/[:\\]/g, '\\$&'),
    write: (n, v) => `db.internal:5432:main:${n}:${v}`,
    isFor: isWithout(' '),
  },
];
