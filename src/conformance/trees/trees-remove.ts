import type { Removal, Tree, TreeOrder, Trees } from '../../ports/trees.ts';
import { check, expectRefusal, same, type Case } from '../case.ts';
import type { TreesScratch } from './trees-scratch.ts';

const first: TreeOrder = { run: 'fence', task: 'posts', base: 'main' };

async function begun(on: TreesScratch): Promise<{
  readonly trees: Trees;
  readonly tree: Tree;
  readonly remove: (into?: string) => Promise<Removal>;
}> {
  const trees = await on.trees();
  const tree = await trees.make(first);
  return { trees, tree, remove: async (into = 'main') => await trees.remove(first, into) };
}

function keptFor(removal: Removal, why: string): void {
  same(removal.removed ? 'removed' : removal.why, why, 'what became of it');
  if (!removal.removed) check(removal.details.length > 0, 'no details are told');
}

export const treesRemoveCases: readonly Case<TreesScratch>[] = [
  {
    id: 'TR8',
    title: 'a clean tree whose commits are contained goes, with its branch, and what git ignored is listed',
    run: async (on) => {
      on.write(on.root, '.gitignore', 'dist/\n');
      on.commit(on.root, 'Ignored.');
      const { tree, remove } = await begun(on);
      on.write(tree.path, 'a.txt', 'done\n');
      on.write(tree.path, 'dist/out.js', 'built\n');
      const done = on.commit(tree.path, 'Done.');
      same(await remove(done), { removed: true, ignored: ['dist/'] }, 'what became of it');
      same(
        [on.exists(tree.path), on.branches()[tree.branch]],
        [false, undefined],
        'the folder and the branch',
      );
      same(await (await on.trees()).list('fence'), [], 'all trees');
    },
  },
  {
    id: 'TR8',
    title: 'a tree with commits of its own, changes, new files or an operation under way stays',
    run: async (on) => {
      const { tree, remove } = await begun(on);
      on.write(tree.path, 'new.txt', 'new\n');
      keptFor(await remove(), 'untracked');
      on.git(tree.path, 'add', 'new.txt');
      keptFor(await remove(), 'changed');
      const done = on.commit(tree.path, 'Done.');
      keptFor(await remove(), 'not-contained');
      on.git(tree.path, 'checkout', '-q', '--detach', 'main');
      keptFor(await remove(), 'not-contained');
      on.git(tree.path, 'checkout', '-q', tree.branch);
      on.git(tree.path, 'bisect', 'start');
      keptFor(await remove(done), 'operation');
      same(on.read(tree.path, 'new.txt'), 'new\n', 'its work');
      same(on.branches()[tree.branch], done, 'its branch');
      same(
        (await (await on.trees()).remove({ run: 'fence', task: 'gate' }, 'main')).removed,
        false,
        'one that nobody made',
      );
    },
  },
  {
    id: 'TR8',
    title: 'a tree in which a process lives stays',
    run: async (on) => {
      const { tree, remove } = await begun(on);
      const end = await on.live(tree.path);
      keptFor(await remove(), 'alive');
      await end();
      same((await remove()).removed, true, 'whether it goes afterwards');
    },
  },
  {
    id: 'TR8',
    title: 'commits that are contained as the same changes are contained',
    run: async (on) => {
      const { tree, remove } = await begun(on);
      on.write(tree.path, 'new.txt', 'new\n');
      const done = on.commit(tree.path, 'Done.');
      on.write(on.root, 'b.txt', 'meanwhile\n');
      on.commit(on.root, 'Meanwhile.');
      on.git(on.root, 'cherry-pick', done);
      same((await remove()).removed, true, 'whether it goes');
    },
  },
  {
    id: 'TR10',
    title: 'of two calls at once both get the same tree',
    run: async (on) => {
      const [one, two] = await Promise.all([on.trees(), on.trees()]);
      const trees = await Promise.all([one.make(first), two.make(first)]);
      same(
        trees.map(({ path }) => path),
        [trees[0].path, trees[0].path],
        'what they got',
      );
      same(trees.map(({ began }) => began).toSorted(), ['new', 'tree'], 'who made it');
      same(
        trees.map(({ isReady }) => isReady),
        [true, true],
        'whether it was ready',
      );
    },
  },
  {
    id: 'TR12',
    title: 'a tree goes with what nobody else has, which is told, and not before',
    run: async (on) => {
      const { tree, trees } = await begun(on);
      on.write(tree.path, 'a.txt', 'done\n');
      const done = on.commit(tree.path, 'Done.');
      on.write(tree.path, 'b.txt', 'changed\n');
      on.write(tree.path, 'new.txt', 'new\n');
      const whole = { removed: true, lost: ['b.txt', 'new.txt', done] };
      same(await trees.discard(first, { dryRun: true }), whole, 'what would be lost');
      same([on.read(tree.path, 'new.txt'), on.branches()[tree.branch]], ['new\n', done], 'what is there');
      same(await trees.discard(first), whole, 'what is lost');
      same(
        [on.exists(tree.path), on.branches()[tree.branch]],
        [false, undefined],
        'the folder and the branch',
      );
      same(await trees.list('fence'), [], 'all trees');
    },
  },
  {
    id: 'TR12',
    title: 'a tree in which a process lives is not discarded',
    run: async (on) => {
      const { tree, trees } = await begun(on);
      const end = await on.live(tree.path);
      const kept = await trees.discard(first);
      same(kept.removed ? 'removed' : kept.why, 'alive', 'what became of it');
      check(on.exists(tree.path), 'it is gone');
      await end();
    },
  },
  {
    id: 'TR11',
    title: 'what was left uncommitted becomes one commit on the head, and nothing is run',
    run: async (on) => {
      const { tree, trees } = await begun(on);
      on.write(tree.path, '.gitignore', 'out/\n');
      const before = on.commit(tree.path, 'Ignored.');
      on.write(tree.path, 'a.txt', 'changed\n');
      on.write(tree.path, 'new.txt', 'new\n');
      on.write(tree.path, 'out/made.txt', 'made\n');
      const left = { path: tree.path, by: 'ada', title: 'Posts' };
      const sprung = on.trap();
      const { head, made } = await trees.commit(left);
      check(!sprung(), 'something of the repository was run');
      same(
        [made, on.git(tree.path, 'rev-parse', 'HEAD', 'HEAD^').trim()],
        [true, `${head}\n${before}`],
        'the head',
      );
      same(on.git(tree.path, 'status', '--porcelain'), '', 'what differs');
      same(
        on.git(tree.path, 'diff', '--name-only', before, head).trim().split('\n'),
        ['a.txt', 'new.txt'],
        'what it holds',
      );
      same(await trees.commit(left), { head, made: false }, 'a second time');
    },
  },
  {
    id: 'TR11',
    title: 'in the middle of a merge it is refused',
    run: async (on) => {
      const { tree, trees } = await begun(on);
      on.write(tree.path, 'a.txt', 'ours\n');
      on.commit(tree.path, 'Ours.');
      on.write(on.root, 'a.txt', 'theirs\n');
      const theirs = on.commit(on.root, 'Theirs.');
      const before = on.git(tree.path, 'rev-parse', 'HEAD');
      try {
        on.git(tree.path, 'merge', theirs);
      } catch {
        // It conflicts.
      }
      await expectRefusal(
        async () => await trees.commit({ path: tree.path, by: 'ada', title: 'Posts' }),
        'git-failed',
        'a commit',
      );
      same(on.git(tree.path, 'rev-parse', 'HEAD'), before, 'the head');
    },
  },
];
