/** Real private keys in the ways in which programs list a file: nothing of one is left, and no line is added or lost. */
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { valuesIn } from '../../src/core/redact/learned.ts';
import { createRedactor } from '../../src/core/redact/redactor.ts';

const redactor = createRedactor({ key: Buffer.alloc(32, 5) });
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
const ec = generateKeyPairSync('ec', { namedCurve: 'prime256v1' }).privateKey;

/** RFC 4251. */
function sized(value: string | Buffer): Buffer {
  const bytes = Buffer.from(value);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
}

/** As ssh-keygen writes it. */
function openSsh(): string {
  const { d = '', x = '' } = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' });
  const [seed, point] = [Buffer.from(d, 'base64url'), Buffer.from(x, 'base64url')];
  const open = Buffer.concat([sized('ssh-ed25519'), sized(point)]);
  const check = randomBytes(4);
  const pair = sized(Buffer.concat([seed, point]));
  const secret = Buffer.concat([check, check, open, pair, sized('ada@host'), Buffer.from([1, 2, 3, 4])]);
  const none = Buffer.concat([sized('none'), sized('none'), sized(''), Buffer.from([0, 0, 0, 1])]);
  const all = Buffer.concat([Buffer.from('openssh-key-v1\0'), none, sized(open), sized(secret)]);
  const label = ['OPENSSH', 'PRIVATE', 'KEY'].join(' ');
  const body = all.toString('base64').replace(/.{70}/g, '$&\n');
  return `-----BEGIN ${label}-----\n${body}\n-----END ${label}-----\n`;
}

const keys: readonly (readonly [string, string])[] = [
  ['ed25519 of OpenSSH', openSsh()],
  ['RSA in PKCS 1', rsa.export({ format: 'pem', type: 'pkcs1' }).toString()],
  ['RSA in PKCS 8', rsa.export({ format: 'pem', type: 'pkcs8' }).toString()],
  [
    'RSA with a passphrase, whose headers stay',
    rsa.export({ format: 'pem', type: 'pkcs1', cipher: 'aes-128-cbc', passphrase: 'open' }).toString(),
  ],
  ['EC', ec.export({ format: 'pem', type: 'sec1' }).toString()],
];

type Listing = (line: string, number: number) => string;
const aligned = (number: number): string => String(number).padStart(6);

const listings: Readonly<Record<string, Listing>> = {
  'as it is': (line) => line,
  'cat -n': (line, n) => `${aligned(n)}\t${line}`,
  'cat -A': (line) => `${line}$`,
  'cat -An of a file from Windows': (line, n) => `${aligned(n)}\t${line}^M$`,
  'grep -n': (line, n) => `${n}:${line}`,
  'grep -n -A of the first line': (line, n) => `${n}${n === 1 ? ':' : '-'}${line}`,
  'grep -rn': (line, n) => `deploy/my-key_2.pem:${n}:${line}`,
  'grep -rn -A': (line, n) => (n === 1 ? `deploy/id_rsa:1:${line}` : `deploy/id_rsa-${n}-${line}`),
  'grep --color': (line, n) => `\x1b[32m\x1b[K${n}\x1b[m\x1b[K\x1b[36m\x1b[K:\x1b[m\x1b[K${line}`,
  'an agent that reads': (line, n) => `${aligned(n)}→${line}`,
  'number and bar': (line, n) => `${n}|${line}`,
  'number, space and bar': (line, n) => `${n} | ${line}`,
  'number in brackets': (line, n) => `[${n}] ${line}`,
  'a list of Markdown': (line, n) => `${n}. ${line}`,
  'a table of Markdown': (line, n) => `| ${n} | ${line} |`,
  bat: (line, n) => `${aligned(n)}   │ ${line}`,
  'git blame of one': (line, n) => `^a1b2c3d (Ada 2030-01-01 10:00:00 +0100 ${aligned(n)}) ${line}`,
  'git blame of two': (line, n) =>
    `${n % 2 === 0 ? 'deadbeef (Ben' : '0a1b2c3d (Ada'} 2030-01-01 10:00:00 +0100 ${aligned(n)}) ${line}`,
  'docker compose logs': (line) => `web-1  | ${line}`,
  'lines with a time': (line, n) => `2030-01-01T00:00:${String(n).padStart(2, '0')}.123Z ${line}`,
  journalctl: (line) => `Jan  1 00:00:01 host app[123]: ${line}`,
  'added in a diff': (line) => `+${line}`,
  'removed in a diff': (line) => `-${line}`,
  'a diff with numbers': (line, n) => `${aligned(n)}\t+${line}`,
  quoted: (line) => `> ${line}`,
  indented: (line) => `      ${line}`,
  'given to a name': (line, n) => `${n}:${n === 1 ? 'const key = `' : ''}${line}`,
  'strings of a list': (line, n) => `    "${n}: ${line}",`,
  'records of JSON': (line, n) => JSON.stringify({ line: n, text: line }),
  'rg --json': (line, n) =>
    JSON.stringify({
      type: 'match',
      data: { path: { text: 'k.pem' }, lines: { text: `${line}\n` }, line_number: n },
    }),
  'rows of HTML': (line, n) => `<tr><td>${n}</td><td>${line}</td></tr>`,
  'ends of lines of HTML': (line) => `${line}<br>`,
  'commands that write it': (line) => `echo "${line}" >> key.pem`,
  'two files side by side': (line) => `${line}\t\t${line}`,
  'two files pasted': (line) => `${line},${line}`,
  'a comment behind each line': (line, n) => `${line}   # ${n}`,
  'where each line is from': (line, n) => `${line} <- key.pem:${n}`,
  'a line between the lines': (line, n) => `${n}: ${line}\n[INFO] something else ${n}`,
  'a number and two letters': (line, n) => `${n}:${String.fromCharCode(97 + (n % 26))}z|${line}`,
};

const containers: Readonly<Record<string, (text: string) => string>> = {
  'in text': (text) => text,
  'in JSON': (text) => JSON.stringify({ type: 'tool_result', content: text }),
  'in JSON in JSON': (text) => JSON.stringify({ message: JSON.stringify({ stdout: text }) }),
};

function bodyOf(key: string): string[] {
  return key.split('\n').filter((line) => /^[A-Za-z0-9+/]{4,}={0,2}$/.test(line));
}

describe.each(keys)('%s', (_name, key) => {
  const lines = key.trimEnd().split('\n');

  test.each(Object.entries(listings))('%s', async (_listing, list) => {
    const shown = ['first', ...lines.map((line, i) => list(line, i + 1)), 'last'].join('\n');
    for (const [container, contain] of Object.entries(containers)) {
      const { value } = await redactor.text(contain(shown));
      const left = bodyOf(key).filter((line) => value.includes(line.slice(0, 12)));
      expect([container, left]).toEqual([container, []]);
      expect((await redactor.text(value)).value).toBe(value);
      expect(value.split('\n').length).toBe(contain(shown).split('\n').length);
    }
  });

  test.each([
    ['as an array on one line', JSON.stringify(lines.map((line, i) => ({ n: i + 1, c: line })))],
    ['as a list of Python', `[${lines.map((line) => `'${line}\\n'`).join(', ')}]`],
    ['with ends of lines of HTML alone', lines.join('<br>')],
  ])('%s', async (_form, text) => {
    const { value } = await redactor.text(text);
    expect(bodyOf(key).filter((line) => value.includes(line.slice(0, 12)))).toEqual([]);
  });

  test('in base64 that is wrapped', async () => {
    const encoded = Buffer.from(key).toString('base64').replace(/.{76}/g, '$&\n');
    const { value } = await redactor.text(encoded);
    expect(value).not.toMatch(/[A-Za-z0-9+/]{16}/);
  });

  test('each of its lines is gone wherever else it stands in the same text, before it and behind', async () => {
    const others = bodyOf(key)
      .filter(({ length }) => length >= 40)
      .map((line, i) => `${line}   # ${i}`)
      .join('\n');
    const text = `${others}\n\nsome prose\n${key}\n${'more of it\n'.repeat(200)}${others}\n`;
    expect((await redactor.text(text)).value).not.toMatch(/[A-Za-z0-9+/]{40}/);
    const { value } = await redactor.bytes(Buffer.from(text));
    expect(Buffer.from(value).toString()).not.toMatch(/[A-Za-z0-9+/]{40}/);
  });

  test('each long line is known wherever else it stands', async () => {
    const { redactions } = await redactor.bytes(Buffer.from(key));
    const knowing = redactor.knowing(valuesIn([redactions]));
    for (const line of bodyOf(key).filter(({ length }) => length >= 40)) {
      const { value } = await knowing.text(`the second line is ${line}, and reversed it is nothing`);
      expect(value).not.toContain(line.slice(0, 12));
    }
  });

  test('on one line it is known as it is wrapped elsewhere', async () => {
    const joined = key.trimEnd().replaceAll('\n', ' ');
    const [line = ''] = bodyOf(key).slice(-2);
    const { value } = await redactor.json([joined, `And then ${line} came out.`]);
    expect(value[1]).not.toContain(line.slice(0, 12));
  });
});

test('a new key in a diff keeps the sign of its lines', async () => {
  const [[, old = ''] = [], [, fresh = ''] = []] = [keys[1], keys[2]];
  const [first = '', ...rest] = old.trimEnd().split('\n');
  const diff = [
    ` ${first}`,
    ...bodyOf(old).map((line) => `-${line}`),
    ...bodyOf(fresh).map((line) => `+${line}`),
  ];
  const { value } = await redactor.text([...diff, ` ${rest.at(-1) ?? ''}`].join('\n'));
  expect(value.split('\n').map((line) => line.charAt(0))).toEqual([
    ...diff.map((line) => line.charAt(0)),
    ' ',
  ]);
  expect(value).not.toMatch(/[A-Za-z0-9+/]{30}/);
});

test('a line number before ordinary text opens nothing', async () => {
  const label = ['PRIVATE', 'KEY'].join(' ');
  const text = `12:if (text.includes('-----BEGIN ${label}-----'))\n13:  return refuse(text);\n14:const other = 1;\n15-----BEGIN ${label}-----\n16:is how a key begins, see docs/architecture\n`;
  expect((await redactor.text(text)).value).toBe(text);
});
