import { describe, expect, test } from 'vitest';
import { begun, opened } from '../../../test/support/verbs.ts';
import { ada, bea, dawn, eve, interrupted, quinn, stage } from '../../../test/support/world.ts';
import { limits } from '../../core/base/limits.ts';
import { handoff } from './handoff.ts';
import { load } from '../record/load.ts';
import { answer, cancel, escalate, markRead, messagesFor, tell, waitingMessages } from './outside.ts';
import { accept } from './take.ts';

describe('messages', () => {
  test('they wait with the task, oldest first, for each of its holders', async () => {
    const { context, clock } = stage();
    const task = await opened(context);
    await tell(context, task, 'Use oak.', { by: eve });
    await clock.advance(10);
    await tell(context, task, 'And hurry.', { by: quinn });
    await accept(context, task, {}, { by: bea });
    expect(await waitingMessages(context, task)).toEqual([
      { seq: 1, from: 'eve', at: dawn, text: 'Use oak.' },
      { seq: 2, from: 'quinn', at: dawn + 10, text: 'And hurry.' },
    ]);
  });

  test('looking leaves them where they are; marked as read, they wait no more', async () => {
    const { context } = stage();
    const held = await begun(context);
    await tell(context, held.task, 'Use oak.', { by: eve });
    for (const _ of [1, 2]) expect(await messagesFor(context, held, { by: ada })).toHaveLength(1);
    await markRead(context, held, 1, { by: ada });
    expect(await messagesFor(context, held, { by: ada })).toEqual([]);
    expect(await waitingMessages(context, held.task)).toEqual([]);
    expect((await markRead(context, held, 1, { by: ada })).entry).toBeNull();
  });

  test('a holder that dies before it marks them leaves them for the next', async () => {
    const at = stage();
    const leg = await at.staffetta.begin({ goal: 'x' }, { as: ada });
    await at.staffetta.tell(leg.task, 'Use oak.', { as: eve });
    expect(await leg.messages()).toHaveLength(1);
    at.clock.set(at.clock.now() + 10 * limits.leaseMsDefault);
    const next = await at.staffetta.take({ as: bea });
    const found = (await next?.messages()) ?? [];
    expect(found.map(({ text }) => text)).toEqual(['Use oak.']);
    await next?.markRead(found);
    expect((await at.staffetta.show(leg.task)).unread).toEqual([]);
  });

  test('marking none writes nothing', async () => {
    const at = stage();
    const leg = await at.staffetta.begin({ goal: 'x' }, { as: ada });
    await leg.markRead(await leg.messages());
    expect((await leg.state()).seq).toBe(0);
  });

  test('what the giver did not read waits for the receiver', async () => {
    const { context } = stage();
    const held = await begun(context);
    await tell(context, held.task, 'Use oak.', { by: eve });
    await handoff(context, { task: held.task, generation: 1 }, { to: 'agent:bea' }, { by: ada });
    await accept(context, held.task, {}, { by: bea });
    const read = await messagesFor(context, { task: held.task, generation: 2 }, { by: bea });
    expect(read.map((message) => message.text)).toEqual(['Use oak.']);
  });

  test('a former holder can neither look at them nor take them away', async () => {
    const { context } = stage();
    const held = await begun(context);
    await handoff(context, { task: held.task, generation: 1 }, { to: 'agent:bea' }, { by: ada });
    const { entry } = await tell(context, held.task, 'Use oak.', { by: eve });
    const stale = { code: 'stale-generation' };
    await expect(messagesFor(context, held, { by: ada })).rejects.toMatchObject(stale);
    await expect(markRead(context, held, entry?.seq ?? 0, { by: ada })).rejects.toMatchObject(stale);
    expect(await waitingMessages(context, held.task)).toHaveLength(1);
  });

  test('a message that arrives while others are being read still waits', async () => {
    let happens = true;
    for (let nth = 1; happens; nth += 1) {
      const calm = stage();
      const held = await begun(calm.context);
      await tell(calm.context, held.task, 'One.', { by: eve });
      const { stage: busy, happened } = interrupted(
        calm,
        nth,
        async () => await tell(calm.context, held.task, 'Two.', { by: eve }),
      );
      const read = await messagesFor(busy.context, held, { by: ada });
      await markRead(busy.context, held, read.at(-1)?.seq ?? 0, { by: ada });
      happens = happened();
      const waiting = await waitingMessages(calm.context, held.task);
      const texts = [...read, ...waiting].map((message) => message.text);
      expect(texts).toEqual(happens ? ['One.', 'Two.'] : ['One.']);
    }
  });
});

test('an answer closes its question and is on record', async () => {
  const { context, staffetta } = stage();
  const leg = await staffetta.begin({ goal: 'A fence.' }, { as: ada });
  const question = await leg.ask('Oak?', { options: ['oak', 'pine'], owner: 'agent:eve' });
  expect(question).toBe(1);
  const { state, entry } = await answer(context, leg.task, { decision: 1, answer: 'Oak.' }, { by: eve });
  expect(state.raised).toEqual([]);
  expect(entry).toMatchObject({ by: eve, events: [{ type: 'decision-answered', answer: 'Oak.' }] });
  expect(entry).not.toHaveProperty('generation');
});

test('a cancel reaches a task that an agent holds, and its lease is gone', async () => {
  const { context } = stage();
  const held = await begun(context);
  await cancel(context, held.task, 'Flood.', { by: eve });
  const { state, lease } = await load(context, held.task);
  expect(state.status).toBe('cancelled');
  expect(lease).toBeNull();
});

test('an escalation with a generation is fenced, and its entry says so', async () => {
  const { context } = stage();
  const held = await begun(context);
  await expect(escalate(context, held.task, { text: 'x', generation: 2 }, { by: ada })).rejects.toMatchObject(
    { code: 'stale-generation' },
  );
  const { entry } = await escalate(context, held.task, { text: 'x', generation: 1 }, { by: ada });
  expect(entry?.generation).toBe(1);
});

test('empty words are refused and nothing is written', async () => {
  const { context } = stage();
  const task = await opened(context);
  await expect(tell(context, task, '  ', { by: eve })).rejects.toMatchObject({
    code: 'invalid-input',
    message: 'message: text: expected some text',
  });
  expect((await load(context, task)).state.seq).toBe(0);
});

test('a task that does not exist is unknown', async () => {
  const { context } = stage();
  await expect(tell(context, 't000000000042', 'x', { by: eve })).rejects.toMatchObject({
    code: 'unknown-task',
  });
});
