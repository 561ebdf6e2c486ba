/** Journals that `decide` would not have written: what goes somewhere is done once it is there, and nothing else says so. */
import { describe, expect, test } from 'vitest';
import { contractB, packetA, packetB, Play, terms } from '../../../test/support/play.ts';
import { ada, eve } from '../../../test/support/world.ts';
import { StaffettaError } from '../base/error.ts';
import { checkEvent, type Event } from '../journal/event.ts';
import { readEvent } from '../journal/upcast.ts';

const going = terms({ integrate: { onto: 'run' } });
const made = {
  type: 'integrated',
  v: 1,
  packet: null,
  onto: 'run',
  commit: 'a'.repeat(40),
  tree: 'b'.repeat(40),
} as const;
const done: Event = { type: 'task-done', v: 1 };
const ended: Event = { type: 'leg-ended', v: 1, generation: 1, outcome: 'completed' };

function held(): Play {
  return new Play().begin(ada, { terms: going });
}

function approved(): Play {
  const play = held();
  play.run(ada, { type: 'complete', generation: 1, sealed: null });
  return play;
}

function codeOf(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    if (error instanceof StaffettaError) return `${error.code} ${error.message}`;
    throw error;
  }
  return 'nothing';
}

describe('a journal is damaged or forged in which', () => {
  test.each<[string, () => Play, Event[], string]>([
    ['approved work is done and nowhere', approved, [done], 'done when it is'],
    ['completed work skips its integration', held, [ended, done], 'done when it is'],
    ['work is integrated that nobody approved', held, [ended, made, done], 'only approved work'],
    ['another packet is integrated', approved, [{ ...made, packet: packetB }, done], 'what was approved'],
    ['it goes elsewhere', approved, [{ ...made, onto: 'main' }, done], 'where its contract says'],
    ['held work is approved', held, [{ type: 'integration-due', v: 1 }], 'neither held nor offered'],
    [
      'the contract changes under an approval',
      approved,
      [{ type: 'contract-amended', v: 1, contract: contractB, terms: terms(), why: 'w' }],
      'under the contract it was approved under',
    ],
    [
      'a leg used something that never was',
      held,
      [{ type: 'usage-counted', v: 1, leg: 2, source: 'codex', tokens: 1 }],
      'there was a leg 2',
    ],
    [
      'a phase is approved that is not there',
      held,
      [{ type: 'phase-approved', v: 1, phase: 'x' }],
      'verified phase',
    ],
  ])('%s', (_what, play, events, sentence) => {
    const at = play();
    expect(codeOf(() => at.tell(eve, events))).toMatch(new RegExp(`^corrupt .*${sentence}`));
  });

  test('work that goes nowhere waits to be integrated', () => {
    const play = new Play().begin(ada);
    expect(codeOf(() => play.tell(ada, [ended, { type: 'integration-due', v: 1 }]))).toContain(
      'where approved work goes',
    );
  });
});

const opened = (v: number, given = going) => ({
  type: 'task-opened',
  v,
  contract: contractB,
  terms: given,
});

describe('versions of events', () => {
  test('what says nothing new is written as version 1, and what does as version 2', () => {
    const [first] = new Play().begin(ada).told;
    const [second] = held().told;
    expect([first?.entry.events[0]?.v, second?.entry.events[0]?.v]).toEqual([1, 2]);
    const play = held();
    play.run(eve, { type: 'escalate', text: 'w', reason: 'conflict' });
    expect(play.told.at(-1)?.entry.events.at(-1)).toMatchObject({ type: 'escalated', v: 2 });
    play.run(eve, { type: 'redrive' });
    play.run(eve, { type: 'escalate', text: 'w' });
    expect(play.told.at(-1)?.entry.events.at(-1)).toMatchObject({ type: 'escalated', v: 1 });
  });

  test('one content has one version, and a later one asks for an update', () => {
    expect(readEvent(opened(2))).toEqual(opened(2));
    expect(codeOf(() => readEvent(opened(1)))).toContain('corrupt');
    expect(codeOf(() => readEvent(opened(2, terms())))).toContain('corrupt');
    expect(codeOf(() => readEvent(opened(3)))).toContain('store-newer');
    expect(codeOf(() => checkEvent({ type: 'escalated', v: 1, reason: 'stalled', text: 'w' }))).toContain(
      'escalated',
    );
  });

  test('an approval stands for the packet that was latest', () => {
    const play = held();
    play.run(ada, { type: 'complete', generation: 1, sealed: { packet: packetA, certification: 'ready' } });
    expect(play.state.approval?.packet).toBe(packetA);
  });
});
