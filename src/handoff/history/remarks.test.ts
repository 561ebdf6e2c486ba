import { describe, expect, test } from 'vitest';
import { begun } from '../../../test/support/verbs.ts';
import { ada, bea, eve, stage, type Stage } from '../../../test/support/world.ts';
import type { CarryEvent } from '../../core/task/command.ts';
import type { TaskId } from '../../core/journal/id.ts';
import { acknowledge, carry, type Held } from '../verbs/carry.ts';
import { effect } from '../verbs/effect.ts';
import { checkpoint, retry } from '../verbs/finish.ts';
import { handoff } from '../verbs/handoff.ts';
import { readPacket } from './history.ts';
import { load } from '../record/load.ts';
import { answer, markRead, messagesFor, tell, type WaitingMessage } from '../verbs/outside.ts';
import { openQuestions, remarksOf, type Remarks } from './remarks.ts';
import { accept } from '../verbs/take.ts';

/** Looks and marks, as a holder does that deals with what waits. */
async function readAll({ context }: Stage, held: Held): Promise<WaitingMessage[]> {
  const messages = await messagesFor(context, held, { by: ada });
  await markRead(context, held, messages.at(-1)?.seq ?? 0, { by: ada });
  return messages;
}

async function seen({ context }: Stage, task: TaskId): Promise<Remarks> {
  const { state } = await load(context, task);
  return await remarksOf(
    context,
    state,
    state.packet === null ? null : await readPacket(context, state.packet),
  );
}

const note = (text: string): CarryEvent => ({ type: 'note', text });
const types = (remarks: Remarks['since']): string[] => remarks.map(({ event }) => event.type);

describe('what was put on record beside the packets', () => {
  test('after a lapse everything since the last packet is there, in order', async () => {
    const at = stage();
    const { context, clock } = at;
    const held = await begun(context);
    const { task } = held;
    await carry(context, held, [note('before')], { by: ada });
    await checkpoint(context, held, {}, { by: ada });
    await acknowledge(context, held, { goal: 'g', gate: 'g', next: 'n' }, { by: ada });
    await carry(
      context,
      held,
      [
        note('one'),
        { type: 'attempt-failed', what: 'pine', why: 'it rots' },
        { type: 'decision-made', text: 'oak', why: 'it lasts', rejected: ['pine'] },
        { type: 'decision-raised', question: 'Gate left or right?' },
      ],
      { by: ada },
    );
    await tell(context, task, 'keep the gate', { by: eve });
    await readAll(at, held);
    await effect(context, held, { name: 'order', perform: () => Promise.resolve('42') }, { by: ada });
    await answer(context, task, { decision: 2, answer: 'left' }, { by: eve });
    await readAll(at, held);
    await clock.advance(3_600_000);
    await accept(context, task, {}, { by: bea });

    const { since, before, more } = await seen(at, task);
    expect(types(since)).toEqual([
      'leg-acknowledged',
      'note',
      'attempt-failed',
      'decision-made',
      'message',
      'effect-settled',
      'decision-answered',
      'leg-lapsed',
    ]);
    expect(since.find(({ event }) => event.type === 'decision-answered')).toMatchObject({
      by: 'eve',
      question: 'Gate left or right?',
      event: { decision: 2, answer: 'left' },
    });
    expect(before).toMatchObject([{ by: 'ada', event: { text: 'before' } }]);
    expect(more).toBe(false);
  });

  test('what waits unread is a message, and no remark as well', async () => {
    const at = stage();
    const held = await begun(at.context);
    await carry(at.context, held, [{ type: 'decision-raised', question: 'Oak?' }], { by: ada });
    await tell(at.context, held.task, 'hurry', { by: eve });
    await answer(at.context, held.task, { decision: 1, answer: 'yes' }, { by: eve });
    expect((await seen(at, held.task)).since).toEqual([]);
    expect(await readAll(at, held)).toMatchObject([
      { from: 'eve', text: 'hurry' },
      { from: 'eve', text: 'yes', answers: { decision: 1, question: 'Oak?' } },
    ]);
    expect(types((await seen(at, held.task)).since)).toEqual(['message', 'decision-answered']);
  });

  test('what the giver noted before its last packet is still shown to the receiver', async () => {
    const at = stage();
    const held = await begun(at.context);
    await carry(at.context, held, [note('the limiter comes first')], { by: ada });
    await handoff(at.context, { task: held.task, generation: 1 }, { to: 'agent:bea' }, { by: ada });
    const { since, before } = await seen(at, held.task);
    expect(since).toEqual([]);
    expect(before).toMatchObject([{ event: { text: 'the limiter comes first' } }]);
  });

  test('an attempt that was given up says why', async () => {
    const at = stage();
    const held = await begun(at.context);
    await retry(at.context, held, 'the wood is wet', { by: ada });
    expect((await seen(at, held.task)).since).toMatchObject([
      { event: { type: 'leg-ended', outcome: 'attempt-failed', why: 'the wood is wet' } },
    ]);
  });

  test('a long story is cut at its beginning, and says so', async () => {
    const at = stage();
    const held = await begun(at.context);
    for (let n = 1; n <= 25; n += 1) await carry(at.context, held, [note(`early ${n}`)], { by: ada });
    await checkpoint(at.context, held, {}, { by: ada });
    for (let n = 1; n <= 250; n += 1) await carry(at.context, held, [note(`late ${n}`)], { by: ada });
    const long = await seen(at, held.task);
    expect([long.since.length, long.since.at(-1)?.event, long.more]).toMatchObject([
      200,
      { text: 'late 250' },
      true,
    ]);
    await checkpoint(at.context, held, {}, { by: ada });
    const { since, before, more } = await seen(at, held.task);
    expect([since.length, before.length, before.at(-1)?.event, more]).toMatchObject([
      0,
      20,
      { text: 'late 250' },
      true,
    ]);
  });
});

test('a question that waits is whole, with its options, however long it is', async () => {
  const { context } = stage();
  const held = await begun(context);
  const question = `Oak or pine? ${'x'.repeat(2000)}`;
  const other: CarryEvent = { type: 'decision-raised', question: 'When?', owner: 'agent:quinn' };
  const asked: CarryEvent = { type: 'decision-raised', question, options: ['oak', 'pine'] };
  await carry(context, held, [other, asked], { by: ada });
  const { state } = await load(context, held.task);
  expect(await openQuestions(context, state)).toEqual([
    { decision: 1, question: 'When?', options: [], owner: 'agent:quinn' },
    { decision: 2, question, options: ['oak', 'pine'], owner: null },
  ]);
});
