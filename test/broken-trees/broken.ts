import { copyFileSync, existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Integrate, Integration, Trees } from '../../src/ports/index.ts';
import { git } from '../workspace/sandbox.ts';

/** Trees, or a queue, that break one sentence of their contract, and how. Cases of that sentence must catch it. */
export interface BrokenTrees {
  readonly breaks: string;
  readonly how: string;
  readonly trees?: (trees: Trees, root: string) => Partial<Trees>;
  readonly integrate?: (integrate: Integrate, root: string) => Partial<Integrate>;
}

const head = 'refs/heads/staffetta/fence/+integrated';

function attempt(act: () => unknown): void {
  try {
    act();
  } catch {
    // There was nothing to spoil.
  }
}

/** The same merge once more, under another name. */
function again(root: string, outcome: Integration, message = 'again'): Integration {
  if (outcome.how !== 'integrated') return outcome;
  const parents = git(root, 'rev-parse', `${outcome.commit}^@`).trim().split('\n');
  const [first = '', ...others] = parents;
  const onto = message === 'again' ? git(root, 'rev-parse', head).trim() : first;
  const args = [
    'commit-tree',
    outcome.tree,
    '-p',
    onto,
    ...others.flatMap((parent) => ['-p', parent]),
    '-m',
    message,
  ];
  const commit = git(root, ...args).trim();
  git(root, 'update-ref', head, commit);
  return { ...outcome, commit };
}

const onceMore: NonNullable<BrokenTrees['integrate']> = (queue, root) => ({
  integrate: async (order) => {
    const outcome = await queue.integrate(order);
    return outcome.how === 'integrated' && outcome.already ? again(root, outcome) : outcome;
  },
});

export const brokenTrees: readonly BrokenTrees[] = [
  {
    breaks: 'TR1',
    how: 'the tree is the checkout of the user',
    trees: (trees, root) => ({ make: async (order) => ({ ...(await trees.make(order)), path: root }) }),
  },
  {
    breaks: 'TR1',
    how: 'a tree that is given again is cleaned',
    trees: (trees) => ({
      make: async (order) => {
        const tree = await trees.make(order);
        git(tree.path, 'reset', '-q', '--hard');
        return tree;
      },
    }),
  },
  {
    breaks: 'TR2',
    how: 'the base is checked out in the checkout of the user',
    trees: (trees, root) => ({
      make: async (order) => {
        git(root, 'checkout', '-q', '-f', '--detach', order.base);
        return await trees.make(order);
      },
    }),
  },
  {
    breaks: 'TR3',
    how: 'a branch that is left is deleted',
    trees: (trees, root) => ({
      make: async (order) => {
        attempt(() => git(root, 'worktree', 'prune'));
        attempt(() => git(root, 'branch', '-q', '-D', `staffetta/${order.run}/${order.task}`));
        return await trees.make(order);
      },
    }),
  },
  {
    breaks: 'TR3',
    how: 'what was set aside is deleted',
    trees: (trees) => ({
      make: async (order) => {
        const tree = await trees.make(order);
        for (const name of tree.aside) if (existsSync(name)) rmSync(name, { recursive: true });
        return tree;
      },
    }),
  },
  {
    breaks: 'TR4',
    how: 'nothing is told of the checkout',
    trees: (trees) => ({
      ground: async (base) => ({
        ...(await trees.ground(base)),
        isShallow: false,
        uncommitted: [],
        absent: [],
      }),
    }),
  },
  {
    breaks: 'TR4',
    how: 'a base that is not there is taken for another',
    trees: (trees) => ({
      ground: async () => await trees.ground('HEAD'),
      make: async (order) => await trees.make({ ...order, base: 'HEAD' }),
    }),
  },
  {
    breaks: 'TR5',
    how: 'secrets are copied without consent',
    trees: (trees) => ({
      make: async (order) => await trees.make({ ...order, consent: order.copy ?? [] }),
    }),
  },
  {
    breaks: 'TR5',
    how: 'copies are written over what is there',
    trees: (trees, root) => ({
      make: async (order) => {
        const tree = await trees.make(order);
        for (const path of order.copy ?? [])
          attempt(() => copyFileSync(join(root, path), join(tree.path, path)));
        return tree;
      },
    }),
  },
  {
    breaks: 'TR6',
    how: 'nothing is set up',
    trees: (trees) => ({ make: async (order) => await trees.make({ ...order, setup: [] }) }),
  },
  {
    breaks: 'TR7',
    how: 'every submodule is said to be filled',
    trees: (trees) => ({
      make: async (order) => {
        const tree = await trees.make(order);
        return { ...tree, submodules: tree.submodules.map((one) => ({ ...one, isFilled: true })) };
      },
    }),
  },
  {
    breaks: 'TR8',
    how: 'a tree is removed whatever is in it',
    trees: (trees) => ({
      remove: async ({ run }) => {
        for (const { path } of await trees.list(run)) rmSync(path, { recursive: true });
        return { removed: true, ignored: [] };
      },
    }),
  },
  {
    breaks: 'TR8',
    how: 'only a tree whose very commits are contained is removed, and none that has any',
    trees: (trees) => ({
      remove: async (name) => {
        const [tree] = await trees.list(name.run);
        if (tree === undefined || git(tree.path, 'rev-parse', 'HEAD').trim() === tree.base)
          return await trees.remove(name, tree?.base ?? 'HEAD');
        return { removed: false, why: 'not-contained', details: ['all'] };
      },
    }),
  },
  {
    breaks: 'TR9',
    how: 'a tree is shared with the one that works in it',
    trees: (trees) => ({
      make: async (order) => {
        const [there] = await trees.list(order.run);
        const tree = await trees.make(order);
        return there === undefined ? tree : { ...tree, path: there.path, branch: there.branch };
      },
    }),
  },
  {
    breaks: 'TR10',
    how: 'each call makes a tree of its own',
    trees: (trees) => {
      let count = 0;
      return {
        make: async (order) =>
          await trees.make({ ...order, task: `${order.task}-${count++}-${Math.random()}` }),
      };
    },
  },
  {
    breaks: 'TR11',
    how: 'what is not tracked is left out',
    trees: () => ({
      commit: async ({ path, title }) => {
        git(path, '-c', 'core.hooksPath=/dev/null', 'commit', '-a', '--allow-empty', '-m', title);
        return { head: git(path, 'rev-parse', 'HEAD').trim(), made: true };
      },
    }),
  },
  {
    breaks: 'TR12',
    how: 'a tree is discarded to see what would be lost, and the agent that works there',
    trees: (trees, root) => ({
      discard: async ({ run }) => {
        for (const { path } of await trees.list(run)) git(root, 'worktree', 'remove', '--force', path);
        return { removed: true, lost: [] };
      },
    }),
  },
  {
    breaks: 'IN1',
    how: 'the submitted commit is no parent',
    integrate: (queue, root) => ({
      integrate: async (order) => {
        const outcome = await queue.integrate(order);
        if (outcome.how !== 'integrated') return outcome;
        const commit = git(root, 'commit-tree', outcome.tree, '-p', outcome.onto, '-m', 'squashed').trim();
        git(root, 'update-ref', head, commit);
        return { ...outcome, commit };
      },
    }),
  },
  {
    breaks: 'IN2',
    how: 'what the user changed is thrown away',
    integrate: (queue, root) => ({
      integrate: async (order) => {
        git(root, 'reset', '-q', '--hard');
        return await queue.integrate(order);
      },
    }),
  },
  {
    breaks: 'IN2',
    how: 'it is merged by what lies in the checkout',
    integrate: (queue, root) => ({
      integrate: async (order) => {
        const outcome = await queue.integrate(order);
        if (outcome.how !== 'conflict') return outcome;
        const tree = git(root, 'merge-tree', '--write-tree', outcome.onto, order.submitted).trim();
        return { how: 'integrated', commit: outcome.onto, onto: outcome.onto, tree, already: false };
      },
    }),
  },
  {
    breaks: 'IN3',
    how: 'the files of a conflict are not named',
    integrate: (queue) => ({
      integrate: async (order) => {
        const outcome = await queue.integrate(order);
        return outcome.how === 'conflict' ? { ...outcome, files: [] } : outcome;
      },
    }),
  },
  {
    breaks: 'IN4',
    how: 'nothing is validated',
    integrate: (queue) => ({
      integrate: async (order) => await queue.integrate({ ...order, validation: [] }),
    }),
  },
  { breaks: 'IN5', how: 'what is there is integrated once more', integrate: onceMore },
  { breaks: 'IN6', how: 'what is there is integrated once more', integrate: onceMore },
  {
    breaks: 'IN7',
    how: 'a branch is moved under a checkout',
    integrate: (queue, root) => ({
      integrate: async (order) => {
        const was = git(root, 'symbolic-ref', 'HEAD').trim();
        git(root, 'checkout', '-q', '--detach');
        try {
          return await queue.integrate(order);
        } finally {
          git(root, 'symbolic-ref', 'HEAD', was);
        }
      },
    }),
  },
  {
    breaks: 'IN8',
    how: 'the message says nothing',
    integrate: (queue, root) => ({
      integrate: async (order) => again(root, await queue.integrate(order), 'merged'),
    }),
  },
  {
    breaks: 'IN9',
    how: 'everything is merged',
    integrate: (queue) => ({
      integrate: async (order) => await queue.integrate({ ...order, linear: false }),
    }),
  },
  {
    breaks: 'IN10',
    how: 'the branch is moved whatever it holds',
    integrate: (_queue, root) => ({
      land: async (run, branch) => {
        const from = git(root, 'rev-parse', branch).trim();
        attempt(() => git(root, 'branch', '-f', branch, `staffetta/${run}/+integrated`));
        attempt(() => git(root, 'update-ref', `refs/heads/${branch}`, head));
        return { landed: true, from, to: git(root, 'rev-parse', branch).trim() };
      },
    }),
  },
  {
    breaks: 'IN11',
    how: 'the head is that of the checkout',
    integrate: (_queue, root) => ({ head: async () => git(root, 'rev-parse', 'HEAD').trim() }),
  },
  {
    breaks: 'IN12',
    how: 'the branch is written over, whatever it holds',
    integrate: (_queue, root) => ({
      hold: async (run, commit) => {
        git(root, 'update-ref', `refs/heads/staffetta/${run}/+integrated`, commit);
      },
    }),
  },
  {
    breaks: 'IN12',
    how: 'the branch stays where somebody moved it',
    integrate: () => ({ hold: async () => {} }),
  },
];
