import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openStaffetta } from '../../src/library/staffetta.ts';
import { runChild } from '../crash/run-child.ts';
import { postgresSpace } from '../support/postgres.ts';

test('a worker that would look again in an hour takes at once what is offered on another connection', async () => {
  await using space = await postgresSpace();
  const giver = await openStaffetta({ gate: 'record', store: space.url, as: 'ada' });
  const receiver = await openStaffetta({ gate: 'record', store: space.url, as: 'bob' });
  const over = new AbortController();
  const carried: string[] = [];
  const worker = receiver.worker(
    'bob',
    async (leg) => {
      carried.push(leg.task);
      if (carried.length === 2) over.abort();
      await leg.fail('It was only to be taken.');
    },
    { pollMs: 3_600_000 },
  );
  const running = worker.run(over.signal);
  const first = await giver.open({ goal: 'Carry this.' }, { to: 'agent:bob' });
  // From the first on the worker listens: whatever it was doing then, the second one wakes it.
  const offers = [first.task];
  while (!over.signal.aborted)
    offers.push((await giver.open({ goal: 'And this.' }, { to: 'agent:bob' })).task);
  await running;
  expect(offers).toEqual(expect.arrayContaining(carried));
  await giver.close();
  await receiver.close();
});

test('a program that has listened and has nothing else to do ends when its store is closed', async () => {
  await using space = await postgresSpace();
  const ended = await runChild(join(import.meta.dirname, 'listening-child.ts'), [space.url]);
  expect(ended).toEqual({ code: 0, signal: null, stdout: 'closed\n', stderr: '' });
});
