/** What a person does where work is stuck: a need that is lost, a lease that some clock set far ahead, a message half read. */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { openStaffetta, type Staffetta } from '../../src/library/staffetta.ts';
import { systemClock } from '../../src/home/system.ts';
import { newRepository, staffetta } from './command.ts';

const you = { as: { name: 'you', kind: 'human' } } as const;
const yearMs = 365 * 24 * 60 * 60 * 1000;

async function inStore<T>(cwd: string, act: (relay: Staffetta) => Promise<T>, aheadMs = 0): Promise<T> {
  const clock = { ...systemClock, now: () => Date.now() + aheadMs };
  const relay = await openStaffetta({ store: join(cwd, '.staffetta', 'store.db'), clock });
  try {
    return await act(relay);
  } finally {
    await relay.close();
  }
}

test('work whose need is lost goes out again once the need is taken out of its contract', async () => {
  const cwd = newRepository();
  const { need, task } = await inStore(cwd, async (relay) => {
    const first = await relay.begin({ goal: 'first' }, { as: 'ada' });
    const second = await relay.open({ goal: 'second', needs: [first.task] }, you);
    await first.fail('No wood.');
    return { need: first.task, task: second.task };
  });
  const refused = await staffetta(['dead', task, '--redrive', '--why', 'dry'], { cwd });
  expect([refused.status, refused.stderr]).toEqual([
    8,
    expect.stringContaining(`staffetta amend ${task} --drop-need ${need}`),
  ]);
  const why = ['--why', 'wood is here'];
  const amended = await staffetta(['amend', task, '--drop-need', need.slice(0, 6), ...why], { cwd });
  expect([amended.status, amended.stderr]).toEqual([0, expect.any(String)]);
  const again = await staffetta(['dead', task, '--again', '--why', 'dry', '--json'], { cwd });
  expect(again.json).toMatchObject({ task, status: 'offered' });
});

test('a lease far ahead is named by doctor and recover, and ended when a person says so', async () => {
  const cwd = newRepository();
  const { task } = await inStore(
    cwd,
    async (relay) => await relay.begin({ goal: 'x' }, { as: 'ada' }),
    5 * yearMs,
  );
  const doctor = await staffetta(['doctor', '--dry-run'], { cwd });
  expect([doctor.status, doctor.stdout]).toEqual([
    1,
    expect.stringContaining(`further ahead than a lease may be: ${task} until`),
  ]);
  const named = await staffetta(['recover', '--json'], { cwd });
  expect(named.json).toMatchObject({ lapsed: [], doubted: [{ task, holder: 'ada' }] });
  const said = await staffetta(['recover'], { cwd });
  expect(said.stderr).toContain('staffetta recover --end-doubted');
  const ended = await staffetta(['recover', '--end-doubted', '--json'], { cwd });
  expect(ended.json).toMatchObject({ lapsed: [task], doubted: [] });
});

test('a message is shown again if it could not be marked as read, and with its key as the first time', async () => {
  const cwd = newRepository();
  const task = await inStore(cwd, async (relay) => {
    const leg = await relay.begin({ goal: 'x' }, { as: 'code' });
    await relay.tell(leg.task, 'Mind the dog.', you);
    return leg.task;
  });
  const read = ['read', task, '--as', 'code', '--json'];
  const dry = await staffetta([...read, '--dry-run'], { cwd });
  expect(dry.json['messages']).toMatchObject([{ text: 'Mind the dog.' }]);
  const first = await staffetta([...read, '--idempotency-key', 'k'], { cwd });
  await inStore(cwd, async (relay) => await relay.tell(task, 'And the cat.', you));
  const again = await staffetta([...read, '--idempotency-key', 'k'], { cwd });
  expect(again.json['messages']).toEqual(first.json['messages']);
  const rest = await staffetta(read, { cwd });
  expect(rest.json['messages']).toMatchObject([{ text: 'And the cat.' }]);
});

/** Writes into the database behind the store's back. */
function scribble(cwd: string, sql: string, ...values: string[]): void {
  const db = new DatabaseSync(join(cwd, '.staffetta', 'store.db'));
  db.prepare(sql).run(...values);
  db.close();
}

const loseTheBeginning = 'DELETE FROM entry WHERE seq = 0 AND task = (SELECT n FROM task WHERE id = ?)';
const loseTheSnapshot = "UPDATE task SET snapshot = 'damaged' WHERE id = ?";

test('a damaged task is named by recover, which puts the others right and ends with 9', async () => {
  const cwd = newRepository();
  const [bad, good] = await inStore(
    cwd,
    async (relay) => [
      (await relay.begin({ goal: 'x' }, { as: 'ada' })).task,
      (await relay.begin({ goal: 'y' }, { as: 'ada' })).task,
    ],
    -60 * 60 * 1000,
  );
  if (bad === undefined) throw new Error('no task');
  for (const sql of [loseTheBeginning, loseTheSnapshot]) scribble(cwd, sql, bad);
  const ran = await staffetta(['recover', '--json'], { cwd });
  expect([ran.status, ran.json]).toMatchObject([9, { lapsed: [good], damaged: [{ task: bad }] }]);
  const said = await staffetta(['recover'], { cwd });
  expect(said.stderr).toContain(`Task ${bad} is damaged and was passed over: `);
});

test('take passes a damaged task over, and names it only if there is nothing else', async () => {
  const cwd = newRepository();
  const { bad, good } = await inStore(cwd, async (relay) => ({
    bad: (await relay.open({ goal: 'x' }, you)).task,
    good: (await relay.open({ goal: 'y' }, you)).task,
  }));
  for (const sql of [loseTheBeginning, loseTheSnapshot]) scribble(cwd, sql, bad);
  const taken = await staffetta(['take', '--as', 'code', '--json'], { cwd });
  expect([taken.status, taken.json]).toMatchObject([0, { task: good }]);
  expect(taken.stderr).not.toContain(bad);
  const nothing = await staffetta(['take', '--as', 'code', '--json'], { cwd });
  expect([nothing.status, nothing.json]).toMatchObject([8, { task: null, damaged: [{ task: bad }] }]);
  const said = await staffetta(['take', '--as', 'code'], { cwd });
  expect(said.stderr).toContain(`Task ${bad} is damaged and was passed over: `);
});

test('a task whose packet is lost is refused by take, and nobody holds it', async () => {
  const cwd = newRepository();
  const task = await inStore(cwd, async (relay) => {
    const leg = await relay.begin({ goal: 'x', acceptance: ['it is'] }, { as: 'ada' });
    await leg.acknowledge();
    await leg.handoff({
      to: 'lane:execute',
      trigger: 'crash',
      claims: { done: ['posts'], next: 'Nail the boards.' },
    });
    const { packet } = await leg.state();
    scribble(cwd, `DELETE FROM blob WHERE digest = x'${packet?.replace('sha256:', '') ?? ''}'`);
    return leg.task;
  });
  const refused = await staffetta(['take', task, '--as', 'code', '--json'], { cwd });
  expect([refused.status, refused.json]).toMatchObject([9, { error: { code: 'blob-missing' } }]);
  const state = await inStore(cwd, async (relay) => await relay.show(task));
  expect(state).toMatchObject({ status: 'offered', leg: null });
});
