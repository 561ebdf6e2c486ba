/** A call that is killed at any step is finished by the next one, and several processes at once come to one result. */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { IntegrateOrder, Integration, Removal, Tree } from '../../src/ports/index.ts';
import { integrateSteps, openIntegrate } from '../../src/workspace/integrate/open.ts';
import { openTrees } from '../../src/workspace/trees/open.ts';
import { treeSteps } from '../../src/workspace/trees/reached.ts';
import { bundled } from '../crash/run-child.ts';
import { commit, env, fresh, git, gitWith, init, write } from '../workspace/sandbox.ts';
import type { ChildCall } from './child.ts';
import { begin, branchesOf, imprintOf, settings } from './scratch.ts';

interface Place {
  readonly root: string;
  readonly home: string;
}

function place(): Place {
  const root = begin();
  const inner = init();
  write(inner, 'inner.txt', 'inner\n');
  commit(inner);
  gitWith(root, ['-c', 'protocol.file.allow=always', 'submodule', 'add', '-q', inner, 'sub']);
  write(root, '.gitignore', 'local.txt\nset-up.txt\n');
  commit(root, 'With a submodule.');
  write(root, 'local.txt', 'local\n');
  const home = fresh('home');
  mkdirSync(home);
  return { root, home };
}

/** What it said; undefined if it was killed. */
async function call(about: ChildCall): Promise<unknown[] | undefined> {
  const script = await bundled(join(import.meta.dirname, 'child.ts'));
  const child = spawn(process.execPath, [script, JSON.stringify(about)], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const chunks: Buffer[] = [];
  child.stdout.on('data', (bytes: Buffer) => chunks.push(bytes));
  const [code, signal] = await new Promise<[number | null, string | null]>((resolve) => {
    child.once('close', (exit, by) => resolve([exit, by]));
  });
  if (signal === 'SIGKILL') return undefined;
  expect(code).toBe(0);
  return JSON.parse(Buffer.concat(chunks).toString('utf8')) as unknown[];
}

const order = {
  run: 'fence',
  task: 'posts',
  base: 'main',
  copy: ['local.txt'],
  setup: [[process.execPath, '-e', "require('node:fs').appendFileSync('set-up.txt', 'x')"]],
};
const makeSteps = treeSteps.slice(0, treeSteps.indexOf('ready') + 1);
const removeSteps = treeSteps.slice(makeSteps.length);

describe('a killed call', () => {
  test.each(makeSteps)('make at %s: the next one gives a whole tree', async (killedAt) => {
    const { root, home } = place();
    const before = imprintOf(root);
    expect(await call({ root, home: settings(home).home, make: order, killedAt })).toBeUndefined();
    const tree = await (await openTrees(root, settings(home))).make(order);
    expect(tree).toMatchObject({
      branch: 'staffetta/fence/posts',
      isReady: true,
      aside: [],
      insteadOf: null,
    });
    expect(readdirSync(tree.path).toSorted()).toEqual(
      ['.git', '.gitignore', '.gitmodules', 'a.txt', 'b.txt', 'local.txt', 'set-up.txt', 'sub'].toSorted(),
    );
    expect(existsSync(join(tree.path, 'sub/inner.txt'))).toBe(true);
    expect(git(tree.path, 'status', '--porcelain')).toBe('');
    expect(git(root, 'worktree', 'list').trim().split('\n')).toHaveLength(2);
    expect(Object.keys(branchesOf(root))).toEqual(['main', tree.branch]);
    expect(imprintOf(root)).toEqual(before);
  });

  test.each(removeSteps)('remove at %s: the next one takes the tree away', async (killedAt) => {
    const { root, home } = place();
    const trees = await openTrees(root, settings(home));
    const tree = await trees.make(order);
    const { run, task } = order;
    expect(
      await call({ root, home: settings(home).home, remove: { run, task, into: 'main' }, killedAt }),
    ).toBeUndefined();
    expect(await trees.remove(order, 'main')).toMatchObject({ removed: true });
    expect(existsSync(tree.path)).toBe(false);
    expect(git(root, 'worktree', 'list').trim().split('\n')).toHaveLength(1);
    expect(Object.keys(branchesOf(root))).toEqual(['main']);
    expect(git(join(root, 'sub'), 'worktree', 'list').trim().split('\n')).toHaveLength(1);
    // And its place is free for another.
    expect(await trees.make(order)).toMatchObject({ path: tree.path, began: 'new', isReady: true });
  });

  test.each(integrateSteps)('integrate at %s: the next one integrates it once', async (killedAt) => {
    const { root, home } = place();
    const [asked] = await submissions({ root, home }, ['posts']);
    const before = imprintOf(root);
    expect(
      await call({
        root,
        home: settings(home).home,
        integrate: asked === undefined ? [] : [asked],
        killedAt,
      }),
    ).toBeUndefined();
    const queue = await openIntegrate(root, settings(home));
    const known = await queue.settle('fence', asked?.submitted ?? '');
    expect(known === null).toBe(killedAt !== 'moved');
    const outcome = await queue.integrate(asked ?? failed());
    expect(outcome).toMatchObject({ how: 'integrated', already: killedAt === 'moved' });
    expect(known === null || (outcome.how === 'integrated' && known.commit === outcome.commit)).toBe(true);
    expect(merges(root)).toHaveLength(1);
    expect(imprintOf(root)).toEqual(before);
  });

  test('integrate in its validation: its tree is taken away by the next one', async () => {
    const { root, home } = place();
    const [asked = failed()] = await submissions({ root, home }, ['posts']);
    const kill = [process.execPath, '-e', "process.kill(process.ppid, 'SIGKILL')"];
    expect(
      await call({ root, home: settings(home).home, integrate: [{ ...asked, validation: [kill] }] }),
    ).toBeUndefined();
    expect(git(root, 'worktree', 'list')).toContain('+check-');
    await (await openIntegrate(root, settings(home))).clear('fence');
    expect(git(root, 'worktree', 'list')).not.toContain('+check-');
    expect(
      await call({ root, home: settings(home).home, integrate: [{ ...asked, validation: [kill] }] }),
    ).toBeUndefined();
    const fine = [process.execPath, '-e', ''];
    const queue = await openIntegrate(root, settings(home));
    expect(await queue.integrate({ ...asked, validation: [fine] })).toMatchObject({
      how: 'integrated',
      already: false,
    });
    expect(git(root, 'worktree', 'list')).not.toContain('+check-');
  });
});

describe('several processes at once', () => {
  test('get the same tree from any maker, also after one that was killed', async () => {
    const { root, home } = place();
    const at = { root, home: settings(home).home, make: order };
    expect(await call({ ...at, killedAt: 'added' })).toBeUndefined();
    const said = await Promise.all([call(at), call(at), call(at)]);
    const trees = said.map((one) => one?.[0] as Tree);
    expect(new Set(trees.map(({ path }) => path)).size).toBe(1);
    expect(trees.map(({ began }) => began).toSorted()).toEqual(['new', 'tree', 'tree']);
    expect(readdirSync(trees[0]?.path ?? '')).toContain('set-up.txt');
    expect(git(trees[0]?.path ?? '', 'status', '--porcelain')).toBe('');
  });

  test('one of several that remove it does, and the others are told', async () => {
    const { root, home } = place();
    await (await openTrees(root, settings(home))).make(order);
    const at = { root, home: settings(home).home, remove: { run: 'fence', task: 'posts', into: 'main' } };
    const said = await Promise.all([call(at), call(at)]);
    const removals = said.map((one) => one?.[0] as Removal);
    expect(removals.map((one) => (one.removed ? 'removed' : one.why)).toSorted()).toEqual([
      'removed',
      'unknown',
    ]);
  });

  test('integrate each task once, though each process does all', async () => {
    const { root, home } = place();
    const orders = await submissions({ root, home }, ['posts', 'boards', 'gate']);
    const at = { root, home: settings(home).home };
    const said = await Promise.all([
      call({ ...at, integrate: orders }),
      call({ ...at, integrate: orders.toReversed() }),
    ]);
    const outcomes = said.flat() as Integration[];
    expect(outcomes.map(({ how }) => how)).toEqual(Array.from({ length: 6 }, () => 'integrated'));
    expect(outcomes.filter((one) => one.how === 'integrated' && !one.already)).toHaveLength(3);
    expect(merges(root)).toHaveLength(3);
  });
});

function failed(): never {
  throw new Error('nothing was submitted');
}

function merges(root: string): string[] {
  return git(root, 'rev-list', '--first-parent', '--merges', 'staffetta/fence/+integrated')
    .trim()
    .split('\n');
}

async function submissions({ root, home }: Place, tasks: readonly string[]): Promise<IntegrateOrder[]> {
  const trees = await openTrees(root, settings(home));
  const orders: IntegrateOrder[] = [];
  for (const task of tasks) {
    const { path } = await trees.make({ run: 'fence', task, base: 'main' });
    write(path, `${task}.txt`, `${task}\n`);
    orders.push({ run: 'fence', task, base: 'main', submitted: commit(path, task), title: task });
  }
  return orders;
}
