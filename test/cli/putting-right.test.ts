/** What a person does where work is stuck: a need that is lost, a lease that some clock set far ahead, a message half read. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openStaffetta, type Staffetta } from '../../src/compose/staffetta.ts';
import { systemClock } from '../../src/compose/system.ts';
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
  const refused = await staffetta(['dead', task, '--redrive'], { cwd });
  expect([refused.status, refused.stderr]).toEqual([
    8,
    expect.stringContaining(`staffetta amend ${task} --drop-need ${need}`),
  ]);
  const why = ['--why', 'wood is here'];
  const amended = await staffetta(['amend', task, '--drop-need', need.slice(0, 6), ...why], { cwd });
  expect([amended.status, amended.stderr]).toEqual([0, expect.any(String)]);
  const again = await staffetta(['dead', task, '--redrive', '--json'], { cwd });
  expect(again.json).toMatchObject({ task, status: 'offered' });
});

test('a lease far ahead is named by doctor and recover, and ended when a person says so', async () => {
  const cwd = newRepository();
  const { task } = await inStore(
    cwd,
    async (relay) => await relay.begin({ goal: 'x' }, { as: 'ada' }),
    5 * yearMs,
  );
  const doctor = await staffetta(['doctor'], { cwd });
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
