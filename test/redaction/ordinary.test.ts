/** Nothing is taken from ordinary work: sources, lockfiles, digests, images, minified code. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createRedactor } from '../../src/core/redact/redactor.ts';

const root = join(import.meta.dirname, '..', '..');
const redactor = createRedactor({ key: Buffer.alloc(32, 3) });

/** What was taken, with some of the text around it. */
async function taken(bytes: Uint8Array): Promise<string[]> {
  const { redactions } = await redactor.bytes(bytes);
  return redactions.findings.map(
    ({ rule, at }) => `${rule}: ${Buffer.from(bytes).toString('latin1', Math.max(0, at - 40), at + 60)}`,
  );
}

function filesBelow(folder: string, wanted: RegExp): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && wanted.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
}

describe('sources', () => {
  test.each([
    ['our own', ['src', 'test', 'bench', 'docs', 'scripts', 'examples'], /\.(?:ts|mjs|md|json)$/],
    ['declarations of TypeScript', ['node_modules/typescript/lib', 'node_modules/@types/node'], /\.d\.ts$/],
    [
      'libraries',
      ['node_modules/zod', 'node_modules/fast-check', 'node_modules/canonicalize'],
      /\.(?:js|cjs|mjs|ts|json|md)$/,
    ],
    [
      'tools',
      ['node_modules/vite', 'node_modules/vitest', 'node_modules/rolldown', 'node_modules/oxfmt'],
      /\.(?:js|cjs|mjs|ts|json|md)$/,
    ],
  ])('%s', async (_what, folders, wanted) => {
    // The corpus holds journals whose effects have tokens: machine's own, never handed to the redactor.
    const files = folders
      .flatMap((folder) => filesBelow(folder, wanted))
      .filter((file) => !file.includes('/corpus/'));
    let bytes = 0;
    const hits: string[] = [];
    for (const file of files) {
      const content = readFileSync(file);
      bytes += content.length;
      for (const hit of await taken(content)) hits.push(`${file.slice(root.length)}: ${hit}`);
    }
    expect(hits).toEqual([]);
    expect(bytes).toBeGreaterThan(400_000);
  });

  test('the lockfile with its digests', async () => {
    expect(await taken(readFileSync(join(root, 'package-lock.json')))).toEqual([]);
  });

  test('a program', async () => {
    expect(await taken(readFileSync(process.execPath).subarray(0, 8_000_000))).toEqual([]);
  });
});

const digest = (n: number, algorithm: string): Buffer => createHash(algorithm).update(`digest ${n}`).digest();
const many = (make: (n: number) => string): Buffer =>
  Buffer.from(Array.from({ length: 5000 }, (_, n) => make(n)).join('\n'));
const uuid = (n: number): string =>
  digest(n, 'md5')
    .toString('hex')
    .replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, '$1-$2-4$3-a$4-$5');

describe('what looks random', () => {
  test.each([
    ['ids of commits', many((n) => `commit ${digest(n, 'sha1').toString('hex')}`)],
    ['lines of a tree', many((n) => `100644 blob ${digest(n, 'sha1').toString('hex')}\tsrc/file-${n}.ts`)],
    ['digests', many((n) => `sha256:${digest(n, 'sha256').toString('hex')}`)],
    ['digests of packages', many((n) => `"integrity": "sha512-${digest(n, 'sha512').toString('base64')}",`)],
    ['digests in base64', many((n) => digest(n, 'sha256').toString('base64'))],
    [
      'digests in base64 for URLs',
      many((n) => `${digest(n, 'sha256').toString('base64url')}.${digest(n, 'md5').toString('base64url')}`),
    ],
    ['UUIDs', many((n) => `{"id":"${uuid(n)}","parent":"${uuid(n + 1)}"}`)],
    ['colours', many((n) => `a { color: #${digest(n, 'md5').toString('hex').slice(0, 6)}; }`)],
    [
      'names of built files',
      many((n) => `assets/index-${digest(n, 'md5').toString('base64url').slice(0, 8)}.js`),
    ],
    [
      'ids of calls',
      many((n) => `{"tool_use_id":"toolu_01${digest(n, 'sha256').toString('hex').slice(0, 22)}"}`),
    ],
    [
      'signatures of reasoning',
      many((n) => `{"thinking":"","signature":"${digest(n, 'sha512').toString('base64')}"}`),
    ],
    [
      'an image',
      Buffer.from(
        `<img src="data:image/png;base64,${Buffer.concat(Array.from({ length: 4000 }, (_, n) => digest(n, 'sha512'))).toString('base64')}">`,
      ),
    ],
    [
      'a wrapped attachment',
      Buffer.from(
        Buffer.concat(Array.from({ length: 4000 }, (_, n) => digest(n, 'sha512')))
          .toString('base64')
          .replace(/.{76}/g, '$&\n'),
      ),
    ],
    [
      'public keys',
      many((n) => `ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAA${digest(n, 'sha256').toString('base64')} ada@host`),
    ],
  ])('%s', async (_what, bytes) => {
    expect(await taken(bytes)).toEqual([]);
  });
});

test('minified code', async () => {
  const code = Array.from(
    { length: 4000 },
    (_, n) =>
      `function t${n}(e,t){var n=e.token,r=t.password;return n===r?{token:n,password:r,secret:i[${n}]}:a.b(e.apiKey,{key:o})}`,
  ).join('');
  expect(await taken(Buffer.from(code))).toEqual([]);
});

test('a diff, a log and prose about secrets', async () => {
  const text = `diff --git a/src/auth.ts b/src/auth.ts
index 3f2a9c1..b7d04e2 100644
--- a/src/auth.ts
+++ b/src/auth.ts
@@ -1,6 +1,8 @@
-import { token } from './token.ts';
+import { accessToken } from './token2.ts';
+const password = process.env['DB_PASSWORD'];
 export function login(user: string, password: string): Promise<Token> {
+  const secret = await vault.read('db/password');
2026-01-01T00:00:00.123Z INFO token refreshed for ada, expires in 3600
The password must have at least 12 characters, one of them a digit. Bearer authentication is used throughout; the token: opaque.
Set DB_PASSWORD=$(pass show db) and TOKEN=<your token>, or password: ********.
`;
  expect(await taken(Buffer.from(text))).toEqual([]);
});
