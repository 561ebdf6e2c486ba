/** The installer, with an npm that makes a program of one line: what is there is whole, and what fails says why. */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { allRuntimes } from '../../src/runtimes/index.ts';
import { agents } from './agents/all.ts';
import { cacheFolder, install, versionOf } from './install.ts';

const { codex, opencode } = agents;

interface Npm {
  readonly env: NodeJS.ProcessEnv;
  readonly cache: string;
  readonly asked: () => string[];
}

/** An npm that keeps what it was asked, and brings a program that says these words. */
function npmThatBrings(said: string, status = 0): Npm {
  const folder = mkdtempSync(join(tmpdir(), 'staffetta-npm-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const script = join(folder, 'npm.js');
  const log = join(folder, 'log');
  writeFileSync(
    script,
    `const fs = require('node:fs');
fs.appendFileSync(${JSON.stringify(log)}, process.argv.slice(2, -2).join(' ') + '\\n');
if (${status} !== 0) { console.error('npm error E404 not in this registry'); process.exit(${status}); }
if (process.argv[2] === 'rebuild' && process.env.HOME !== process.cwd() + '/home') process.exit(9);
fs.mkdirSync('node_modules/.bin', { recursive: true });
for (const name of ['codex', 'opencode'])
  fs.writeFileSync('node_modules/.bin/' + name, '#!/bin/sh\\necho ${said}\\n', { mode: 0o755 });
`,
  );
  return {
    cache: join(folder, 'cache'),
    env: { PATH: process.env['PATH'] ?? '', npm_execpath: script },
    asked: () => (existsSync(log) ? readFileSync(log, 'utf8').trimEnd().split('\n') : []),
  };
}

test('a program is installed once, without scripts, and found again afterwards', async () => {
  const { cache, env, asked } = npmThatBrings(`codex-cli ${versionOf(codex)}`);
  const first = await install(codex, cache, env);
  expect(first).toMatchObject({ version: versionOf(codex) });
  expect(await install(codex, cache, env)).toEqual(first);
  expect(asked()).toEqual(['install --ignore-scripts --no-audit --no-fund --loglevel=error']);
  expect(readdirSync(cache)).toHaveLength(1);
});

test('the install script of a package runs only where the program needs it, by its name, and in no home of the user', async () => {
  const { cache, env, asked } = npmThatBrings(versionOf(opencode));
  expect(await install(opencode, cache, env)).toMatchObject({ version: versionOf(opencode) });
  expect(asked()).toEqual([
    'install --ignore-scripts --no-audit --no-fund --loglevel=error',
    'rebuild opencode-ai --ignore-scripts=false --no-audit --no-fund --loglevel=error',
  ]);
});

test('a program that npm cannot bring is missing, with the words of npm', async () => {
  const { cache, env } = npmThatBrings('', 1);
  const { missing } = (await install(codex, cache, env)) as { missing: string };
  expect(missing).toBe('npm install ended with 1: E404 not in this registry');
  expect(readdirSync(cache)).toEqual([]);
});

test('a program that does not start, or is another version, is not kept', async () => {
  const { cache, env } = npmThatBrings('codex-cli 0.0.1');
  expect(await install(codex, cache, env)).toEqual({
    missing: 'It was installed, and does not give its version when it is started: codex-cli 0.0.1',
  });
  expect(readdirSync(cache)).toEqual([]);
});

test('what a killed install left is removed later, and one that may still run is left alone', async () => {
  const { cache, env } = npmThatBrings(versionOf(codex));
  for (const name of ['part-old', 'part-new']) mkdirSync(join(cache, name), { recursive: true });
  utimesSync(join(cache, 'part-old'), 0, 0);
  await install(codex, cache, env);
  expect(readdirSync(cache).filter((name) => name.startsWith('part-'))).toEqual(['part-new']);
});

test('a program that needs more room than there is is not begun', async () => {
  const { cache, env, asked } = npmThatBrings(versionOf(codex));
  const { missing } = (await install({ ...codex, megabytes: 1e9 }, cache, env)) as { missing: string };
  expect(missing).toMatch(/^It needs 2000000000 MB in .*, which has \d+ MB left\.$/);
  expect(asked()).toEqual([]);
});

test('the cache is where STAFFETTA_LAB says, or with the caches of the user', () => {
  expect(cacheFolder({ STAFFETTA_LAB: '/lab' })).toBe('/lab');
  expect(cacheFolder({ STAFFETTA_LAB: '' })).toMatch(/staffetta.lab$/);
});

test('the versions of the lab are those that the adapters call proven', () => {
  const proven = allRuntimes({}).map(({ name, provenVersions }) => [name, provenVersions.at(-1)]);
  expect(Object.fromEntries(proven)).toEqual(
    Object.fromEntries(Object.values(agents).map((agent) => [agent.runtime, versionOf(agent)])),
  );
});
