/** Ways in which people and programs write a secret on one line, and what looks like them and is none. */
import { describe, expect, test } from 'vitest';
import { createRedactor } from '../../src/core/redact/redactor.ts';

const redactor = createRedactor({ key: Buffer.alloc(32, 3) });
const base64 = (text: string): string => Buffer.from(text).toString('base64');
const token = ['gh', 'p_', 'aZ3kP9xQ7mB1'.repeat(3)].join('');
const number = ['nWGxne_9WmC6hEr0kuwsx', 'ERJxWl7MmkZcDusAxyuf2A'].join('');
const factor = 'aZ3kP9xQ7mB1'.repeat(15).slice(0, 171);

/** What is written as its name in braces below. In pieces, so that nothing in this file is a secret. */
const secrets: Readonly<Record<string, string>> = {
  dollar: ['$ecret', 'Val99'].join(''),
  dollarSign: ['$ecret', '!Val'].join(''),
  mixed: ['s3cr3t', 'Val99'].join(''),
  and: ['s3cr3t', '&Val99'].join(''),
  short: ['s3cr3t', 'Val'].join(''),
  word: ['correct', 'horse'].join(''),
  sign: ['Tr', '!cky'].join(''),
  camel: ['Summer', 'Rain'].join(''),
  signed: ['correct', '!horse'].join(''),
  random: ['kJ8sL2', 'mN4pQ6'].join(''),
  nine: ['correct', '9horse'].join(''),
  hunter: ['hunter', '2x'].join(''),
  capital: ['Hunt', 'er2'].join(''),
  small: ['kk12', 'll34mm'].join(''),
  three: ['abc12', '&3xyz'].join(''),
  semicolon: ['kk22', ';LLzz99aa'].join(''),
  at: ['p@ss', 'Wo9'].join(''),
  atSign: ['pass9', '@ss'].join(''),
  webSign: ['xK9@', 'vv7Qz'].join(''),
};

function filled(text: string): string {
  return text.replaceAll(/\{([A-Za-z]+)\}/g, (whole, name: string) => secrets[name] ?? whole);
}

/** The text with an X for every placeholder. */
async function redacted(text: string): Promise<string> {
  const { value } = await redactor.text(text);
  expect((await redactor.text(value)).value).toBe(value);
  return value.replaceAll(/\[redacted:[a-z0-9-]+:[0-9a-f]{12}\]/g, 'X');
}

describe('found', () => {
  test.each([
    // Addresses: up to the last @ of the authority.
    ['postgres://u:{at}@host/db', 'postgres://u:X@host/db'],
    ['postgres://u:{atSign}@host/db', 'postgres://u:X@host/db'],
    ['https://deploy:{webSign}@internal.test/api', 'https://deploy:X@internal.test/api'],
    // Connection strings.
    ['Server=db;User Id=sa;Password={word};Encrypt=true', 'Server=db;User Id=sa;Password=X;Encrypt=true'],
    ['Pwd={sign};Uid=sa;Server=db', 'Pwd=X;Uid=sa;Server=db'],
    ['"Data Source=db; Password={camel}"', '"Data Source=db; Password=X"'],
    [
      '{"Default":"Server=db;User Id=sa;Password={camel};"}',
      '{"Default":"Server=db;User Id=sa;Password=X;"}',
    ],
    // Pairs.
    ["define('DB_PASSWORD', '{mixed}');", "define('DB_PASSWORD', 'X');"],
    ["define( 'DB_PASSWORD', '{signed}' );", "define( 'DB_PASSWORD', 'X' );"],
    ['["API_TOKEN", "{mixed}"]', '["API_TOKEN", "X"]'],
    ["env = [('DB_PASSWORD', '{mixed}')]", "env = [('DB_PASSWORD', 'X')]"],
    ["new Map([['API_TOKEN', '{mixed}']])", "new Map([['API_TOKEN', 'X']])"],
    ['os.Setenv("API_TOKEN", "{mixed}")', 'os.Setenv("API_TOKEN", "X")'],
    ["run(['mysql', '--password', '{mixed}'])", "run(['mysql', '--password', 'X'])"],
    ['- { name: DB_PASSWORD, value: {mixed} }', '- { name: DB_PASSWORD, value: X }'],
    ["{ name: 'DB_PASSWORD', value: '{word}' },", "{ name: 'DB_PASSWORD', value: 'X' },"],
    ['<add key="ApiToken" value="{random}" />', '<add key="ApiToken" value="X" />'],
    ['ENV API_TOKEN {mixed}', 'ENV API_TOKEN X'],
    ['+ENV DB_PASSWORD "{nine}"', '+ENV DB_PASSWORD "X"'],
    ['API_TOKEN ?= {mixed}', 'API_TOKEN ?= X'],
    ['export API_TOKEN := {mixed}', 'export API_TOKEN := X'],
    ['DB_PASSWORD?={hunter}', 'DB_PASSWORD?=X'],
    // A dollar that begins no variable.
    ['PASSWORD={dollar}', 'PASSWORD=X'],
    ["PASSWORD='{dollar}'", "PASSWORD='X'"],
    ["password: '{dollarSign}'", "password: 'X'"],
    // Headers and commands.
    ['Authorization: Bearer {mixed}', 'Authorization: Bearer X'],
    [
      "curl -H 'Authorization: Bearer {small}' https://x.test",
      "curl -H 'Authorization: Bearer X' https://x.test",
    ],
    ['{"Authorization":"Bearer {small}"}', '{"Authorization":"Bearer X"}'],
    ['sshpass -p {mixed} ssh u@h', 'sshpass -p X ssh u@h'],
    ["sshpass -v -p '{capital}' ssh u@h", "sshpass -v -p 'X' ssh u@h"],
    ['sshpass -p{hunter} ssh u@h', 'sshpass -pX ssh u@h'],
    ['mysql -uroot -p{mixed} app', 'mysql -uroot -pX app'],
    ['docker login -u ada -p {mixed} registry.test', 'docker login -u ada -p X registry.test'],
    ["helm registry login r.test -u ada -p '{signed}'", "helm registry login r.test -u ada -p 'X'"],
    [
      'echo {mixed} | docker login -u ada --password-stdin r.test',
      'echo X | docker login -u ada --password-stdin r.test',
    ],
    ["printf '%s' '{hunter}' | sudo -S apt-get update", "printf '%s' 'X' | sudo -S apt-get update"],
    ['echo -n "{small}" | gpg --batch --passphrase-fd 0 x', 'echo -n "X" | gpg --batch --passphrase-fd 0 x'],
    ['echo "{word}" | gh auth login --with-token', 'echo "X" | gh auth login --with-token'],
    [
      JSON.stringify({ command: 'echo "{hunter}" | sudo -k -S true' }),
      JSON.stringify({ command: 'echo "X" | sudo -k -S true' }),
    ],
    ['docker login -u ada --password-stdin <<< "{mixed}"', 'docker login -u ada --password-stdin <<< "X"'],
    ["/usr/bin/mysqldump -u root -p'{hunter}' app > x.sql", "/usr/bin/mysqldump -u root -p'X' app > x.sql"],
    ['redis-cli -h db -a {mixed} ping', 'redis-cli -h db -a X ping'],
    ['curl -u user:{short} https://x.test', 'curl -u user:X https://x.test'],
    ['curl -uuser:{short} https://x.test', 'curl -uuser:X https://x.test'],
    ['curl -X POST -sSu "user:{short}" https://x.test', 'curl -X POST -sSu "user:X" https://x.test'],
    ['curl --user=user:{short} https://x.test', 'curl --user=user:X https://x.test'],
    [
      `{"auths":{"https://h.test":{"auth":"${base64(filled('bob:{hunter}'))}"}}}`,
      '{"auths":{"https://h.test":{"auth":"X"}}}',
    ],
    [`      "auth": "${base64(filled('bob:{hunter}'))}"`, '      "auth": "X"'],
    // JSON web keys.
    [`{"kty":"OKP","crv":"Ed25519","d":"${number}"}`, '{"kty":"OKP","crv":"Ed25519","d":"X"}'],
    [`  "d": "${number}",`, '  "d": "X",'],
    [`{"kty":"RSA","p":"${factor}","qi":"${factor}"}`, '{"kty":"RSA","p":"X","qi":"X"}'],
    [JSON.stringify({ out: `{"d":"${number}"}` }), JSON.stringify({ out: '{"d":"X"}' })],
    // What nobody sees.
    [`${token.slice(0, 10)}\u200b${token.slice(10)} x`, 'X x'],
    [`gh\u200dp_${token.slice(4)} x`, 'X x'],
    [`${token.slice(0, 10)}\u00ad${token.slice(10)} x`, 'X x'],
    [JSON.stringify({ a: `${token.slice(0, 10)}\u2060${token.slice(10)} x` }), '{"a":"X x"}'],
    [`{"a":"${token.slice(0, 10)}\\u200B${token.slice(10)} x"}`, '{"a":"X x"}'],
    // Of an .env file, where nothing is an operator.
    ['DB_PASSWORD={three}', 'DB_PASSWORD=X'],
    ['export DB_PASSWORD={and}', 'export DB_PASSWORD=X'],
    ['API_SECRET={semicolon}', 'API_SECRET=X'],
    ['DB_PASSWORD={mixed}&3', 'DB_PASSWORD=X'],
  ])('%s', async (text, outcome) => {
    expect(await redacted(filled(text))).toBe(outcome);
  });
});

describe('left', () => {
  test.each([
    'https://user:pass@example.com/a@b',
    'https://x.test:8080/@scope/pkg@1.2.3',
    'postgres://user:password@localhost/db',
    "'Server=db;Password=' + password + ';'",
    'Server=db;User Id=sa;Password={0};Encrypt=true',
    'Server=db;Uid=sa;Pwd=${DB_PWD};',
    'a=b;password=string;c=d',
    'form.username=x;form.password=y;',
    "define('DB_PASSWORD', getenv('DB_PASSWORD'))",
    "define('DB_PASSWORD', 'password_here')",
    "['API_TOKEN', 'GITHUB_TOKEN']",
    "['API_TOKEN', 'DB_PASSWORD2']",
    "required(['DB_PASSWORD', 'my-app-v2'])",
    '["API_TOKEN", "ACCOUNT_ID"]',
    '["--token", "--verbose"]',
    '["--password", "$DB_PASSWORD"]',
    "expect(['token', 'abc12345xyz'])",
    "{ name: 'DB_PASSWORD', value: dbPassword2 }",
    "{ name: 'password', value: 'string' }",
    '{"name":"password","value":"required"}',
    '<add key="DbPassword" value="#{DbPassword}" />',
    '- {name: DB_PASSWORD, valueFrom: {secretKeyRef: {name: db1, key: pw1}}}',
    'ENV API_TOKEN is not set',
    'ENV DB_PASSWORD ${DB_PASSWORD}',
    'ENV DB_PASSWORD changeme',
    'ENV TOKEN_FILE /run/secrets/token1',
    'API_TOKEN ?= $(shell cat token)',
    'API_TOKEN := $(TOKEN2)',
    'PASSWORD=$DB_PASSWORD',
    'PWD=/home/ada/Größe & Maß 2',
    'OLDPWD=/home/ada/a1b2c3d4e5f6',
    'DB_PASSWORD=/run/größe/db_pass2',
    'PASSWORD=$db_pass2word',
    "PASSWORD='$PASSWORD1'",
    'password: $dbPassword',
    '$password = $config2->password;',
    'TOKEN=$1',
    'password=$USER@host',
    'Authorization: Bearer token',
    'Authorization: Bearer test-token1',
    'Authorization: Bearer $TOKEN',
    'Bearer abc123def456 is short and stands alone',
    'sshpass -p "$PASS" ssh u@h',
    'sshpass -f file1 ssh u@h',
    'mysql -u root -p app1',
    'mysql -uroot -p$PASS app',
    'g++ -lmysqlclient -pthread2 x.cc',
    'docker run mysql -p3306:3306',
    'ssh login -p 2222 host',
    'docker login -u ada -p "$PASSWORD" r.test',
    'echo "$TOKEN" | docker login -u ada --password-stdin r.test',
    'echo done | tee log && read --stdin-filename x',
    'echo hello2 | eslint --stdin-filename x.ts',
    'echo hello2 | sudo tee /etc/x',
    'curl -u "$USER:$PASS" https://x.test',
    'curl -sSL -o out https://x.test:8080/y',
    'curl --user-agent Mozilla:5.0.1 x',
    '"auth": "basic"',
    `"auth": "${base64('hello world')}"`,
    `oauth: ${base64(filled('bob:{hunter}'))}`,
    '{"d":"M3 3h18v18H3z"}',
    `{"kty":"OKP","crv":"Ed25519","x":"${number}"}`,
    `{"d":"${number}1"}`,
    'a family \u{1f468}\u200d\u{1f469} with tokens: many',
    'MODE_TOKEN=on|off',
    'DB_PASSWORD=a&&b1c2d3',
  ])('%s', async (text) => {
    expect(await redacted(text)).toBe(text);
  });

  test.each([
    'curl -u ada:{long} https://x.test',
    'sshpass -p {long} ssh u@h',
    'mysql -uroot -p{long} app',
    'redis-cli -a {long} ping',
    'docker login -p {long} r.test',
    'echo {long} | docker login --password-stdin r.test',
    'docker login --password-stdin <<< {long}',
  ])('a value of any length is one value: %s', async (text) => {
    expect(await redacted(text.replace('{long}', 'aB3'.repeat(5000)))).toBe(text.replace('{long}', 'X'));
  });

  test('of a line with two assignments, the second', async () => {
    expect(await redacted(filled('API_TOKEN={mixed};DB_HOST=localhost9'))).toBe(
      'API_TOKEN=X;DB_HOST=localhost9',
    );
    expect(await redacted(filled('DB_PASSWORD={mixed}&'))).toBe('DB_PASSWORD=X&');
  });
});
