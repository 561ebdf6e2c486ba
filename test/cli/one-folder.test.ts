/** Several tasks in one folder, and files in it that are nobody's work. */
import { existsSync, utimesSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { openStaffetta } from '../../src/index.ts';
import { Agent } from '../mcp/client.ts';
import { newWorkplace, staffetta, type Json, type Ran } from './command.ts';
import { desk, put } from './programs.ts';

function place(): { readonly folder: string; readonly run: (...args: readonly string[]) => Promise<Ran> } {
  const folder = newWorkplace();
  return { folder, run: async (...args) => await staffetta(args, { cwd: folder }) };
}

function told(phase: string): string {
  return JSON.stringify({ current_phase: phase, blockers: ['no nails'] });
}

async function opened(run: (...args: readonly string[]) => Promise<Ran>, goal: string): Promise<string> {
  const { json } = await run('open', goal, '--validate', 'node check.mjs', '--json');
  return String(json['task']);
}

test('a second task is noticed when it is taken, gets a worktree on its first leg, and its packet names what the other changed', async () => {
  const { folder, run } = place();
  const [first, second] = [await opened(run, 'The fence stands'), await opened(run, 'The gate shuts')];
  expect((await run('take', first, '--as', 'ada', '--json')).json).toMatchObject({ beside: [] });
  writeFileSync(join(folder, 'fence.txt'), 'two posts\n');
  await run('checkpoint', first, '--as', 'ada', '--next', 'paint fence.txt');
  const before = await run('take', second, '--as', 'bea', '--dry-run', '--json');
  expect(before.json).toMatchObject({ beside: [{ task: first, holder: 'ada' }] });
  const taken = await run('take', second, '--as', 'bea');
  expect(taken.stderr).toContain(`ada works on ${first} (The fence stands) in this folder too`);
  const other = `${basename(folder)}-${second}`;
  expect(taken.stderr).toContain(`staffetta restore ${second} --worktree ../${other}`);
  writeFileSync(join(folder, 'gate.txt'), 'one bar\n');
  const sealed = await run('checkpoint', second, '--as', 'bea', '--next', 'hang gate.txt', '--json');
  expect(sealed.json['findings']).toContainEqual(
    expect.objectContaining({
      rule: 'changed-beside',
      text: `Task ${first}, worked on in this folder too, has these among its changes: fence.txt.`,
    }),
  );
  const third = await opened(run, 'The barn has a roof');
  const at = join(dirname(folder), `${basename(folder)}-${third}`);
  const apart = await run('take', third, '--as', 'cyd', '--worktree', at, '--json');
  expect(apart.json).toMatchObject({ beside: [], restored: { root: at } });
  expect(existsSync(join(at, 'fence.txt')) && !existsSync(join(at, 'gate.txt'))).toBe(true);
  // Nobody took it in a folder that is in no repository.
  const outside = await staffetta(
    ['take', '--worktree', 'x', '--store', join(folder, '.staffetta/store.db')],
    {
      cwd: dirname(folder),
    },
  );
  expect(outside.stderr).toMatch(/no git repository|Nothing is on offer/);
});

test('a worktree that nobody named lies beside the folder, named after it and the task, whichever is taken', async () => {
  const { folder, run } = place();
  const [first, second] = [await opened(run, 'The fence stands'), await opened(run, 'The gate shuts')];
  const beside = (task: string): string => join(dirname(folder), `${basename(folder)}-${task}`);
  const named = await run('take', second, '--worktree', '--as', 'ada', '--json');
  expect(named.json).toMatchObject({ restored: { root: beside(second) } });
  const next = await run('take', '--worktree', '--as', 'bea', '--json');
  expect(next.json).toMatchObject({ task: first, restored: { root: beside(first) } });
  expect((await run('restore', first, '--worktree')).stderr).toContain(beside(first));
});

test('what the library or a tool takes in a folder is work there too, for the next that takes', async () => {
  const { folder, run } = place();
  const [first, second] = [await opened(run, 'The fence stands'), await opened(run, 'The gate shuts')];
  const relay = await openStaffetta({ store: join(folder, '.staffetta/store.db'), workspace: folder });
  await relay.take({ task: first, as: 'lib' });
  const begun = await relay.begin({ goal: 'The well has water' }, { as: 'lib' });
  await relay.close();
  const agent = await Agent.start('cyd', { folder });
  const { data } = await agent.done('open', { goal: 'The barn has a roof' });
  const taken = await run('take', second, '--as', 'bea', '--json');
  const beside = (taken.json['beside'] as { task: string }[]).map(({ task }) => task);
  expect(beside.toSorted()).toEqual([first, begun.task, String(data['task'])].toSorted());
});

test('HANDOFF.md and progress.json as they were written are no work and make no proof stale; edited they are', async () => {
  const { folder, run } = place();
  const task = await opened(run, 'The fence stands');
  await run('take', task, '--as', 'ada');
  writeFileSync(join(folder, 'fence.txt'), 'two posts\n');
  await run('checkpoint', task, '--as', 'ada', '--next', 'paint fence.txt');
  await run('validate', task, '--as', 'ada');
  const standing = async (): Promise<readonly Json[]> =>
    (await run('show', task, '--json')).json['validation'] as readonly Json[];
  await run('brief', task, '--write', '.');
  expect(existsSync(join(folder, 'HANDOFF.md')) && existsSync(join(folder, 'progress.json'))).toBe(true);
  expect(await standing()).toMatchObject([{ standing: 'bound' }]);
  writeFileSync(join(folder, 'progress.json'), '{"completed_phases":["posts"],"current_phase":"boards"}');
  expect(await standing()).toMatchObject([{ standing: 'stale' }]);
  const sealed = await run(
    'checkpoint',
    task,
    '--as',
    'ada',
    '--claims',
    'progress.json',
    '--next',
    'nail boards',
    '--json',
  );
  expect(sealed.status).toBe(0);
  const { packet } = (await run('show', task, '--json')).json as { packet: Json };
  expect(packet).toMatchObject({ claims: { done: ['posts'], doing: ['boards'], next: 'nail boards' } });
  expect(JSON.stringify(packet['facts'])).not.toContain('HANDOFF.md');
});

test('what a program wrote into progress.json while it ran is its claim; what lay there before is not', async () => {
  const { folder, task, run, show } = await desk({
    to: 'codex',
    installed: ['codex'],
    does: `if (stdin.includes('boards')) put('progress.json', ${JSON.stringify(told('boards'))});`,
  });
  put(join(folder, 'progress.json'), told('posts'));
  utimesSync(join(folder, 'progress.json'), 1_700_000_000, 1_700_000_000);
  await run(['resume', task, '--in', 'codex', '--launch']);
  expect(JSON.stringify((await show())['packet'])).not.toContain('no nails');
  await run(['resume', task, '--in', 'codex', '--launch', '--goal', 'boards']);
  expect((await show())['packet']).toMatchObject({ claims: { doing: ['boards'], blockers: ['no nails'] } });
});

test('work that is paused keeps what its agent wrote into progress.json', async () => {
  const { folder, run } = place();
  const task = await opened(run, 'The fence stands');
  await run('take', task, '--as', 'ada');
  put(join(folder, 'progress.json'), told('boards'));
  expect(await run('pause', task)).toMatchObject({ status: 0 });
  const { packet } = (await run('show', task, '--json')).json;
  expect(packet).toMatchObject({ claims: { doing: ['boards'], blockers: ['no nails'] } });
});
