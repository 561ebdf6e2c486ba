import { describe, expect, test } from 'vitest';
import {
  packetA,
  packetB,
  Play,
  terms,
  toAudit,
  toExecute,
  treeA,
  treeB,
} from '../../../test/support/play.ts';
import { ada, eve, quinn, sol } from '../../../test/support/world.ts';
import type { Command, Sealed } from '../task/command.ts';
import { StaffettaError } from '../base/error.ts';
import { certifications, type Trigger } from '../journal/event.ts';

function handoff(sealed: Sealed, trigger?: Trigger): Command {
  const offer = { ...toExecute, ...(trigger === undefined ? {} : { trigger }) };
  return { type: 'handoff', generation: 1, offer, sealed };
}

function audit(): Play {
  const play = new Play().begin(ada, { terms: terms({ review: { owner: 'lane:audit' } }) });
  play.run(ada, {
    type: 'handoff',
    generation: 1,
    offer: toAudit,
    sealed: { packet: packetA, certification: 'ready', workspace: treeA },
  });
  play.run(quinn, { type: 'accept', offer: 1, met: [], leaseMs: 60_000 });
  play.run(quinn, { type: 'acknowledge', generation: 2, goal: 'g', gate: 'g', next: 'n' });
  return play;
}
const sealed = (workspace: typeof treeA): Sealed => ({
  packet: packetB,
  certification: 'ready',
  workspace,
});

/** Whether it is offered; otherwise the gate refused it, and nothing else did. */
function goesOut(command: Command): boolean {
  const decision = new Play().begin(ada).ask(ada, command);
  if (!(decision instanceof StaffettaError)) return decision.at(-1)?.type === 'offer-made';
  expect(decision.code).toBe('not-ready');
  return false;
}

describe('P5: what a packet must be', () => {
  test.each(certifications.map((one) => [one, one === 'ready'] as const))(
    'a handoff of a packet that is %s: %s',
    (certification, passes) => {
      expect(goesOut(handoff({ packet: packetA, certification }))).toBe(passes);
    },
  );

  test.each<[Trigger, boolean]>([
    ['planned', false],
    ['user', false],
    ['context-limit', true],
    ['usage-limit', true],
    ['timeout', true],
    ['crash', true],
  ])('a valid packet on %s: %s', (trigger, passes) => {
    expect(goesOut(handoff({ packet: packetA, certification: 'valid' }, trigger))).toBe(passes);
  });

  test('a draft does not go out even in an emergency: it holds a secret', () => {
    const play = new Play().begin(ada);
    const error = play.refusal(ada, handoff({ packet: packetA, certification: 'draft' }, 'crash'));
    expect(error).toMatchObject({
      code: 'not-ready',
      message: expect.stringMatching(/ is not ready\.$/) as string,
    });
  });

  test('what its giver could have said otherwise does not go out even in an emergency', () => {
    const mendable: Sealed = { packet: packetA, certification: 'verified', mendable: true };
    expect(goesOut(handoff(mendable, 'context-limit'))).toBe(false);
    expect(goesOut(handoff({ packet: packetA, certification: 'verified' }, 'context-limit'))).toBe(true);
  });

  test('a submission and a completion are ready', () => {
    const sealed: Sealed = { packet: packetA, certification: 'verified' };
    for (const type of ['submit', 'complete'] as const) {
      const play = new Play().begin(ada);
      expect(play.refusal(ada, { type, generation: 1, sealed }).code).toBe('not-ready');
      const ready: Sealed = { packet: packetA, certification: 'ready' };
      expect(play.run(ada, { type, generation: 1, sealed: ready }).length).toBeGreaterThan(0);
    }
  });

  test('a checkpoint may be anything: it only marks the place', () => {
    const play = new Play().begin(ada);
    play.run(ada, { type: 'checkpoint', generation: 1, sealed: { packet: packetA, certification: 'draft' } });
    expect(play.state.sealed).toEqual({ certification: 'draft', findings: null, workspace: null });
  });

  test('where the caller asked that the gate only records, nothing is refused', () => {
    const play = new Play().begin(ada);
    const sealed: Sealed = { packet: packetA, certification: 'valid', ungated: true };
    expect(play.run(ada, handoff(sealed)).at(-1)?.type).toBe('offer-made');
  });
});

describe('a leg in the audit lane', () => {
  test.each<[string, (sealed: Sealed) => Command]>([
    ['checkpoint', (given) => ({ type: 'checkpoint', generation: 2, sealed: given })],
    ['handoff', (given) => ({ type: 'handoff', generation: 2, offer: toExecute, sealed: given })],
    ['submit', (given) => ({ type: 'submit', generation: 2, sealed: given })],
    ['complete', (given) => ({ type: 'complete', generation: 2, sealed: given })],
  ])('a %s of another workspace than was received is refused', (_name, command) => {
    const play = audit();
    expect(play.refusal(quinn, command(sealed(treeB))).code).toBe('audit-changed');
    expect(play.run(quinn, command(sealed(treeA)))).not.toEqual([]);
  });
});

test('a reviewer whose workspace nobody looked at is refused: not knowing is no leave', () => {
  const play = audit();
  const complete: Command = {
    type: 'complete',
    generation: 2,
    sealed: { packet: packetB, certification: 'ready' },
  };
  expect(play.refusal(quinn, complete)).toMatchObject({
    code: 'audit-changed',
    message: expect.stringContaining('Nobody looked') as string,
  });
});

describe('demands for a person', () => {
  test('once raised they stand, and only a person approves', () => {
    const play = new Play().begin(ada, { terms: terms({ review: { owner: 'lane:audit' } }) });
    const demands = ['price.ts is protected (price.ts).'];
    play.run(ada, {
      type: 'checkpoint',
      generation: 1,
      sealed: { packet: packetA, certification: 'ready', demands },
    });
    play.run(ada, { type: 'submit', generation: 1, sealed: { packet: packetB, certification: 'ready' } });
    expect(play.state.demands).toEqual(demands);
    const approve: Command = { type: 'approve', packet: packetB };
    expect(play.refusal(quinn, approve)).toMatchObject({ code: 'denied', details: { demands } });
    expect(play.refusal(sol, approve).code).toBe('denied');
    expect(play.run(eve, approve).at(-1)?.type).toBe('task-done');
  });

  test('a task without a reviewer cannot be completed over them', () => {
    const play = new Play().begin(ada);
    const sealed: Sealed = { packet: packetA, certification: 'ready', demands: ['It is large.'] };
    expect(play.refusal(ada, { type: 'complete', generation: 1, sealed })).toMatchObject({
      code: 'review-required',
      message: expect.stringContaining('a person') as string,
    });
  });
});
