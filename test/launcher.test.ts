/** The launcher runs on any Node: it goes on with one that will do, or says in one sentence what to do. */
import { spawn, spawnSync, type SpawnSyncReturns } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { notProven } from './faults/not-proven.ts';

const root = join(import.meta.dirname, '..');
const { isSuitableNode, nodeBeside, nodePackage } = createRequire(import.meta.url)(
  join(root, 'bin', 'node-beside.cjs'),
) as {
  isSuitableNode: (versions: Readonly<Record<string, string | undefined>>) => boolean;
  nodeBeside: (root: string) => string | undefined;
  nodePackage: () => string;
};

if (!existsSync(join(root, 'dist', 'cli', 'main.cjs')))
  throw new Error('The command is not built: run "npm run build" before these tests.');

/** The host's own Node, if it is one that will not do. */
const oldNode = ['/usr/bin/node', '/usr/local/bin/node'].find(
  (path) => existsSync(path) && !isSuitable(path),
);
if (oldNode === undefined)
  notProven('that the launcher goes on with another Node', 'this host has no Node that is too old');

function isSuitable(path: string): boolean {
  const asked = spawnSync(path, ['-p', 'JSON.stringify(process.versions)'], { encoding: 'utf8' });
  return isSuitableNode(JSON.parse(asked.stdout) as Record<string, string>);
}

let folder = '';
/** A copy without a toolchain: only what is published. */
let bare = '';
/** The same with a Node beside it, as npm would install it. */
let furnished = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'staffetta-launcher-'));
  bare = join(folder, 'bare', 'node_modules', 'staffetta');
  furnished = join(folder, 'furnished', 'node_modules', 'staffetta');
  for (const copy of [bare, furnished])
    for (const part of ['bin', join('dist', 'cli')])
      cpSync(join(root, part), join(copy, part), { recursive: true });
  putBeside(furnished, `exec '${process.execPath}' "$@"`);
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

function putBeside(copy: string, script: string): void {
  const node = join(copy, '..', nodePackage(), 'bin', 'node');
  mkdirSync(dirname(node), { recursive: true });
  writeFileSync(node, `#!/bin/sh\n${script}\n`);
  chmodSync(node, 0o755);
}

function env(): NodeJS.ProcessEnv {
  return { PATH: process.env['PATH'], HOME: folder };
}

function launch(node: string, copy: string, ...args: string[]): SpawnSyncReturns<string> {
  return spawnSync(node, [join(copy, 'bin', 'staffetta.cjs'), ...args], {
    cwd: folder,
    encoding: 'utf8',
    env: env(),
  });
}

describe('which Node will do', () => {
  test.each([
    ['24.21.0', '3.53.4', true],
    ['22.23.0', '3.51.3', true],
    ['22.18.0', '3.50.4', false],
    ['22.17.9', '3.53.4', false],
    ['20.20.2', undefined, false],
    ['8.0.0', undefined, false],
    ['100.0.0', '4.0.0', true],
  ])('Node %s with SQLite %s: %s', (node, sqlite, will) => {
    expect(isSuitableNode({ node, sqlite })).toBe(will);
  });

  test('one is found in the toolchain, in the package, or next to it', () => {
    expect(nodeBeside(furnished)).toBe(join(furnished, '..', nodePackage(), 'bin', 'node'));
    expect(nodeBeside(bare)).toBeUndefined();
  });
});

describe('under a Node that will do', () => {
  test('it is the command', () => {
    expect(launch(process.execPath, bare, '--version')).toMatchObject({ status: 0, stderr: '' });
    expect(launch(process.execPath, bare, 'frobnicate').status).toBe(2);
  });

  test('without a build it says what to run', () => {
    const unbuilt = join(folder, 'unbuilt');
    cpSync(join(root, 'bin'), join(unbuilt, 'bin'), { recursive: true });
    expect(launch(process.execPath, unbuilt)).toMatchObject({
      status: 1,
      stdout: '',
      stderr: 'staffetta: it is not built yet; run: npm run build\n',
    });
  });
});

describe.skipIf(oldNode === undefined)('under an old Node', () => {
  const old = oldNode ?? '';

  test('it goes on with the one beside it, and ends as that one does', () => {
    const asked = launch(old, furnished, '--version');
    expect(asked).toMatchObject({ status: 0, stderr: '' });
    expect(asked.stdout).toBe(launch(process.execPath, bare, '--version').stdout);
    expect(launch(old, furnished, 'ls', '--json').status).toBe(3);
    expect(launch(old, furnished, 'frobnicate').stderr).toContain('There is no command "frobnicate".');
  });

  test('without one it says in one sentence what to do', () => {
    const refused = launch(old, bare, 'ls');
    expect(refused).toMatchObject({ status: 1, stdout: '' });
    expect(refused.stderr).toMatch(
      /^staffetta: Node \S+ is too old; install Node 24 .* with: npm install node-\S+@24\n$/,
    );
  });

  test('input reaches the other Node', () => {
    const store = join(folder, 'piped.db');
    const launcher = join(furnished, 'bin', 'staffetta.cjs');
    const opened = spawnSync(old, [launcher, 'open', '-', '--store', store], {
      input: 'from a pipe\n',
      encoding: 'utf8',
      env: env(),
    });
    expect(opened.stdout).toContain('from a pipe');
  });

  test('one beside it that will not do either is not asked again and again', () => {
    const copy = join(folder, 'doubtful', 'node_modules', 'staffetta');
    cpSync(bare, copy, { recursive: true });
    putBeside(copy, `exec '${old}' "$@"`);
    const refused = launch(old, copy, 'ls');
    expect(refused.status).toBe(1);
    expect(refused.stderr.match(/is too old/g)).toHaveLength(1);
  });

  test('one beside it that cannot be started is named', () => {
    const copy = join(folder, 'broken', 'node_modules', 'staffetta');
    cpSync(bare, copy, { recursive: true });
    putBeside(copy, '');
    chmodSync(join(copy, '..', nodePackage(), 'bin', 'node'), 0o644);
    const refused = launch(old, copy, 'ls');
    expect(refused.status).toBe(1);
    expect(refused.stderr).toMatch(/^staffetta: \S+ cannot be started: .*\n$/);
  });

  test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
    '%s passes through, and so does what it does',
    async (signal) => {
      const store = join(folder, `${signal}.db`);
      launch(process.execPath, bare, 'init', '--store', store);
      const launcher = join(furnished, 'bin', 'staffetta.cjs');
      const child = spawn(old, [launcher, 'take', '--wait', '1m', '--store', store, '--as', 'x'], {
        stdio: ['ignore', 'ignore', 'pipe'],
        env: env(),
      });
      await once(child.stderr, 'data');
      child.kill(signal);
      const [status, by] = (await once(child, 'close')) as [number | null, string | null];
      expect({ status, by }).toEqual(
        signal === 'SIGINT' ? { status: 130, by: null } : { status: null, by: signal },
      );
    },
  );
});
