import { describe, expect, test } from 'vitest';
import {
  minute,
  needA,
  needB,
  packetA,
  packetB,
  Play,
  terms,
  toExecute,
} from '../../../test/support/play.ts';
import { ada, bea, cyd, eve, quinn, sol } from '../../../test/support/world.ts';
import { systemActor } from '../task/actor.ts';
import type { CarryEvent } from '../task/command.ts';
import { limits } from '../base/limits.ts';

const ask = (more: Partial<Extract<CarryEvent, { type: 'decision-raised' }>> = {}): CarryEvent => ({
  type: 'decision-raised',
  question: 'Oak or pine?',
  ...more,
});

describe('carrying', () => {
  test('what a holder writes down becomes one entry, decisions counted in order', () => {
    const play = new Play().begin(ada);
    const events = play.run(ada, {
      type: 'carry',
      generation: 1,
      events: [
        { type: 'note', text: 'Measured.' },
        { type: 'decision-made', text: 'Oak.', why: 'It lasts.', rejected: ['Pine.'] },
        { type: 'attempt-failed', what: 'Glue', why: 'Wet wood.' },
        ask({ options: ['oak', 'pine'], owner: 'agent:sol' }),
        { type: 'progress-moved', at: 3, of: 10, unit: 'boards', cursor: 'north side' },
      ],
    });
    expect(events).toEqual([
      { type: 'note', v: 1, text: 'Measured.' },
      { type: 'decision-made', v: 1, decision: 1, text: 'Oak.', why: 'It lasts.', rejected: ['Pine.'] },
      { type: 'attempt-failed', v: 1, what: 'Glue', why: 'Wet wood.' },
      {
        type: 'decision-raised',
        v: 1,
        decision: 2,
        question: 'Oak or pine?',
        options: ['oak', 'pine'],
        owner: 'agent:sol',
      },
      { type: 'progress-moved', v: 1, at: 3, of: 10, unit: 'boards', cursor: 'north side' },
    ]);
    expect(play.state).toMatchObject({
      decisions: 2,
      raised: [{ decision: 2, owner: 'agent:sol', seq: 1 }],
      progress: { at: 3, of: 10, unit: 'boards', cursor: 'north side' },
      mark: { decisions: 3, progress: 1 },
    });
  });

  test('a receiver may acknowledge along with the first thing that it writes down', () => {
    const play = new Play().offered(ada);
    play.run(bea, { type: 'accept', offer: null, met: [], leaseMs: minute });
    const carry = {
      type: 'carry',
      generation: 1,
      events: [{ type: 'note', text: 'Measured.' }],
      restated: { goal: 'A fence', gate: 'It stands', next: 'Dig' },
    } as const;
    expect(play.run(bea, carry).map(({ type }) => type)).toEqual(['leg-acknowledged', 'note']);
    expect(play.state.leg?.acknowledged).toBe(true);
    expect(play.run(bea, carry).map(({ type }) => type)).toEqual(['note']);
  });

  test.each([
    { type: 'submit', ends: ['leg-ended', 'submitted'] },
    { type: 'complete', ends: ['leg-ended', 'task-done'] },
  ] as const)('a $type with the words of an acknowledgement acknowledges, unless that was done', (one) => {
    const restated = { goal: 'A fence', gate: 'It stands', next: 'Dig' };
    const command = { type: one.type, generation: 1, sealed: null, restated } as const;
    const play = new Play().offered(ada).accept(bea);
    expect(play.code(cyd, command)).toBe('not-holder');
    expect(play.run(bea, command).map(({ type }) => type)).toEqual(['leg-acknowledged', ...one.ends]);
    const before = new Play().offered(ada).accept(bea);
    before.run(bea, { type: 'acknowledge', generation: 1, ...restated });
    expect(before.run(bea, command).map(({ type }) => type)).toEqual(one.ends);
  });

  test('nothing to write down is nothing to record', () => {
    const play = new Play().begin(ada);
    expect(play.run(ada, { type: 'carry', generation: 1, events: [] })).toEqual([]);
    expect(play.told).toHaveLength(1);
  });

  test('questions wait in numbers that stay bounded', () => {
    const play = new Play().begin(ada);
    play.run(ada, {
      type: 'carry',
      generation: 1,
      events: Array.from({ length: limits.waitingMax }, () => ask()),
    });
    const error = play.refusal(ada, { type: 'carry', generation: 1, events: [ask()] });
    expect(error.code).toBe('too-large');
    expect(error.details).toEqual({ task: play.task, limit: limits.waitingMax });
    expect(
      play.run(ada, { type: 'carry', generation: 1, events: [{ type: 'note', text: 'x' }] }),
    ).toHaveLength(1);
  });

  test('a checkpoint seals a packet and the leg goes on', () => {
    const play = new Play().begin(ada);
    play.run(ada, { type: 'checkpoint', generation: 1, sealed: { packet: packetA, certification: 'draft' } });
    const events = play.run(ada, {
      type: 'checkpoint',
      generation: 1,
      sealed: { packet: packetB, certification: 'ready' },
    });
    expect(events).toEqual([
      { type: 'checkpoint-sealed', v: 1, packet: packetB, parent: packetA, certification: 'ready' },
    ]);
    expect(play.state).toMatchObject({ status: 'held', packet: packetB, packets: 2 });
  });

  test('acknowledging restates goal, gate and next action', () => {
    const play = new Play().offered(ada).accept(bea);
    expect(play.state.leg?.acknowledged).toBe(false);
    const words = { goal: 'A fence.', gate: 'No gaps.', next: 'Measure.' };
    expect(play.run(bea, { type: 'acknowledge', generation: 1, ...words })).toEqual([
      { type: 'leg-acknowledged', v: 1, ...words },
    ]);
    expect(play.state.leg?.acknowledged).toBe(true);
  });
});

function raised(more: Parameters<typeof ask>[0] = {}): Play {
  const play = new Play().begin(ada);
  play.run(ada, { type: 'carry', generation: 1, events: [ask(more)] });
  return play;
}

describe('answering', () => {
  const answer = { type: 'answer', decision: 1, answer: 'Oak.' } as const;

  test('people and supervisors may answer, and the question is closed', () => {
    for (const by of [eve, sol]) {
      const play = raised();
      expect(play.run(by, answer)).toEqual([
        { type: 'decision-answered', v: 1, decision: 1, answer: 'Oak.' },
      ]);
      expect(play.state).toMatchObject({ raised: [], mark: { decisions: 2 } });
    }
  });

  test('the owner of a question may answer it, another agent may not', () => {
    const play = raised({ owner: 'agent:quinn' });
    const error = play.refusal(bea, answer);
    expect(error.code).toBe('denied');
    expect(error.message).toBe('Question 1 is for agent:quinn to answer.');
    expect(play.code(ada, answer)).toBe('denied');
    expect(play.run(quinn, answer)).toHaveLength(1);
  });

  test('a question without an owner may be settled by its holder, but not by a bystander', () => {
    const play = raised();
    expect(play.refusal(bea, answer).message).toBe('Question 1 is for a person to answer.');
    expect(play.run(ada, answer)).toHaveLength(1);
  });

  test('a question that was never asked, or is answered, is unknown, and the open ones are named', () => {
    const play = raised();
    const error = play.refusal(eve, { ...answer, decision: 7 });
    expect(error.code).toBe('unknown-decision');
    expect(error.details).toEqual({ task: play.task, open: [1] });
    play.run(eve, answer);
    expect(play.code(eve, answer)).toBe('unknown-decision');
  });

  test('an answer comes whether the task is held, offered or submitted', () => {
    const offered = raised().handoff(ada);
    expect(offered.run(eve, answer)).toHaveLength(1);
    const submitted = raised().submit(ada);
    expect(submitted.run(eve, answer)).toHaveLength(1);
  });
});

describe('messages', () => {
  test('anybody may leave one, and it waits for any holder of the task', () => {
    const play = new Play().begin(ada);
    for (const by of [eve, bea, quinn]) play.run(by, { type: 'message', text: 'Hello.' });
    play.handoff(ada);
    expect(play.state.unread).toEqual([1, 2, 3]);
  });

  test('reading takes those up to the one named, once, and leaves what came later', () => {
    const play = new Play().begin(ada);
    play.run(eve, { type: 'message', text: 'One.' });
    play.run(eve, { type: 'message', text: 'Two.' });
    const read = (through: number) => play.run(ada, { type: 'read-messages', generation: 1, through });
    expect(read(0)).toEqual([]);
    expect(read(1)).toEqual([{ type: 'messages-read', v: 1, through: 1 }]);
    expect(play.state.unread).toEqual([2]);
    expect(read(1)).toEqual([]);
    expect(read(99)).toEqual([{ type: 'messages-read', v: 1, through: 2 }]);
    expect(play.state.unread).toEqual([]);
  });

  test('of one that nobody knows any more a person says what became of it, and nobody else does', () => {
    const said = { type: 'report-effect', effect: 'deploy', outcome: 'done' } as const;
    const play = new Play().begin(ada).intend(ada);
    expect(play.refusal(eve, said).message).toContain('under way in the leg of ada');
    play.handoff(ada);
    expect(play.refusal(bea, said).code).toBe('denied');
    expect(play.refusal(eve, { ...said, effect: 'send' }).code).toBe('unknown-effect');
    play.run(eve, said);
    expect(play.state.effects).toEqual([]);
  });

  test('they wait in numbers that stay bounded', () => {
    const play = new Play().begin(ada);
    for (let n = 0; n < limits.waitingMax; n += 1) play.run(eve, { type: 'message', text: 'x' });
    const error = play.refusal(eve, { type: 'message', text: 'x' });
    expect(error.code).toBe('too-large');
    expect(error.hint).toBe('Deal with some of them first.');
  });
});

const blocked = (): Play =>
  new Play().open(ada, { terms: terms({ needs: [needA, needB] }), first: toExecute });

test('a task is freed when the last of its needs is met', () => {
  const play = blocked();
  play.run(systemActor, { type: 'need-met', needs: [needA] });
  expect(play.state).toMatchObject({ status: 'blocked', unmet: [needB] });
  play.run(systemActor, { type: 'need-met', needs: [needB] });
  expect(play.state).toMatchObject({ status: 'offered', unmet: [] });
});

describe('needs', () => {
  test('what is not needed, met already or named twice is recorded once or not at all', () => {
    const play = blocked();
    expect(play.run(systemActor, { type: 'need-met', needs: [needA, needA, 't0000000000z9'] })).toEqual([
      { type: 'need-met', v: 1, task: needA },
    ]);
    expect(play.run(systemActor, { type: 'need-met', needs: [needA] })).toEqual([]);
  });
});

describe('effects', () => {
  test('an intent opens an effect and a receipt closes it', () => {
    const play = new Play().begin(ada).intend(ada);
    expect(play.state.effects).toEqual([
      { effect: 'deploy', token: 'token-1', generation: 1, unknown: false },
    ]);
    play.run(ada, {
      type: 'settle-effect',
      generation: 1,
      effect: 'deploy',
      outcome: 'done',
      receipt: '"id"',
    });
    expect(play.state.effects).toEqual([]);
  });

  test('what was begun and not finished is not begun again unless asked', () => {
    const play = new Play().begin(ada).intend(ada);
    const error = play.refusal(ada, {
      type: 'intend-effect',
      generation: 1,
      effect: 'deploy',
      token: 'token-2',
      retry: false,
    });
    expect(error.code).toBe('effect-unknown');
    expect(error.details).toEqual({ task: play.task, effect: play.state.effects[0] });
    expect(error.hint).toContain('settle');
  });

  test('a retry keeps the key of the first intent, also under another holder', () => {
    const play = new Play().begin(ada).intend(ada).handoff(ada).take(bea);
    expect(play.state.effects[0]).toMatchObject({ unknown: true, generation: 1 });
    play.run(bea, { type: 'intend-effect', generation: 2, effect: 'deploy', token: 'token-2', retry: true });
    expect(play.state.effects).toEqual([
      { effect: 'deploy', token: 'token-1', generation: 2, unknown: false },
    ]);
  });

  test('an effect that is not open cannot be settled, and the open ones are named', () => {
    const play = new Play().begin(ada).intend(ada);
    const error = play.refusal(ada, {
      type: 'settle-effect',
      generation: 1,
      effect: 'send',
      outcome: 'failed',
    });
    expect(error.code).toBe('unknown-effect');
    expect(error.details).toEqual({ task: play.task, open: ['deploy'] });
  });

  test('they wait in numbers that stay bounded, and a retry of an open one is not one more', () => {
    const play = new Play().begin(ada);
    for (let n = 0; n < limits.waitingMax; n += 1) play.intend(ada, `effect-${n}`);
    const intend = { type: 'intend-effect', generation: 1, token: 't' } as const;
    expect(play.code(ada, { ...intend, effect: 'one-more', retry: false })).toBe('too-large');
    expect(play.run(ada, { ...intend, effect: 'effect-7', retry: true })).toHaveLength(1);
  });

  test.each(['submit', 'complete'] as const)(
    'one whose outcome is unknown blocks %s until it is settled',
    (type) => {
      const play = new Play().begin(ada).intend(ada).handoff(ada).take(bea);
      const error = play.refusal(bea, { type, generation: 2, sealed: null });
      expect(error.code).toBe('effect-unknown');
      expect(error.details).toEqual({ task: play.task, effects: ['deploy'] });
      expect(error.hint).toContain(`staffetta settle ${play.task} EFFECT --done`);
      play.run(bea, { type: 'settle-effect', generation: 2, effect: 'deploy', outcome: 'failed' });
      expect(play.run(bea, { type, generation: 2, sealed: null }).length).toBeGreaterThan(0);
    },
  );

  test.each(['submit', 'complete'] as const)(
    'one that was announced in this leg and has no receipt blocks %s just the same',
    (type) => {
      const play = new Play().begin(ada).intend(ada);
      expect(play.code(ada, { type, generation: 1, sealed: null })).toBe('effect-unknown');
    },
  );

  test('handing off and failing an attempt pass the unknown on instead of being blocked by it', () => {
    const play = new Play().begin(ada).intend(ada).handoff(ada).take(bea);
    play.run(bea, { type: 'retry', generation: 2, why: 'x', delayMs: 0 });
    play.now += minute;
    play.take(ada);
    expect(play.state.effects).toMatchObject([{ effect: 'deploy', unknown: true }]);
  });
});
