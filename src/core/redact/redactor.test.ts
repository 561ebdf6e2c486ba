import { describe, expect, test } from 'vitest';
import { isStaffettaError } from '../base/error.ts';
import { createRedactor } from './redactor.ts';

const key = Buffer.alloc(32, 1);
const redactor = createRedactor({ key });
const value = ['q8Zt', 'V2nL', '0pXw', 'R7kD'].join('');
const id = ['AK', 'IA', 'QWERTZUIOPASDFGH'].join('');
const mark = (rule: string): RegExp => new RegExp(`\\[redacted:${rule}:[0-9a-f]{12}\\]`);

async function shown(text: string): Promise<string> {
  return (await redactor.text(text)).value.replace(/:[0-9a-f]{12}\]/g, ']');
}

async function* failing(): AsyncGenerator<Uint8Array> {
  yield Buffer.from('first\n');
  throw new Error('gone');
}

async function readToEnd(stream: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const piece of stream) expect(piece.length).toBeGreaterThan(0);
}

describe('what is taken and what stays', () => {
  test.each([
    ['an assignment', `DB_PASSWORD=${value}`, 'DB_PASSWORD=[redacted:assigned-secret]'],
    [
      'a shell command',
      `export A_TOKEN='${value}' && run`,
      "export A_TOKEN='[redacted:assigned-secret]' && run",
    ],
    ['an option', `tool --password ${value} -v`, 'tool --password [redacted:assigned-secret] -v'],
    ['YAML', `  password: ${value}  # main`, '  password: [redacted:assigned-secret]  # main'],
    ['an ini file', `password = ${value}`, 'password = [redacted:assigned-secret]'],
    ['XML', `<password>${value}</password>`, '<password>[redacted:assigned-secret]</password>'],
    [
      'SQL',
      `CREATE USER a WITH PASSWORD '${value}';`,
      "CREATE USER a WITH PASSWORD '[redacted:assigned-secret]';",
    ],
    ['a map of PHP', `'password' => '${value}',`, "'password' => '[redacted:assigned-secret]',"],
    [
      'a typed constant',
      `const token: string = "${value}";`,
      'const token: string = "[redacted:assigned-secret]";',
    ],
    ['a query', `GET /?access_token=${value}&page=2`, 'GET /?access_token=[redacted:assigned-secret]&page=2'],
    [
      'a connection string',
      `Server=x;Password=${value};Port=1`,
      'Server=x;Password=[redacted:assigned-secret];Port=1',
    ],
    ['a URL', `https://ada:${value}@host.test/x`, 'https://ada:[redacted:url-password]@host.test/x'],
    [
      'a database without a user',
      `redis://:${value}@host.test/0`,
      'redis://:[redacted:url-password]@host.test/0',
    ],
    [
      'a token as the user of a URL',
      `https://${value}${value}@host.test/x`,
      'https://[redacted:url-password]@host.test/x',
    ],
    [
      'a header',
      `curl -H "Authorization: Bearer ${value}" x`,
      'curl -H "Authorization: Bearer [redacted:bearer-token]" x',
    ],
    ['a curl command', `curl -u ada:${value} https://x`, 'curl -u ada:[redacted:curl-password] https://x'],
    [
      'a .netrc file',
      `machine x login ada password ${value}`,
      'machine x login ada password [redacted:netrc-password]',
    ],
    [
      'a cookie of an answer',
      `Set-Cookie: sid=${value}; Path=/`,
      'Set-Cookie: sid=[redacted:cookie]; Path=/',
    ],
    ['a file name', `logs/${id}.txt`, 'logs/[redacted:aws-key-id].txt'],
    [
      'a JSON record',
      `{"user":"ada","password":"${value}"}`,
      '{"user":"ada","password":"[redacted:assigned-secret]"}',
    ],
    [
      'headers in JSON',
      `{"headers":{"x-api-key":"${value}"}}`,
      '{"headers":{"x-api-key":"[redacted:assigned-secret]"}}',
    ],
    [
      'a container in JSON',
      `{"name":"A_TOKEN","value":"${value}"}`,
      '{"name":"A_TOKEN","value":"[redacted:assigned-secret]"}',
    ],
    ['a name in JSON', `{"${id}":1}`, '{"[redacted:aws-key-id]":1}'],
  ])('%s', async (_what, text, expected) => {
    expect(await shown(text)).toBe(expected);
  });

  test.each([
    ['a type', 'password: string;'],
    ['a lookup', 'const token = config.get("token");'],
    ['a reference', 'DB_PASSWORD=${DB_PASSWORD}'],
    ['a comparison', 'if (token === "abc123def456") return;'],
    ['a count', '{"input_tokens":123456789,"output_tokens":5}'],
    ['a number under a secret name, which has no text to replace', '{"password": 12345678901234}'],
    ['an address without a password', 'https://host.test/a@b:c'],
    ['a manual', 'https://user:password@host.test/'],
    ['a public key', 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIH0Zk8m0 ada@host'],
    [
      'a certificate',
      '-----BEGIN CERTIFICATE-----\nMIIDdzCCAl+gAwIBAgIEAgAAuTANBgkqhkiG9w0BAQUFADBa\n-----END CERTIFICATE-----',
    ],
  ])('%s stays', async (_what, text) => {
    expect((await redactor.text(text)).value).toBe(text);
  });
});

describe('placeholders', () => {
  test('name the rule and the secret, whatever it looked like', async () => {
    const forms = [
      `DB_PASSWORD=${value}`,
      `{"password":"\\u00${value.charCodeAt(0).toString(16)}${value.slice(1)}"}`,
      `?password%3D${value}`,
    ];
    const placeholders = await Promise.all(
      forms.map(async (form) => mark('assigned-secret').exec((await redactor.text(form)).value)?.[0]),
    );
    expect(placeholders[0]).toBeDefined();
    expect(new Set(placeholders).size).toBe(1);
  });

  test('differ between stores', async () => {
    const other = createRedactor({ key: Buffer.alloc(32, 2) });
    expect((await other.text(id)).value).not.toBe((await redactor.text(id)).value);
  });

  test('are left alone', async () => {
    const once = (await redactor.text(`password=${value} ${id}`)).value;
    expect((await redactor.text(once)).value).toBe(once);
    expect((await redactor.text(once)).redactions.findings).toEqual([]);
  });

  test('do not protect what is put beside them', async () => {
    const { value: out } = await redactor.text(`DB_PASSWORD=[redacted:jwt:0123456789ab]${value}`);
    expect(out).not.toContain(value);
  });
});

describe('the account', () => {
  test('says how often each rule found something, and where first', async () => {
    const { redactions } = await redactor.text(`a\n${id}\n${id}\nDB_PASSWORD=${value}`);
    expect(redactions.counts).toEqual({ 'assigned-secret': 1, 'aws-key-id': 2 });
    expect(redactions.findings.map(({ rule, count, at }) => [rule, count, at])).toEqual([
      ['aws-key-id', 2, 2],
      ['assigned-secret', 1, 56],
    ]);
  });

  test('counts a key once however many lines it has', async () => {
    const label = ['PRIVATE', 'KEY'].join(' ');
    const body = Array.from({ length: 20 }, () => 'Ab0/'.repeat(16)).join('\n');
    const { redactions } = await redactor.text(`-----BEGIN ${label}-----\n${body}\n-----END ${label}-----`);
    expect(redactions.counts).toEqual({ 'private-key': 1 });
  });

  test('holds no secret', async () => {
    const { redactions } = await redactor.text(`DB_PASSWORD=${value} ${id}`);
    expect(JSON.stringify(redactions)).not.toContain(value);
    expect(JSON.stringify(redactions)).not.toContain(id);
  });
});

describe('known values', () => {
  const known = createRedactor({ key, values: [`${value}/+"x`, 'short', 'development'] });

  test('are taken wherever they stand, in every spelling', async () => {
    const secret = `${value}/+"x`;
    for (const text of [
      `saw ${secret} here`,
      JSON.stringify({ a: `saw ${secret} here` }),
      JSON.stringify({ a: JSON.stringify({ b: secret }) }),
      `?q=${encodeURIComponent(secret)}`,
      `data ${Buffer.from(`ada:${secret}!`).toString('base64')}`,
    ]) {
      const { value: out } = await known.text(text);
      expect(out).toMatch(mark('known-value'));
      expect(out).not.toContain(value);
    }
  });

  test('that are ordinary words change nothing', async () => {
    const text = 'a short development';
    expect((await known.text(text)).value).toBe(text);
  });
});

describe('values of JSON', () => {
  test('keep their shape', async () => {
    const input = { note: `use ${id}`, list: [1, null, { password: value }], at: 5 };
    const { value: output } = await redactor.json(input);
    expect(output).toEqual({
      note: expect.stringMatching(mark('aws-key-id')) as string,
      list: [1, null, { password: expect.stringMatching(mark('assigned-secret')) as string }],
      at: 5,
    });
  });

  test('without secrets are given back as they are', async () => {
    const input = { a: ['b'] };
    expect((await redactor.json(input)).value).toBe(input);
  });
});

describe('bytes', () => {
  test('of a file without secrets are the same array', async () => {
    const input = Buffer.from('nothing to see');
    expect((await redactor.bytes(input)).value).toBe(input);
  });

  test('that are not UTF-8 keep every byte around a secret', async () => {
    const input = Buffer.concat([
      Buffer.from([0xff, 0xfe, 0xe9]),
      Buffer.from(` ${id} `),
      Buffer.from([0xc3]),
    ]);
    const { value: output } = await redactor.bytes(input);
    expect([...output.subarray(0, 3)]).toEqual([0xff, 0xfe, 0xe9]);
    expect(output.at(-1)).toBe(0xc3);
    expect(Buffer.from(output).toString('latin1')).toMatch(mark('aws-key-id'));
  });
});

describe('refusals', () => {
  test('a key that is too short protects nothing', () => {
    expect(() => createRedactor({ key: Buffer.alloc(8) })).toThrow('16 bytes');
  });

  test('text that has no bytes cannot be searched', async () => {
    const failure: unknown = await redactor.text('a\ud800').catch((error: unknown) => error);
    expect(isStaffettaError(failure, 'invalid-input')).toBe(true);
  });

  test('a stream that fails gives its failure, not a part that looks whole', async () => {
    await expect(readToEnd(redactor.stream(failing()))).rejects.toThrow('gone');
  });
});
