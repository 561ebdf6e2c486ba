/** The launcher runs on any Node: it goes on with one that will do, or says in one sentence what to do. */
import { spawn, spawnSync, type SpawnSyncReturns } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import needed from '../bin/needed.cjs';
import { journalModeOf } from '../src/stores/sqlite/secure.ts';
import { notProven } from './faults/not-proven.ts';

const root = join(import.meta.dirname, '..');
const { isSuitableNode, nodeBeside, nodeInstall, nodePackage, packaged } = createRequire(import.meta.url)(
  join(root, 'bin', 'node-beside.cjs'),
) as {
  isSuitableNode: (versions: Readonly<Record<string, string | undefined>>) => boolean;
  nodeBeside: (root: string) => string | undefined;
  nodeInstall: (root: string) => string;
  nodePackage: () => string;
  packaged: readonly string[];
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
    for (const part of [
      'bin',
      'package.json',
      join('dist', 'cli'),
      join('dist', 'lib'),
      join('dist', 'tokens'),
    ])
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

/** The first Node whose language would do, with the SQLite that it really carries. */
const oldSqlite = { node: '22.18.0', sqlite: '3.50.2' };
/** One that was compiled with a SQLite that will do, and runs the older one of its system. */
const linkedSqlite = { node: '24.15.0', sqlite: '3.46.1' };

/** A Node that says it is another one, and whose SQLite says so too. What Node says of its SQLite stays as it is. */
function pretending({ node, sqlite }: typeof oldSqlite): readonly string[] {
  const script = join(folder, `pretend-${node}.cjs`);
  writeFileSync(
    script,
    `Object.defineProperty(process, 'versions', { value: Object.assign({}, process.versions, { node: '${node}' }) });
const { prototype } = require('node:sqlite').DatabaseSync;
const { prepare } = prototype;
prototype.prepare = function (sql) { return prepare.call(this, sql.replaceAll('sqlite_version()', "'${sqlite}'")); };`,
  );
  return ['--require', script];
}

describe('which Node will do', () => {
  const [major = 0, minor = 0, patch = 0] = needed.sqlite.split('.').map(Number);

  test.each([
    ['24.21.0', '3.53.4', true],
    [`${needed.carriers[0]}.0`, needed.sqlite, true],
    [needed.nodes[0], needed.sqlite, true],
    [needed.nodes[0], `${major}.${minor}.${patch - 1}`, false],
    ['23.11.1', '3.53.4', false],
    ['26.0.0', `${major}.${minor - 1}.99`, false],
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

  test('npm is told the same', () => {
    const { engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
      engines: { node: string };
    };
    expect(engines.node).toBe(
      needed.nodes.map((first, i) => `${i === needed.nodes.length - 1 ? '>=' : '^'}${first}`).join(' || '),
    );
  });

  test('the packages it speaks of are those of the toolchain', () => {
    const { optionalDependencies } = JSON.parse(
      readFileSync(join(root, 'toolchain', 'package.json'), 'utf8'),
    ) as { optionalDependencies: Record<string, string> };
    expect(Object.keys(optionalDependencies)).toEqual(packaged);
  });
});

describe('under a Node that calls its SQLite experimental', () => {
  test('that warning is kept from stderr, and no other', () => {
    const script = join(folder, 'warn.cjs');
    const warnings = ['SQLite is an experimental feature and might change at any time', 'Mind the gap'];
    const warn = `for (const text of ${JSON.stringify(warnings)}) process.emitWarning(text, 'ExperimentalWarning')`;
    writeFileSync(script, `setImmediate(() => { ${warn} });`);
    const launcher = join(bare, 'bin', 'staffetta.cjs');
    const args = ['--require', script, launcher, 'init', '--quiet', '--store', join(folder, 'warned.db')];
    const ran = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8', env: env() });
    expect(ran.status).toBe(0);
    expect(ran.stderr).toContain('Mind the gap');
    expect(ran.stderr).not.toContain('SQLite');
  });
});

function asked(node: readonly string[], ...args: readonly string[]): SpawnSyncReturns<string> {
  return spawnSync(process.execPath, [...node, join(bare, 'bin', 'staffetta.cjs'), ...args], {
    cwd: folder,
    encoding: 'utf8',
    env: env(),
  });
}

describe.each([
  ['carries', oldSqlite],
  ['was compiled with a newer one, and runs', linkedSqlite],
])('under a Node that %s an old SQLite', (_, versions) => {
  test('a new store has a rollback journal, keeps it with a newer SQLite, and the doctor says so', () => {
    const store = ['--store', join(folder, `rollback-${versions.node}`, 'store.db')];
    const opened = asked(pretending(versions), 'open', 'Mend the fence', '--json', ...store);
    expect(opened).toMatchObject({ status: 0, stderr: expect.not.stringContaining('SQLite') as string });
    const { task } = JSON.parse(opened.stdout) as { task: string };
    for (const node of [[], pretending(versions)]) {
      expect(asked(node, 'tell', task, 'Mind the gap', ...store).status).toBe(0);
      expect(journalModeOf(store[1] ?? '')).toBe('rollback');
    }
    const copy = join(folder, `copy-${versions.node}.db`);
    expect(asked([], 'backup', copy, ...store).status).toBe(0);
    expect(asked(pretending(versions), 'verify', '--store', copy).status).toBe(0);
    const { findings } = JSON.parse(
      asked(pretending(versions), 'doctor', '--dry-run', '--json', ...store).stdout,
    ) as {
      findings: { check: string; text: string }[];
    };
    const textOf = (name: string): string => findings.find(({ check }) => check === name)?.text ?? '';
    expect(textOf('node')).toContain(`SQLite ${versions.sqlite}`);
    expect(textOf('node')).toContain('a new store gets a rollback journal');
    expect(textOf('store')).toContain('with a rollback journal');
  });

  test('a store with a write-ahead log is refused and left as it is, its backups too', () => {
    const store = join(folder, `log-${versions.node}`, 'store.db');
    const copy = join(folder, `log-copy-${versions.node}.db`);
    expect(asked([], 'open', 'Mend the fence', '--store', store).status).toBe(0);
    expect(asked([], 'backup', copy, '--store', store).status).toBe(0);
    for (const path of [store, copy]) {
      const before = readFileSync(path);
      const refused = asked(pretending(versions), 'ls', '--store', path, '--json');
      expect(refused.status).toBe(1);
      expect(JSON.parse(refused.stdout)).toMatchObject({
        error: { code: 'store-unsupported', details: { sqlite: versions.sqlite, needed: needed.sqlite } },
      });
      expect(readFileSync(path)).toEqual(before);
    }
    expect(journalModeOf(store)).toBe('log');
  });
});

test.each(['global/lib/node_modules', 'a project/node_modules'])(
  'the Node that is advised is looked for, with the package in %s',
  (modules) => {
    const place = join(folder, modules, 'staffetta');
    const [, to = '', name = ''] =
      /^npm install --no-save --prefix (".*"|\S+) (\S+)@24$/.exec(nodeInstall(place)) ?? [];
    const prefix = to.startsWith('"') ? (JSON.parse(to) as string) : to;
    const binary = join(prefix, 'node_modules', name, 'bin', 'node');
    mkdirSync(dirname(binary), { recursive: true });
    writeFileSync(binary, '');
    expect(nodeBeside(place)).toBe(binary);
  },
);

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

  test('without one it tells its version and its commands all the same', () => {
    const version = launch(old, bare, '--version');
    expect(version).toMatchObject({ status: 0, stderr: expect.stringContaining('is too old') as string });
    expect(version.stdout).toBe(launch(process.execPath, bare, '--version').stdout);
    const help = launch(old, bare, '--help');
    expect(help).toMatchObject({ status: 0, stdout: launch(process.execPath, bare, '--help').stdout });
  });

  test('the library says it in the same words', () => {
    const script = `import('staffetta').then(({ openStaffetta }) => openStaffetta({ store: 'x.db' })).catch(({ message }) => console.log(message))`;
    const home = join(bare, '..', '..');
    const said = spawnSync(old, ['-e', script], { cwd: home, encoding: 'utf8', env: env() });
    const { stderr } = launch(old, bare, 'ls');
    expect(stderr).toContain(said.stdout.trim().replace(/\.$/, ''));
    expect(said.stdout).toContain('is too old; install');
  });

  test('without one it says in one sentence what to do', () => {
    const refused = launch(old, bare, 'ls');
    expect(refused).toMatchObject({ status: 1, stdout: '' });
    expect(refused.stderr).toMatch(
      /^staffetta: Node \S+ is too old; install the latest Node 24 .* with: npm install --no-save --prefix \S+ node-\S+@24\n$/,
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

/** A clone with everything installed, as far as the front door looks; its check only says which Node ran it. */
function clone(name: string): string {
  const copy = join(folder, name);
  cpSync(join(root, 'bin'), join(copy, 'bin'), { recursive: true });
  cpSync(join(root, 'scripts', 'run.mjs'), join(copy, 'scripts', 'run.mjs'));
  cpSync(join(root, 'package-lock.json'), join(copy, 'package-lock.json'));
  const lockfile = readFileSync(join(copy, 'package-lock.json'));
  mkdirSync(join(copy, 'node_modules'));
  writeFileSync(
    join(copy, 'node_modules', '.installed'),
    createHash('sha256').update(lockfile).digest('hex'),
  );
  writeFileSync(
    join(copy, 'scripts', 'check.mjs'),
    'console.log(process.version, ...process.argv.slice(2));',
  );
  return copy;
}

describe('the front door of the repository', () => {
  const nodes = [process.execPath, ...(oldNode === undefined ? [] : [oldNode])];

  test.each(nodes)('under %s runs the task with a Node that will do', (node) => {
    const copy = clone(`clone-${nodes.indexOf(node)}`);
    putBeside(join(copy, 'toolchain', 'node_modules', 'x'), `exec '${process.execPath}' "$@"`);
    const ran = spawnSync(node, [join(copy, 'scripts', 'run.mjs'), 'check', 'a b'], {
      encoding: 'utf8',
      env: env(),
    });
    expect(ran).toMatchObject({ status: 0, stdout: `${process.version} a b\n`, stderr: '' });
  });

  test.each(nodes)('under %s a task that is not there is answered with those that are', (node) => {
    const ran = spawnSync(node, [join(root, 'scripts', 'run.mjs'), 'strat'], {
      encoding: 'utf8',
      env: env(),
    });
    expect(ran).toMatchObject({ status: 1, stdout: '' });
    expect(ran.stderr).toMatch(/^run: unknown task "strat"; one of: build, .*start.*\n$/);
  });
});
