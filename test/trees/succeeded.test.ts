/** A successor never shares a tree with one who lives, and has what the last packet says. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openCrewGround } from '../../src/compose/workspace.ts';
import { openStore } from '../../src/compose/open-store.ts';
import { noteRun } from '../../src/process/orphans.ts';
import { startProgram } from '../../src/process/start.ts';
import { homeOf } from '../../src/home/home.ts';
import { sqliteAddress } from '../../src/stores/sqlite/address.ts';
import { openIntegrate } from '../../src/workspace/integrate/open.ts';
import { openTrees } from '../../src/workspace/trees/open.ts';
import { forkedTwice, stubborn, textIn } from '../process/children.ts';
import { captureOf, commit, env, fresh, git, refusal, write } from '../workspace/sandbox.ts';
import { begin, settings } from './scratch.ts';

/** In two parts, so that this file is no secret itself. */
const awsLine = ['AWS_SECRET_ACCESS_', 'KEY=wJalrXUtnFEMI/', 'K7MDENG/bPxRfiCYzKq8Vn2pLt'].join('');

const first = { run: 'fence', task: 'posts', base: 'main' };

test('while a command of the predecessor lives, in a session of its own, its successor works elsewhere from the packet', async () => {
  const root = begin();
  const home = fresh('home');
  const trees = await openTrees(root, settings(home));
  const tree = await trees.make(first);
  write(tree.path, 'a.txt', 'committed\n');
  const head = commit(tree.path, 'Half.');
  write(tree.path, 'b.txt', 'captured\n');
  const taken = await captureOf(tree.path);
  const packet = { manifest: taken.manifest, read: taken.blobs.read };
  const file = fresh('pid');
  const started = startProgram({
    program: process.execPath,
    args: ['-e', forkedTwice(stubborn(file))],
    cwd: tree.path,
    env: process.env,
    stdio: 'ignore',
    note: (mark) => noteRun(join(home, 'runs'), { what: 'agent', folder: tree.path, leg: null }, mark),
  });
  const pid = Number(await textIn(file));
  await started.exited;
  write(tree.path, 'b.txt', 'written after the packet\n');
  const other = await trees.make({ ...first, packet });
  expect(other).toMatchObject({
    began: 'packet',
    branch: 'staffetta/fence/posts+2',
    insteadOf: { path: tree.path, pids: [pid] },
  });
  expect(git(other.path, 'rev-parse', 'HEAD').trim()).toBe(head);
  expect(readFileSync(join(other.path, 'b.txt'), 'utf8')).toBe('captured\n');
  expect(readFileSync(join(tree.path, 'b.txt'), 'utf8')).toBe('written after the packet\n');
  await started.end({ graceMs: 20 });
  // The successor's is the newest, and stays so; the old one is named until somebody has looked at it.
  expect(await trees.make({ ...first, packet })).toMatchObject({ path: other.path, began: 'tree' });
  expect((await trees.list('fence')).map(({ path }) => path).toSorted()).toEqual(
    [tree.path, other.path].toSorted(),
  );
  expect(await trees.remove(tree, head)).toMatchObject({
    removed: false,
    why: 'changed',
    details: ['b.txt'],
  });
});

test('a tree lies in the data folder of the user, and no secret is copied that the redactor knows', async () => {
  const root = begin();
  const data = fresh('data');
  const file = join(root, '.staffetta', 'store.db');
  mkdirSync(join(root, '.staffetta'));
  write(root, '.gitignore', '.staffetta/\n.env\nport.txt\n');
  commit(root, 'Ignored.');
  write(root, '.env', `${awsLine}\n`);
  write(root, 'port.txt', '8080\n');
  const store = await openStore(sqliteAddress(file), { create: true });
  const ground = await openCrewGround(root, store, { ...env, XDG_DATA_HOME: data });
  const tree = await ground.trees.make({ ...first, copy: ['.env', 'port.txt'] });
  expect(tree.path.startsWith(data)).toBe(true);
  expect(tree).toMatchObject({ copied: ['port.txt'], notCopied: [{ path: '.env', reason: 'secret' }] });
  const runs = homeOf(store.address)?.runs;
  const pidFile = fresh('pid');
  const started = startProgram({
    program: process.execPath,
    args: ['-e', stubborn(pidFile)],
    cwd: tree.path,
    env: process.env,
    stdio: 'ignore',
    note: (mark) => noteRun(runs, { what: 'agent', folder: tree.path, leg: null }, mark),
  });
  await textIn(pidFile);
  expect(await ground.trees.remove(first, 'main')).toMatchObject({ removed: false, why: 'alive' });
  await started.end({ graceMs: 20 });
  expect(await ground.trees.remove(first, 'main')).toMatchObject({ removed: true, ignored: ['port.txt'] });
  await store.close();
});

test('a tree from a packet that was cut off in the middle is brought back whole', async () => {
  const root = begin();
  const home = fresh('home');
  const tree = await (await openTrees(root, settings(home))).make(first);
  write(tree.path, 'a.txt', 'captured\n');
  write(tree.path, 'new.txt', 'new\n');
  const taken = await captureOf(tree.path);
  const packet = { manifest: taken.manifest, read: taken.blobs.read };
  const elsewhere = fresh('home');
  const cut = await openTrees(root, {
    ...settings(elsewhere),
    reached: (step) => {
      if (step === 'restored') throw new Error('cut off');
    },
  });
  const second = { ...first, task: 'boards', packet };
  await expect(cut.make(second)).rejects.toThrow('cut off');
  const other = await (await openTrees(root, settings(elsewhere))).make(second);
  expect(other).toMatchObject({ began: 'packet', isReady: true, aside: [] });
  expect((await captureOf(other.path)).manifest.entries).toEqual(taken.manifest.entries);
});

test('no tree is made inside the repository', async () => {
  const root = begin();
  const error = await refusal(openTrees(root, settings(join(root, '.staffetta'))));
  expect(error).toMatchObject({ code: 'unsafe-path' });
  expect(existsSync(join(root, '.staffetta'))).toBe(false);
});

test('a git that cannot merge without a checkout is named with the version that can', async () => {
  const root = begin();
  const bin = fresh('bin');
  mkdirSync(bin);
  // As git 2.37 answers: it knows no such option.
  const older = `#!/bin/sh\nfor word; do [ "$word" = --write-tree ] && { echo 'usage: git merge-tree' >&2; exit 129; }; done\nexec ${git(root, '--exec-path').trim()}/git "$@"\n`;
  writeFileSync(join(bin, 'git'), older, { mode: 0o755 });
  const options = { ...settings(fresh('home')), env: { ...env, PATH: `${bin}:${env['PATH'] ?? ''}` } };
  const tree = await (await openTrees(root, options)).make(first);
  write(tree.path, 'a.txt', 'done\n');
  const submitted = commit(tree.path, 'Done.');
  const queue = await openIntegrate(root, options);
  const error = await refusal(queue.integrate({ ...first, submitted, title: 'Posts' }));
  expect(error).toMatchObject({ code: 'git-missing', hint: 'Install git 2.38 or newer.' });
});
