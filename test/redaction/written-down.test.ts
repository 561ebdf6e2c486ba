/** Secrets in files of settings, and what looks like one in a certificate. */
import { describe, expect, test } from 'vitest';
import { createRedactor } from '../../src/core/redact/redactor.ts';
import { Random } from './kinds.ts';

const redactor = createRedactor({ key: Buffer.alloc(32, 3) });
const chosen = ['sommer', 'Blau', '2031'].join('');
const random = ['q8Zt', 'V2nL', '0pXw', 'R7kD', '5mJb'].join('');
const shown = async (text: string): Promise<string> =>
  (await redactor.text(text)).value.replaceAll(/\[redacted:[a-z-]+:[0-9a-f]{12}\]/g, 'X');

describe('a secret is taken out of', () => {
  test.each([
    `  secret_key_base: ${random}`,
    `smtp_pass: ${chosen}`,
    `  db_pass: "${chosen}"`,
    `auth: { user: 'app', pass: '${chosen}' }`,
    `{"user":"app","dbPass":"${chosen}"}`,
    `<password>${chosen}</password>`,
    `<ns:password type="plain">${chosen}</ns:password>`,
    `<entry key="password">${chosen}</entry>`,
    `<string name="api_token">${random}</string>`,
    `<password><![CDATA[${chosen}]]></password>`,
    `db.internal:5432:main:app:${chosen}`,
    `*:*:*:app:${chosen}`,
    `     3→localhost:5432:*:app:${chosen}`,
    `--password 'it'"'"'s${random}'`,
  ])('%s', async (text) => {
    const secret = text.includes(chosen) ? chosen : random;
    expect(await shown(text)).not.toContain(secret.slice(-8));
    expect(await shown(text)).toContain('X');
    expect(await shown(JSON.stringify({ out: `a\n${text}\nb` }))).not.toContain(secret.slice(-8));
  });
});

describe('nothing is taken out of', () => {
  test.each([
    'token: Optional[str]',
    'password: getPassword(user1)',
    'SECRET_KEY=get_secret_key(stage2)',
    '    token = scanBinaryOrOctalDigits(2);',
    'PASSWORD_HASHERS=["django.contrib.auth.hashers.MD5PasswordHasher"]',
    'DB_PASSWORD=<your-password-1>',
    'API_TOKEN={{ secrets.token2 }}',
    'password: "user-%s"',
    'first_pass: layer2norm',
    '{ name: "PASS", value: "passed", priority: 1 }',
    '127.0.0.1:5432:5433:a:b',
    '<password>your-password</password>',
    'cache-key-d41d8cd98f00b204e9800998ecf8427e',
  ])('%s', async (text) => {
    expect(await shown(text)).toBe(text);
  });
});

describe('the last line of a certificate is no key, shown as', () => {
  const base64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
  test.each<[string, (line: string, number: number) => string]>([
    ['it is', (line) => line],
    ['cat -n shows it', (line, n) => `${String(n).padStart(6)}\t${line}`],
    ['grep -n shows it', (line, n) => `${n}:${line}`],
    ['an agent reads it', (line, n) => `${String(n).padStart(6)}→${line}`],
    ['a diff adds it', (line) => `+${line}`],
    ['strings of a program', (line) => `  "${line}\\n" +`],
  ])('%s', async (_how, list) => {
    for (let i = 0; i < 20; i += 1) {
      const chance = new Random(`certificate ${i}`);
      const body = Array.from({ length: 8 }, () => chance.text(64, base64));
      const lines = [
        '-----BEGIN CERTIFICATE-----',
        ...body,
        chance.text(40, base64),
        '-----END CERTIFICATE-----',
      ];
      const text = lines.map((line, n) => list(line, n + 8)).join('\n');
      expect(await shown(text)).toBe(text);
      expect(await shown(JSON.stringify({ text }))).toBe(JSON.stringify({ text }));
    }
  });
});
