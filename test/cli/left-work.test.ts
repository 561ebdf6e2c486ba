/** Work that failed, or that somebody left: tried anew, let be, or completed by a person who says that it is done. */
import { expect, test, vi } from 'vitest';
import { hasTerminal, typed } from './terminal.ts';
import type { Json } from './command.ts';
import { place } from './programs.ts';

test('what cannot be completed stays on offer, and one command completes it with what was missing', async () => {
  const { run } = place([]);
  const task = String((await run('open', 'A fence stands.', '--to', 'execute', '--json')).json['task']);
  await run('take', task, '--as', 'ada', '--lane', 'execute');
  await run('pause', task);
  await run('continue', task);
  const before = (await run('show', task, '--json')).json;
  for (const words of [['--dry-run'], []])
    expect(await run('complete', task, ...words)).toMatchObject({ status: 6 });
  expect((await run('show', task, '--json')).json).toMatchObject({
    leg: null,
    offer: { to: 'anyone', lane: 'execute' },
    status: before['status'],
  });
  expect(await run('complete', task, '--accept', 'It stands.')).toMatchObject({ status: 0 });
  expect((await run('show', task, '--json')).json).toMatchObject({
    status: 'done',
    contract: { acceptance: ['It stands.'] },
  });
});

const failedItem = (task: string): Json => ({
  kind: 'failed',
  task,
  command: `staffetta open --again ${task}`,
  others: [`staffetta inbox --let-be ${task}`, `staffetta log ${task}`],
});

test('what failed is tried anew with its contract, or let be; no other task is', async () => {
  const { run } = place(['codex']);
  const terms = ['--accept', 'it stands', '--validate', 'node --version', '--to', 'lane:plan'];
  const failed = async (): Promise<string> => {
    const { json } = await run('open', 'A fence stands.', ...terms, '--json');
    const task = String(json['task']);
    await run('take', task, '--as', 'ada', '--lane', 'plan');
    await run('fail', task, '--as', 'ada', '--why', 'no nails');
    return task;
  };
  const [first, second] = [await failed(), await failed()];
  const listed = async (): Promise<unknown> => (await run('inbox', '--json')).json['inbox'];
  expect(await listed()).toMatchObject([failedItem(first), failedItem(second)]);
  const again = (await run('open', '--again', first, '--json')).json;
  expect(again).toMatchObject({ status: 'offered', offeredTo: 'lane:plan' });
  const contractOf = async (task: string): Promise<unknown> =>
    (await run('show', task, '--json')).json['contract'];
  expect(await contractOf(String(again['task']))).toEqual(await contractOf(first));
  expect(await listed()).toMatchObject([failedItem(second)]);
  expect((await run('inbox', '--let-be', String(again['task']))).stderr).toContain(
    'only what failed is let be',
  );
  expect(await run('inbox', '--let-be', second)).toMatchObject({ status: 0 });
  expect(await listed()).toEqual([]);
});

test.runIf(hasTerminal)(
  'a review is answered in the inbox, which asks again after a slip or a look',
  async () => {
    const { run, folder, env } = place([]);
    const { json } = await run(
      'open',
      'The fence stands',
      '--take',
      '--as',
      'ada',
      '--lane',
      'execute',
      '--review',
      'human',
      '--json',
    );
    const task = String(json['task']);
    await run('ack', '--as', 'ada', '--goal', 'a fence', '--gate', 'it stands', '--next', 'dig');
    expect(await run('submit', '--as', 'ada', '--done', 'It stands.')).toMatchObject({ status: 0 });
    const keys = [
      ['Answer it now?', '7\r'],
      ['Answer it now?', '1\r'],
      ['How? 1 to 3', 'x\r'],
      ['How? 1 to 3', '1\r'],
      ['How? 1 to 3', '2\r'],
      ['Why', 'read\r'],
    ] as const;
    const { status, text } = await typed(folder, ['inbox'], keys, env);
    expect([status, text]).toEqual([0, expect.stringContaining(`${task} is approved and done.`)]);
  },
);

test('what is not done after all rests and needs somebody as before, and says which command failed', async () => {
  const { run } = place([]);
  const { json } = await run('open', 'A fence.', '--validate', 'sh -c "exit 7"', '--json');
  const task = String(json['task']);
  const needs = async (): Promise<unknown> => (await run('inbox', '--json')).json['inbox'];
  const failing = async (): Promise<void> => {
    const { status, stderr } = await run('complete', task);
    expect(status).toBe(6);
    for (const words of ['Running: sh -c', 'failed with exit code 7', 'Mend what fails, and run it again'])
      expect(stderr).toContain(words);
  };
  await run('take', task, '--as', 'ada', '--lane', 'execute', '--lease', '1s');
  await vi.waitFor(async () => expect(await needs()).toHaveLength(1), 20_000);
  // The lapse is recorded by another who gets nothing.
  await run('take', '--as', 'zoe', '--lane', 'audit');
  await failing();
  expect(await needs()).toMatchObject([
    { kind: 'left', text: expect.stringContaining('not done after all') },
  ]);
  await run('pause', task, '--until', '4h');
  const { offer } = (await run('show', task, '--json')).json;
  await failing();
  const { notBefore } = offer as { notBefore: number };
  expect((await run('show', task, '--json')).json['offer']).toMatchObject({ notBefore });
  expect(await needs()).toEqual([]);
});
