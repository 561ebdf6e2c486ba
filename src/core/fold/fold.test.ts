/** Every law of the fold has a journal here that breaks it. */
import { describe, expect, test } from 'vitest';
import {
  contractA,
  contractB,
  minute,
  needA,
  packetA,
  packetB,
  Play,
  terms,
  toExecute,
} from '../../../test/support/play.ts';
import { ada, bea, dawn, eve } from '../../../test/support/world.ts';
import { digestOf } from '../journal/digest.ts';
import type { Entry } from '../journal/entry.ts';
import { isStaffettaError } from '../base/error.ts';
import type { Event, EventOf } from '../journal/event.ts';
import { fold } from './fold.ts';
import { foldVersion } from '../task/state.ts';

function broken(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    if (isStaffettaError(error, 'corrupt')) return error.message.replace('The journal breaks a law: ', '');
    throw error;
  }
  throw new Error('no law was broken');
}

const offerMade = (more: Partial<EventOf<'offer-made'>> = {}): Event => ({
  type: 'offer-made',
  v: 1,
  offer: 1,
  to: 'anyone',
  lane: 'execute',
  packet: null,
  cause: 'opened',
  attempt: 1,
  ...more,
});
const legStarted = (more: Partial<EventOf<'leg-started'>> = {}): Event => ({
  type: 'leg-started',
  v: 1,
  generation: 1,
  offer: null,
  lane: 'execute',
  leaseMs: minute,
  leaseUntil: dawn + minute,
  ...more,
});
const legEnded = (generation = 1): Event => ({ type: 'leg-ended', v: 1, generation, outcome: 'failed' });
const escalated: Event = { type: 'escalated', v: 1, reason: 'asked', text: 'x' };
const sealed = (packet = packetA, parent: typeof packetA | null = null): Event => ({
  type: 'checkpoint-sealed',
  v: 1,
  packet,
  parent,
  certification: 'ready',
});
const dead: Event = {
  type: 'offer-dead',
  v: 1,
  to: 'anyone',
  lane: 'execute',
  packet: null,
  attempts: 1,
  why: 'x',
};
const entry = (more: Partial<Entry>): Entry => ({
  v: 1,
  task: 't000000000042',
  seq: 1,
  prev: null,
  at: dawn,
  by: ada,
  events: [{ type: 'message', v: 1, text: 'x' }],
  ...more,
});
const made = (decision: number): Event => ({ type: 'decision-made', v: 1, decision, text: 'x' });
const raised = (decision: number): Event => ({ type: 'decision-raised', v: 1, decision, question: 'x' });
const open = (): Play => new Play().open(ada);
const held = (): Play => new Play().begin(ada);
const offered = (): Play => new Play().offered(ada);

describe('the chain of entries', () => {
  test('an entry with another number than the next is refused', () => {
    const { state } = open();
    for (const seq of [0, 2])
      expect(broken(() => fold(state, entry({ seq, prev: state.head }), packetA))).toBe(
        'entries follow one another.',
      );
    expect(broken(() => fold(undefined, entry({ seq: 1 }), packetA))).toBe('entries follow one another.');
  });

  test('an entry that continues something else is refused', () => {
    const { state } = open();
    for (const prev of [null, digestOf('x')])
      expect(broken(() => fold(state, entry({ prev }), packetA))).toBe(
        'each entry continues the one before it.',
      );
    const first = entry({ seq: 0, prev: digestOf('x') });
    expect(broken(() => fold(undefined, first, packetA))).toBe('each entry continues the one before it.');
  });

  test('an entry of another task is refused', () => {
    const { state } = open();
    const other = entry({ prev: state.head, task: 't000000000043' });
    expect(broken(() => fold(state, other, packetA))).toBe('a journal belongs to one task.');
  });

  test('a journal that does not begin with the opening is refused', () => {
    expect(broken(() => new Play().tell(eve, [{ type: 'message', v: 1, text: 'x' }]))).toBe(
      'a journal begins with task-opened.',
    );
  });

  test('a second opening is refused', () => {
    const again: Event = { type: 'task-opened', v: 1, contract: contractA, terms: terms() };
    expect(broken(() => open().tell(ada, [again]))).toBe('a task is opened once.');
  });

  test('the state names the entry it was folded up to, who wrote it and when', () => {
    const play = open();
    play.now += 7;
    play.run(eve, { type: 'message', text: 'x' });
    expect(play.state).toMatchObject({
      foldVersion,
      seq: 1,
      head: play.told[1]?.sealed.digest,
      openedAt: dawn,
      updatedAt: dawn + 7,
      updatedBy: 'eve',
    });
  });
});

describe('holders', () => {
  test.each<[string, () => Play, Event[], string]>([
    ['a second holder', held, [legStarted({ generation: 2 })], 'a task has at most one holder.'],
    [
      'a generation that was',
      () => held().handoff(ada),
      [legStarted({ offer: 1 })],
      'each leg has the next generation.',
    ],
    [
      'a generation left out',
      offered,
      [legStarted({ generation: 2, offer: 1 })],
      'each leg has the next generation.',
    ],
    ['a leg beside the offer', offered, [legStarted()], 'a leg starts from the offer that stands.'],
    ['a leg from no offer', open, [legStarted({ offer: 1 })], 'a leg starts from the offer that stands.'],
    [
      'a leg from another offer',
      offered,
      [legStarted({ offer: 2 })],
      'a leg starts from the offer that stands.',
    ],
    [
      'a leg before its needs',
      () => new Play().open(ada, { terms: terms({ needs: [needA] }), first: toExecute }),
      [legStarted({ offer: 1 })],
      'a task with unmet needs cannot be taken.',
    ],
    [
      'an acknowledgement by nobody',
      offered,
      [{ type: 'leg-acknowledged', v: 1, goal: 'g', gate: 'g', next: 'n' }],
      'only a holder acknowledges.',
    ],
    ['the end of another leg', held, [legEnded(2)], 'leg 2 is the one that holds the task.'],
    ['the end of no leg', open, [legEnded(1)], 'leg 1 is the one that holds the task.'],
    [
      'the lapse of another leg',
      held,
      [{ type: 'leg-lapsed', v: 1, generation: 7, leaseUntil: dawn }],
      'leg 7 is the one that holds the task.',
    ],
    ['a note by nobody', open, [{ type: 'note', v: 1, text: 'x' }], 'notes are written by a holder.'],
    [
      'a dead end found by nobody',
      open,
      [{ type: 'attempt-failed', v: 1, what: 'x', why: 'x' }],
      'notes are written by a holder.',
    ],
    [
      'an effect of nobody',
      open,
      [{ type: 'effect-intended', v: 1, effect: 'x', token: 't' }],
      'only a holder acts on the world.',
    ],
    [
      'the receipt of no effect',
      held,
      [{ type: 'effect-settled', v: 1, effect: 'x', outcome: 'done' }],
      'effect x is open.',
    ],
  ])('%s is refused', (_what, play, events, sentence) => {
    expect(broken(() => play().tell(ada, events))).toBe(sentence);
  });
});

describe('packets, offers and reviews', () => {
  test.each<[string, () => Play, Event[], string]>([
    ['a packet without its parent', held, [sealed(packetB, packetA)], 'a packet continues the latest one.'],
    ['a fork of packets', held, [sealed(packetA), sealed(packetB)], 'a packet continues the latest one.'],
    ['an offer of held work', held, [offerMade()], 'work is offered only when nobody holds it.'],
    ['a second offer', offered, [offerMade({ offer: 2 })], 'one offer stands at a time.'],
    ['an offer with a number left out', open, [offerMade({ offer: 2 })], 'offers are counted without gaps.'],
    [
      'an offer of another packet',
      open,
      [offerMade({ packet: packetA })],
      'an offer carries the latest packet.',
    ],
    [
      'the withdrawal of another offer',
      offered,
      [{ type: 'offer-withdrawn', v: 1, offer: 2 }],
      'offer 2 stands.',
    ],
    ['the expiry of no offer', open, [{ type: 'offer-expired', v: 1, offer: 1 }], 'offer 1 stands.'],
    [
      'the refusal of an offer never made',
      open,
      [{ type: 'offer-declined', v: 1, offer: 1, reasons: ['x'] }],
      'offer 1 was made.',
    ],
    ['a dead letter on offer', offered, [dead], 'a dead letter is neither held nor offered.'],
    ['a dead letter in hands', held, [dead], 'a dead letter is neither held nor offered.'],
    [
      'a submission of held work',
      held,
      [{ type: 'submitted', v: 1, packet: null }],
      'submitted work is neither held nor offered.',
    ],
    [
      'a submission of offered work',
      offered,
      [{ type: 'submitted', v: 1, packet: null }],
      'submitted work is neither held nor offered.',
    ],
    [
      'a submission of another packet',
      held,
      [legEnded(), { type: 'submitted', v: 1, packet: packetA }],
      'a submission names the latest packet.',
    ],
    [
      'a submission by nobody',
      open,
      [{ type: 'submitted', v: 1, packet: null }],
      'somebody carried the work that is submitted.',
    ],
    [
      'an approval of another packet',
      () => held().submit(ada),
      [{ type: 'review-approved', v: 1, packet: packetB, contract: contractA }],
      'an approval binds to what was submitted.',
    ],
    [
      'an approval under another contract',
      () => held().submit(ada),
      [{ type: 'review-approved', v: 1, packet: packetA, contract: contractB }],
      'an approval binds to what was submitted.',
    ],
    [
      'findings about what was not submitted',
      held,
      [{ type: 'review-sent-back', v: 1, packet: null, findings: [{ text: 'x' }] }],
      'only submitted, approved or audited work is sent back.',
    ],
    ['an escalation of held work', held, [escalated], 'escalated work is neither held nor offered.'],
    ['an escalation of offered work', offered, [escalated], 'escalated work is neither held nor offered.'],
    [
      'the end of held work',
      held,
      [{ type: 'task-done', v: 1 }],
      'finished work is neither held nor offered.',
    ],
    [
      'the end of offered work',
      offered,
      [{ type: 'task-cancelled', v: 1, why: 'x' }],
      'finished work is neither held nor offered.',
    ],
  ])('%s is refused', (_what, play, events, sentence) => {
    expect(broken(() => play().tell(ada, events))).toBe(sentence);
  });
});

test('an answer waits to be read like a message, but not for the holder that gave it', () => {
  const play = held();
  const ask = { type: 'decision-raised', question: 'Oak?' } as const;
  play.run(ada, { type: 'carry', generation: 1, events: [ask, ask] });
  play.run(eve, { type: 'answer', decision: 1, answer: 'Oak.' });
  expect(play.state.unread).toEqual([play.state.seq]);
  play.run(ada, { type: 'read-messages', generation: 1, through: play.state.seq });
  play.run(ada, { type: 'answer', decision: 2, answer: 'Pine.' });
  expect(play.state.unread).toEqual([]);
});

test('reading messages up to one leaves the later ones unread', () => {
  const play = held();
  for (const text of ['one', 'two', 'three']) play.run(eve, { type: 'message', text });
  play.tell(ada, [{ type: 'messages-read', v: 1, through: 2 }]);
  expect(play.state.unread).toEqual([3]);
});

describe('decisions and needs', () => {
  test.each<[string, () => Play, Event[], string]>([
    ['a decision with a number left out', held, [made(2)], 'decisions are counted without gaps.'],
    [
      'a question with the number of a decision',
      held,
      [made(1), raised(1)],
      'decisions are counted without gaps.',
    ],
    [
      'an answer to no question',
      held,
      [{ type: 'decision-answered', v: 1, decision: 1, answer: 'x' }],
      'question 1 is open.',
    ],
    [
      'a second answer',
      held,
      [
        raised(1),
        { type: 'decision-answered', v: 1, decision: 1, answer: 'x' },
        { type: 'decision-answered', v: 1, decision: 1, answer: 'y' },
      ],
      'question 1 is open.',
    ],
    [
      'the meeting of one need twice',
      () => new Play().open(ada, { terms: terms({ needs: [needA] }), first: toExecute }),
      [
        { type: 'need-met', v: 1, task: needA },
        { type: 'need-met', v: 1, task: needA },
      ],
      `${needA} is needed and unmet.`,
    ],
    [
      'the meeting of what is not needed',
      open,
      [{ type: 'need-met', v: 1, task: needA }],
      `${needA} is needed and unmet.`,
    ],
  ])('%s is refused', (_what, play, events, sentence) => {
    expect(broken(() => play().tell(ada, events))).toBe(sentence);
  });
});

describe('the end', () => {
  const afterwards: readonly Event[] = [
    { type: 'message', v: 1, text: 'x' },
    { type: 'need-met', v: 1, task: needA },
    { type: 'contract-amended', v: 1, contract: contractB, terms: terms(), why: 'x' },
    offerMade({ offer: 2 }),
    { type: 'offer-declined', v: 1, offer: 1, reasons: ['x'] },
    legStarted({ generation: 2 }),
    sealed(),
    dead,
    { type: 'decision-made', v: 1, decision: 1, text: 'x' },
    { type: 'decision-raised', v: 1, decision: 1, question: 'x' },
    { type: 'progress-moved', v: 1, at: 1 },
    { type: 'messages-read', v: 1, through: 0 },
    { type: 'submitted', v: 1, packet: null },
    { type: 'review-approved', v: 1, packet: null, contract: contractA },
    escalated,
    { type: 'task-done', v: 1 },
    { type: 'task-failed', v: 1, why: 'x' },
    { type: 'task-cancelled', v: 1, why: 'x' },
  ];

  test.each(afterwards.map((event) => [event.type, event] as const))(
    'nothing happens to a task that is over: %s',
    (_type, event) => {
      const play = new Play().offered(ada).take(bea);
      play.run(bea, { type: 'complete', generation: 1, sealed: null });
      expect(broken(() => play.tell(ada, [event]))).toBe('nothing happens to a task that is done.');
    },
  );

  test('an end takes dead letter and escalation with it', () => {
    const play = new Play().offered(ada, toExecute, { terms: terms({ caps: { attempts: 1 } }) }).take(bea);
    play.run(bea, { type: 'retry', generation: 1, why: 'x', delayMs: 0 });
    play.run(eve, { type: 'cancel', why: 'x' });
    expect(play.state).toMatchObject({ status: 'cancelled', dead: null, escalation: null });
  });
});
