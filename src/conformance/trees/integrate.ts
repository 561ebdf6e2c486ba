import type { Integrate, IntegrateOrder, Integration } from '../../ports/integrate.ts';
import { check, expectRefusal, same, type Case } from '../case.ts';
import type { TreesScratch } from './trees-scratch.ts';

const head = 'staffetta/fence/+integrated';
const node = process.execPath;

/** A tree of a task with one commit that changes a line of a file, or makes one. */
async function submit(
  on: TreesScratch,
  task: string,
  change: { readonly path: string; readonly line?: number },
): Promise<string> {
  const tree = await (await on.trees()).make({ run: 'fence', task, base: 'main' });
  const lines = (on.read(tree.path, change.path) ?? '').split('\n');
  lines[change.line ?? 0] = `by ${task}`;
  on.write(tree.path, change.path, lines.join('\n'));
  return on.commit(tree.path, `Made by ${task}.`);
}

function order(task: string, commit: string, more: Partial<IntegrateOrder> = {}): IntegrateOrder {
  return { run: 'fence', task, submitted: commit, base: 'main', title: `The work of ${task}`, ...more };
}

async function mustIntegrate(
  queue: Integrate,
  asked: IntegrateOrder,
): Promise<Extract<Integration, { how: 'integrated' }>> {
  const outcome = await queue.integrate(asked);
  if (outcome.how !== 'integrated')
    throw new Error(`${asked.task} was not integrated: ${JSON.stringify(outcome)}`);
  return outcome;
}

export const integrateCases: readonly Case<TreesScratch>[] = [
  {
    id: 'IN1',
    title: 'the head and the submitted commit are merged, and the run has a branch of its own',
    run: async (on) => {
      const base = on.branches()['main'] ?? '';
      const [one, two] = [
        await submit(on, 'one', { path: 'a.txt' }),
        await submit(on, 'two', { path: 'a.txt', line: 9 }),
      ];
      const queue = await on.integrate();
      const first = await mustIntegrate(queue, order('one', one));
      same([first.onto, first.already, on.branches()[head]], [base, false, first.commit], 'the first');
      const second = await mustIntegrate(queue, order('two', two));
      same(
        on.git(on.root, 'rev-parse', `${second.commit}^1`, `${second.commit}^2`).trim().split('\n'),
        [first.commit, two],
        'parents',
      );
      same(on.git(on.root, 'rev-parse', `${second.commit}^{tree}`).trim(), second.tree, 'its tree');
      const lines = on.git(on.root, 'show', `${second.commit}:a.txt`).split('\n');
      same([lines[0], lines[9]], ['by one', 'by two'], 'the lines of both');
    },
  },
  {
    id: 'IN2',
    title: 'no checkout, index or branch of others changes, and nothing is run',
    run: async (on) => {
      const one = await submit(on, 'one', { path: 'a.txt' });
      const two = await submit(on, 'two', { path: 'a.txt' });
      on.write(on.root, 'b.txt', 'not committed\n');
      const sprung = on.trap();
      const before = on.imprint();
      const queue = await on.integrate();
      await queue.integrate(order('one', one, { validation: [[node, '-e', '']] }));
      await queue.integrate(order('two', two));
      same(on.imprint(), before, 'the checkout');
      check(!sprung(), 'a program that the repository names was started');
    },
  },
  {
    id: 'IN2',
    title: 'attributes that are not committed do not change what is merged',
    run: async (on) => {
      const one = await submit(on, 'one', { path: 'a.txt' });
      const two = await submit(on, 'two', { path: 'a.txt' });
      const queue = await on.integrate();
      await mustIntegrate(queue, order('one', one));
      on.write(on.root, '.gitattributes', '*.txt merge=union\n');
      same((await queue.integrate(order('two', two))).how, 'conflict', 'what became of it');
    },
  },
  {
    id: 'IN3',
    title: 'a conflict names its files and moves nothing',
    run: async (on) => {
      const one = await submit(on, 'one', { path: 'a.txt' });
      const two = await submit(on, 'two', { path: 'a.txt' });
      const queue = await on.integrate();
      const { commit } = await mustIntegrate(queue, order('one', one));
      same(
        await queue.integrate(order('two', two)),
        { how: 'conflict', onto: commit, files: ['a.txt'] },
        'the outcome',
      );
      same(on.branches()[head], commit, 'the head');
    },
  },
  {
    id: 'IN4',
    title: 'validation sees the merged commit, and one that fails moves nothing',
    run: async (on) => {
      const one = await submit(on, 'one', { path: 'a.txt' });
      const two = await submit(on, 'two', { path: 'b.txt' });
      const queue = await on.integrate();
      const { commit } = await mustIntegrate(queue, order('one', one));
      const script =
        "const { readFileSync } = require('node:fs'); const both = ['a.txt', 'b.txt'].map((f) => readFileSync(f, 'utf8').split('\\n')[0]).join(); console.log(both); process.exit(both === 'by one,by two' ? Number(process.argv.at(-1)) : 9);";
      const red = await queue.integrate(order('two', two, { validation: [[node, '-e', script, '--', '3']] }));
      check(red.how === 'red', `it was ${red.how}`);
      same(
        [red.failed.end, red.failed.output.trim()],
        [{ how: 'exited', code: 3 }, 'by one,by two'],
        'what failed',
      );
      same(on.branches()[head], commit, 'the head');
      const green = await mustIntegrate(
        queue,
        order('two', two, { validation: [[node, '-e', script, '--', '0']] }),
      );
      same(on.branches()[head], green.commit, 'the head afterwards');
      same(
        on.git(on.root, 'worktree', 'list').trim().split('\n').length,
        3,
        'trees that are left: the checkout and two tasks',
      );
    },
  },
  {
    id: 'IN5',
    title: 'of several at once each is integrated once',
    run: async (on) => {
      const tasks = ['one', 'two', 'three', 'four'];
      const commits: string[] = [];
      for (const task of tasks) commits.push(await submit(on, task, { path: `${task}.txt` }));
      const queues = await Promise.all(tasks.map(async () => await on.integrate()));
      await Promise.all(
        tasks.flatMap((task, i) =>
          queues.map(async (queue) => await queue.integrate(order(task, commits[i] ?? ''))),
        ),
      );
      const merges = on.git(on.root, 'rev-list', '--first-parent', '--merges', head).trim().split('\n');
      same(merges.length, tasks.length, 'merges');
      same(
        merges.map((merge) => on.git(on.root, 'rev-parse', `${merge}^2`).trim()).toSorted(),
        commits.toSorted(),
        'what was merged',
      );
    },
  },
  {
    id: 'IN6',
    title: 'what is integrated already is told with its commit, and what has nothing new as empty',
    run: async (on) => {
      const one = await submit(on, 'one', { path: 'a.txt' });
      const two = await submit(on, 'two', { path: 'b.txt' });
      const queue = await on.integrate();
      same(await queue.settle('fence', one), null, 'before');
      const first = await mustIntegrate(queue, order('one', one));
      await mustIntegrate(queue, order('two', two));
      const again = await mustIntegrate(await on.integrate(), order('one', one));
      same(
        [again.commit, again.onto, again.tree, again.already],
        [first.commit, first.onto, first.tree, true],
        'again',
      );
      same(await queue.settle('fence', one), { commit: first.commit }, 'afterwards');
      const merges = on.git(on.root, 'rev-list', '--first-parent', '--merges', head).trim().split('\n');
      same(merges.length, 2, 'merges');
      same(
        (await queue.integrate(order('none', on.branches()['main'] ?? ''))).how,
        'empty',
        'one without a commit',
      );
    },
  },
  {
    id: 'IN7',
    title: 'a branch that is checked out is not moved',
    run: async (on) => {
      const one = await submit(on, 'one', { path: 'a.txt' });
      const two = await submit(on, 'two', { path: 'b.txt' });
      const queue = await on.integrate();
      const { commit } = await mustIntegrate(queue, order('one', one));
      on.git(on.root, 'checkout', '-q', head);
      await expectRefusal(
        async () => await queue.integrate(order('two', two)),
        'workspace-busy',
        'the second',
      );
      same(on.branches()[head], commit, 'the head');
    },
  },
  {
    id: 'IN8',
    title: 'a commit names task and run',
    run: async (on) => {
      const one = await submit(on, 'one', { path: 'a.txt' });
      const { commit } = await mustIntegrate(await on.integrate(), order('one', one));
      const trailers = on
        .git(on.root, 'log', '-1', '--format=%s%n%(trailers:only,unfold)', commit)
        .trim()
        .split('\n');
      same(
        trailers,
        ['The work of one', 'Staffetta-Task: one', 'Staffetta-Run: fence', `Staffetta-Submitted: ${one}`],
        'its message',
      );
    },
  },
  {
    id: 'IN9',
    title: 'in a line the submitted commits are made anew with their authors, validated, and integrated once',
    run: async (on) => {
      const one = await submit(on, 'one', { path: 'a.txt' });
      await submit(on, 'two', { path: 'b.txt' });
      const two = await submit(on, 'two', { path: 'a.txt', line: 9 });
      const queue = await on.integrate();
      const linear = { linear: true };
      const first = await mustIntegrate(queue, order('one', one, linear));
      const second = await mustIntegrate(queue, order('two', two, linear));
      same(on.git(on.root, 'rev-list', '--merges', head), '', 'merges');
      same(on.git(on.root, 'rev-parse', `${second.commit}~2`).trim(), first.commit, 'what both are made on');
      same(
        on.git(on.root, 'log', '-1', '--format=%an %ad', second.commit),
        on.git(on.root, 'log', '-1', '--format=%an %ad', two),
        'its author',
      );
      same(await mustIntegrate(queue, order('two', two, linear)), { ...second, already: true }, 'again');
      const red = await queue.integrate(
        order('three', await submit(on, 'three', { path: 'b.txt', line: 5 }), {
          ...linear,
          validation: [[node, '-e', 'process.exit(1)']],
        }),
      );
      same([red.how, on.branches()[head]], ['red', second.commit], 'one that fails');
    },
  },
  {
    id: 'IN9',
    title: 'in a line a conflict names its files, and a merge is refused',
    run: async (on) => {
      const [one, two] = [
        await submit(on, 'one', { path: 'a.txt' }),
        await submit(on, 'two', { path: 'a.txt' }),
      ];
      const queue = await on.integrate();
      const { commit } = await mustIntegrate(queue, order('one', one, { linear: true }));
      same(
        await queue.integrate(order('two', two, { linear: true })),
        { how: 'conflict', onto: commit, files: ['a.txt'] },
        'a conflict',
      );
      const three = await (await on.trees()).make({ run: 'fence', task: 'three', base: 'main' });
      on.write(three.path, 'c.txt', 'c\n');
      on.commit(three.path, 'Before.');
      on.git(three.path, 'merge', '-q', '--no-ff', '-m', 'Merged.', one);
      const merge = on.git(three.path, 'rev-parse', 'HEAD').trim();
      await expectRefusal(
        async () => await queue.integrate(order('three', merge, { linear: true })),
        'invalid-input',
        'a merge',
      );
    },
  },
  {
    id: 'IN10',
    title: 'landing moves a branch forward, with its checkout where that is clean',
    run: async (on) => {
      const one = await submit(on, 'one', { path: 'a.txt' });
      const queue = await on.integrate();
      const base = on.branches()['main'] ?? '';
      same(
        await queue.land('fence', 'main'),
        { landed: false, why: 'nothing', details: [`refs/heads/${head}`] },
        'nothing',
      );
      const { commit } = await mustIntegrate(queue, order('one', one));
      on.write(on.root, 'b.txt', 'not committed\n');
      const before = on.imprint();
      same(
        await queue.land('fence', 'main'),
        { landed: false, why: 'not-clean', details: ['b.txt'] },
        'over changes',
      );
      same(on.imprint(), before, 'the checkout');
      on.git(on.root, 'checkout', '-q', '--', 'b.txt');
      same(await queue.land('fence', 'main'), { landed: true, from: base, to: commit }, 'a clean one');
      same(
        [on.branches()['main'], on.git(on.root, 'status', '--porcelain')],
        [commit, ''],
        'the branch and its checkout',
      );
      same(on.read(on.root, 'a.txt')?.split('\n')[0], 'by one', 'a file');
    },
  },
  {
    id: 'IN10',
    title: 'a branch that went its own way stays, and one that nobody has checked out is moved',
    run: async (on) => {
      const one = await submit(on, 'one', { path: 'a.txt' });
      on.git(on.root, 'branch', 'release');
      const queue = await on.integrate();
      const { commit } = await mustIntegrate(queue, order('one', one));
      on.write(on.root, 'b.txt', 'meanwhile\n');
      const own = on.commit(on.root, 'Meanwhile.');
      same(
        await queue.land('fence', 'main'),
        { landed: false, why: 'not-forward', details: [own] },
        'one that went its own way',
      );
      same(on.branches()['main'], own, 'the branch');
      same((await queue.land('fence', 'release')).landed, true, 'one that nobody has checked out');
      same(on.branches()['release'], commit, 'that branch');
    },
  },
  {
    id: 'IN11',
    title: 'the head is where the last integration left it',
    run: async (on) => {
      const queue = await on.integrate();
      same(await queue.head('fence'), null, 'the head of a run that has integrated nothing');
      const one = await submit(on, 'one', { path: 'a.txt' });
      const { commit } = await mustIntegrate(queue, order('one', one));
      same(await queue.head('fence'), commit, 'the head');
    },
  },
  {
    id: 'IN12',
    title:
      'a branch that somebody moved back, or deleted, holds what was integrated again; one that went elsewhere stays',
    run: async (on) => {
      const queue = await on.integrate();
      const [one, two] = [
        await submit(on, 'one', { path: 'a.txt' }),
        await submit(on, 'two', { path: 'b.txt' }),
      ];
      const first = await mustIntegrate(queue, order('one', one));
      const { commit } = await mustIntegrate(queue, order('two', two));
      await queue.hold('fence', first.commit);
      same(await queue.head('fence'), commit, 'the head that holds more');
      const branch = 'refs/heads/staffetta/fence/+integrated';
      on.git(on.root, 'update-ref', branch, first.commit);
      await queue.hold('fence', commit);
      same(await queue.head('fence'), commit, 'the head that had gone back');
      on.git(on.root, 'update-ref', '-d', branch);
      await queue.hold('fence', commit);
      same(await queue.head('fence'), commit, 'the head that was deleted');
      const other = await submit(on, 'three', { path: 'c.txt' });
      on.git(on.root, 'update-ref', branch, other);
      await expectRefusal(
        async () => await queue.hold('fence', commit),
        'conflict',
        'one that went elsewhere',
      );
      same(await queue.head('fence'), other, 'the head that went elsewhere');
    },
  },
];
