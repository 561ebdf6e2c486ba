import type { Removal, Tree, TreeOrder } from '../../ports/trees.ts';
import { check, same, type Case } from '../case.ts';
import type { TreesScratch } from './trees-scratch.ts';

const first: TreeOrder = { run: 'fence', task: 'posts', base: 'main' };

async function begun(
  on: TreesScratch,
): Promise<{ readonly tree: Tree; readonly remove: (into?: string) => Promise<Removal> }> {
  const trees = await on.trees();
  const tree = await trees.make(first);
  return { tree, remove: async (into = 'main') => await trees.remove(first, into) };
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
];
