/** Repositories for cases of trees and integration: real ones, with real processes in them. */
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { OpenTreesScratch } from '../../src/conformance/index.ts';
import type { Integrate, Trees } from '../../src/ports/index.ts';
import { livingIn, noteRun } from '../../src/process/orphans.ts';
import { startProgram } from '../../src/process/start.ts';
import { openIntegrate, type IntegrateOptions } from '../../src/workspace/integrate/open.ts';
import { openTrees, type TreesOptions } from '../../src/workspace/trees/open.ts';
import { stubborn, textIn } from '../process/children.ts';
import { commit, env, fresh, git, gitWith, init, write } from '../workspace/sandbox.ts';
import { treeOf } from '../workspace/tree.ts';

/** In two parts, so that this file is no secret itself. */
export const secret = ['TOK', 'EN=not-for-trees\n'].join('');

export interface Spoil {
  readonly trees?: (trees: Trees, root: string) => Trees;
  readonly integrate?: (integrate: Integrate, root: string) => Integrate;
}

export function tenLines(word = 'line'): string {
  return Array.from({ length: 10 }, (_, i) => `${word} ${i}\n`).join('');
}

export function begin(): string {
  const root = init();
  git(root, 'config', 'user.name', 'Ada');
  git(root, 'config', 'user.email', 'ada@example.org');
  write(root, 'a.txt', tenLines());
  write(root, 'b.txt', tenLines());
  commit(root);
  return root;
}

export function settings(home: string): TreesOptions & IntegrateOptions {
  return {
    home: join(home, 'trees'),
    env,
    living: (folder) => livingIn(join(home, 'runs'), folder),
    holdsSecret: async (bytes) => Buffer.from(bytes).includes(secret.trim()),
  };
}

export function branchesOf(root: string): Record<string, string> {
  const listed = git(root, 'for-each-ref', '--format=%(refname:short) %(objectname)', 'refs/heads');
  return Object.fromEntries(
    listed
      .trim()
      .split('\n')
      .map((line) => line.split(' ') as [string, string]),
  );
}

export function imprintOf(root: string): unknown {
  const branches = Object.entries(branchesOf(root)).filter(([name]) => !name.startsWith('staffetta/'));
  return [
    treeOf(root),
    readFileSync(join(root, '.git/index')).toString('hex'),
    readFileSync(join(root, '.git/HEAD'), 'utf8'),
    branches,
  ];
}

export function treesScratch(spoil: Spoil = {}): OpenTreesScratch {
  return async () => {
    const root = begin();
    const home = fresh('home');
    mkdirSync(home);
    const ends: (() => Promise<void>)[] = [];
    const { trees: spoilTrees = (one: Trees) => one, integrate: spoilIntegrate = (one: Integrate) => one } =
      spoil;
    const open = async (folder: string): Promise<Trees> =>
      spoilTrees(await openTrees(folder, settings(home)), root);
    return {
      root,
      secret,
      trees: async () => await open(root),
      integrate: async () => spoilIntegrate(await openIntegrate(root, settings(home)), root),
      bare: async () => {
        const folder = fresh('bare');
        git(root, 'clone', '-q', '--bare', root, folder);
        return await open(folder);
      },
      shallow: async () => {
        const folder = fresh('shallow');
        commit(root, 'One more.');
        git(root, 'clone', '-q', '--depth', '1', `file://${root}`, folder);
        return await open(folder);
      },
      imprint: () => imprintOf(root),
      branches: () => branchesOf(root),
      write: (folder, path, content) => write(folder, path, content),
      read: (folder, path) =>
        existsSync(join(folder, path)) ? readFileSync(join(folder, path), 'utf8') : undefined,
      exists: (path) => existsSync(path),
      commit: (folder, message) => commit(folder, message),
      git: (folder, ...args) => git(folder, ...args),
      removeFolder: (folder) => rmSync(folder, { recursive: true }),
      trap: () => trap(root),
      submodule: (isHere) => {
        if (isHere) submodule(root);
        else rmSync(join(root, '.git/modules/sub'), { recursive: true });
      },
      live: async (folder) => {
        const end = await live(join(home, 'runs'), folder);
        ends.push(end);
        return end;
      },
      // A case that fails has ended nobody.
      dispose: async () => {
        for (const end of ends) await end();
        for (const path of [root, home]) rmSync(path, { recursive: true, force: true });
      },
    };
  };
}

function submodule(root: string): void {
  const inner = init();
  write(inner, 'inner.txt', 'inner\n');
  commit(inner);
  gitWith(root, ['-c', 'protocol.file.allow=always', 'submodule', 'add', '-q', inner, 'sub']);
  commit(root, 'With a submodule.');
}

async function live(runs: string, folder: string): Promise<() => Promise<void>> {
  const file = fresh('pid');
  const started = startProgram({
    program: process.execPath,
    args: ['-e', stubborn(file)],
    cwd: folder,
    env: process.env,
    stdio: 'ignore',
    note: (mark) => noteRun(runs, { what: 'agent', folder, leg: null }, mark),
  });
  await textIn(file);
  return async () => void (await started.end({ graceMs: 20 }));
}

function trap(root: string): () => boolean {
  const trace = join(root, '.git', 'sprung');
  const script = `#!/bin/sh\ntouch ${trace}\ncat\n`;
  write(root, '.git/trap', script, 0o755);
  const program = join(root, '.git', 'trap');
  for (const hook of [
    'post-checkout',
    'reference-transaction',
    'pre-commit',
    'post-merge',
    'commit-msg',
    'prepare-commit-msg',
  ])
    write(root, `.git/hooks/${hook}`, script.replace('cat\n', ''), 0o755);
  for (const key of ['filter.trap.clean', 'filter.trap.smudge', 'diff.external', 'core.fsmonitor'])
    git(root, 'config', key, program);
  git(root, 'config', 'merge.trap.driver', `${program} %A`);
  write(root, '.git/info/attributes', '*.txt filter=trap diff=trap merge=trap\n');
  rmSync(trace, { force: true });
  return () => existsSync(trace);
}
