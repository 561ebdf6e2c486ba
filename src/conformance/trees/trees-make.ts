import type { Tree, TreeOrder } from '../../ports/trees.ts';
import { check, expectRefusal, same, type Case } from '../case.ts';
import type { TreesScratch } from './trees-scratch.ts';

const first = { run: 'fence', task: 'posts', base: 'main' } as const;

async function makeTree(on: TreesScratch, order: Partial<TreeOrder> = {}): Promise<Tree> {
  return await (await on.trees()).make({ ...first, ...order });
}

const node = process.execPath;

/** A command that leaves a word in the folder that it runs in. */
function add(text: string): string[] {
  return [node, '-e', `require('node:fs').appendFileSync('said.txt', '${text}')`];
}

export const treesMakeCases: readonly Case<TreesScratch>[] = [
  {
    id: 'TR1',
    title: 'a tree lies outside the repository, on a branch of its own, at the base',
    run: async (on) => {
      const base = on.commit(on.root, 'Another.');
      const tree = await makeTree(on);
      check(!tree.path.startsWith(on.root), `${tree.path} lies in the repository`);
      same(tree.branch, 'staffetta/fence/posts', 'its branch');
      same([tree.base, tree.began, tree.isReady], [base, 'new', true], 'what it is');
      same(on.git(tree.path, 'rev-parse', 'HEAD').trim(), base, 'where it is');
      same(on.git(tree.path, 'symbolic-ref', '--short', 'HEAD').trim(), tree.branch, 'what is checked out');
      same(on.read(tree.path, 'a.txt'), on.read(on.root, 'a.txt'), 'a file');
      same(on.git(tree.path, 'status', '--porcelain'), '', 'what differs in a new tree');
    },
  },
  {
    id: 'TR1',
    title: 'asked again it gives the same tree as its agent left it',
    run: async (on) => {
      const tree = await makeTree(on);
      on.write(tree.path, 'a.txt', 'half done\n');
      on.write(tree.path, 'new.txt', 'new\n');
      const again = await makeTree(on);
      same([again.path, again.began], [tree.path, 'tree'], 'what it gave');
      same(
        [on.read(tree.path, 'a.txt'), on.read(tree.path, 'new.txt')],
        ['half done\n', 'new\n'],
        'its files',
      );
      same(
        (await (await on.trees()).list('fence')).map(({ path }) => path),
        [tree.path],
        'all trees',
      );
    },
  },
  {
    id: 'TR2',
    title: 'the checkout, its index and other branches stay as they are, and nothing is run',
    run: async (on) => {
      on.write(on.root, 'a.txt', 'not committed\n');
      on.write(on.root, 'new.txt', 'not tracked\n');
      on.git(on.root, 'add', 'new.txt');
      const sprung = on.trap();
      const before = on.imprint();
      const trees = await on.trees();
      const tree = await trees.make(first);
      await trees.remove(tree, 'main');
      same(on.imprint(), before, 'the checkout');
      check(!sprung(), 'a program that the repository names was started');
    },
  },
  {
    id: 'TR3',
    title: 'a branch whose folder is gone gets its folder back',
    run: async (on) => {
      const tree = await makeTree(on);
      on.write(tree.path, 'a.txt', 'done\n');
      const done = on.commit(tree.path, 'Done.');
      on.removeFolder(tree.path);
      const again = await makeTree(on);
      same([again.branch, again.began], [tree.branch, 'branch'], 'what it goes on from');
      same(on.git(again.path, 'rev-parse', 'HEAD').trim(), done, 'where it is');
    },
  },
  {
    id: 'TR3',
    title: 'a branch that does not hold the base is kept under another name',
    run: async (on) => {
      on.git(on.root, 'branch', 'staffetta/fence/posts');
      const left = on.branches()['staffetta/fence/posts'];
      on.write(on.root, 'a.txt', 'later\n');
      const base = on.commit(on.root, 'Later.');
      const tree = await makeTree(on);
      same(on.git(tree.path, 'rev-parse', 'HEAD').trim(), base, 'where it is');
      same(
        tree.aside.map((name) => on.branches()[name]),
        [left],
        'what was set aside',
      );
    },
  },
  {
    id: 'TR3',
    title: 'a folder that lies in its place is kept under another name',
    run: async (on) => {
      const { path } = await makeTree(on);
      await (await on.trees()).remove(first, 'main');
      on.write(path, 'notes.txt', 'mine\n');
      const tree = await makeTree(on);
      const [aside = ''] = tree.aside;
      same([tree.path, on.read(aside, 'notes.txt')], [path, 'mine\n'], 'the tree, and what lay there');
      same(on.read(tree.path, 'notes.txt'), undefined, 'what lay there, in the tree');
    },
  },
  {
    id: 'TR4',
    title: 'what no tree will have is told before the first',
    run: async (on) => {
      on.write(on.root, 'a.txt', 'not committed\n');
      on.write(on.root, 'new.txt', 'not tracked\n');
      const { commit, isShallow, uncommitted } = await (await on.trees()).ground('main');
      same([commit, isShallow], [on.branches()['main'], false], 'the ground');
      same(uncommitted.toSorted(), ['a.txt', 'new.txt'], 'what is not committed');
      same((await (await on.shallow()).ground('HEAD')).isShallow, true, 'whether history is cut off');
    },
  },
  {
    id: 'TR4',
    title: 'a base that is not there and a repository without a working tree are refused',
    run: async (on) => {
      const trees = await on.trees();
      await expectRefusal(async () => await trees.ground('no-such-branch'), 'commit-missing', 'the ground');
      await expectRefusal(
        async () => await trees.make({ ...first, base: '0'.repeat(40) }),
        'commit-missing',
        'a tree',
      );
      await expectRefusal(on.bare, 'workspace-unusable', 'a bare repository');
      await expectRefusal(
        async () => await trees.make({ ...first, task: '../posts' }),
        'invalid-input',
        'a name that leads away',
      );
    },
  },
  {
    id: 'TR5',
    title: 'what is declared is copied, but no secret without consent, and nothing from elsewhere',
    run: async (on) => {
      on.write(on.root, '.gitignore', 'local/\n.env*\n');
      on.commit(on.root, 'Ignored.');
      on.write(on.root, 'local/port.txt', '8080\n');
      on.write(on.root, '.env', on.secret);
      on.write(on.root, '.env.local', on.secret);
      const copy = ['local/port.txt', '.env', '.env.local', 'gone.txt', '../outside.txt', 'a.txt', 'local'];
      const tree = await makeTree(on, { copy, consent: ['.env.local'] });
      same(tree.copied, ['local/port.txt', '.env.local', 'a.txt'], 'what was copied');
      same(
        tree.notCopied.map(({ path, reason }) => [path, reason]),
        [
          ['.env', 'secret'],
          ['gone.txt', 'missing'],
          ['../outside.txt', 'outside'],
          ['local', 'no-file'],
        ],
        'what was not',
      );
      same(on.read(tree.path, 'local/port.txt'), '8080\n', 'a copy');
      same(on.read(tree.path, '.env'), undefined, 'a secret');
      same(on.read(tree.path, '.env.local'), on.secret, 'a secret with consent');
    },
  },
  {
    id: 'TR5',
    title: 'what is in the tree already is not written over',
    run: async (on) => {
      on.write(on.root, 'a.txt', 'not committed\n');
      const tree = await makeTree(on, { copy: ['a.txt'] });
      same(tree.notCopied, [{ path: 'a.txt', reason: 'there' }], 'what was not copied');
      same(on.read(tree.path, 'a.txt') === 'not committed\n', false, 'whether it was written over');
    },
  },
  {
    id: 'TR6',
    title: 'a new tree is set up, command by command, in the tree, and once',
    run: async (on) => {
      const tree = await makeTree(on, { setup: [add('one '), add('two ')] });
      same([tree.isReady, tree.failed], [true, null], 'whether it is ready');
      same(on.read(tree.path, 'said.txt'), 'one two ', 'what was run');
      await makeTree(on, { setup: [add('three ')] });
      same(on.read(tree.path, 'said.txt'), 'one two ', 'what was run in a tree that is ready');
    },
  },
  {
    id: 'TR6',
    title: 'a setup that fails is told with what it said, and tried again',
    run: async (on) => {
      const script = "if (!require('node:fs').existsSync('go')) { console.log('no go'); process.exit(3); }";
      const after = [node, '-e', "require('node:fs').writeFileSync('after', '')"];
      const setup = [[node, '-e', script], after];
      const tree = await makeTree(on, { setup });
      same(tree.isReady, false, 'whether it is ready');
      same(tree.failed?.end, { how: 'exited', code: 3 }, 'how it ended');
      check(tree.failed?.output.includes('no go') === true, 'what it said is lost');
      check(!on.exists(`${tree.path}/after`), 'the next command was run');
      on.write(tree.path, 'go', '');
      same(
        [(await makeTree(on, { setup })).isReady, on.exists(`${tree.path}/after`)],
        [true, true],
        'the second time',
      );
    },
  },
  {
    id: 'TR7',
    title: 'a submodule is filled from what is here, and one that is not here is told',
    run: async (on) => {
      on.submodule(true);
      same((await (await on.trees()).ground('main')).absent, [], 'what is not here');
      const tree = await makeTree(on);
      same(
        tree.submodules.map(({ path, isFilled }) => [path, isFilled]),
        [['sub', true]],
        'submodules',
      );
      same(on.read(tree.path, 'sub/inner.txt'), 'inner\n', 'a file of it');
      same(on.git(tree.path, 'status', '--porcelain'), '', 'what differs');
      same((await (await on.trees()).remove(first, 'main')).removed, true, 'whether it can be removed');
      on.submodule(false);
      same((await (await on.trees()).ground('main')).absent, ['sub'], 'what is not here any more');
      const without = await makeTree(on, { task: 'boards' });
      same(
        without.submodules.map(({ isFilled }) => isFilled),
        [false],
        'one that is not here',
      );
    },
  },
  {
    id: 'TR9',
    title: 'a tree in which a process lives is given to nobody else',
    run: async (on) => {
      const tree = await makeTree(on);
      on.write(tree.path, 'a.txt', 'half done\n');
      const end = await on.live(tree.path);
      const other = await makeTree(on);
      check(other.path !== tree.path && other.branch !== tree.branch, 'the tree is shared');
      same(other.insteadOf?.path, tree.path, 'instead of which');
      check((other.insteadOf?.pids.length ?? 0) > 0, 'who lives there is not told');
      same((await (await on.trees()).remove(first, 'main')).removed, true, 'whether the new one can go');
      same(on.read(tree.path, 'a.txt'), 'half done\n', 'the old one');
      await end();
      same((await makeTree(on)).path, tree.path, 'the tree once nobody lives there');
    },
  },
];
