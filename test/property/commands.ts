/** Any command by anybody at any time, as data. What depends on the task (who holds it, its generation) is filled in when it is run. */
import * as fc from 'fast-check';
import { systemActor, type Actor } from '../../src/core/task/actor.ts';
import { isAddressedTo, type Address } from '../../src/core/task/address.ts';
import type { CarryEvent, PhaseMove, Command, OfferTerms, Sealed } from '../../src/core/task/command.ts';
import { digestOf, type Digest } from '../../src/core/journal/digest.ts';
import type { Status, TaskState } from '../../src/core/task/state.ts';
import type { TaskBudget, Edges, Terms } from '../../src/core/contract/terms.ts';
import { contractA, contractB, needA, needB, terms } from '../support/play.ts';
import { ada, bea, cyd, eve, pia, quinn, sol } from '../support/world.ts';

const known: readonly Actor[] = [ada, bea, cyd, quinn, pia, sol, eve, systemActor];
export const actors: readonly Actor[] = [
  ...known,
  { name: 'drifter', kind: 'agent' },
  { ...ada, session: 'second' },
  { ...quinn, lineage: ['ada'] },
];

export interface Step {
  readonly advanceMs: number;
  readonly renew: boolean;
  readonly ask: (state: TaskState) => { readonly by: Actor; readonly command: Command };
}

const actor = fc.constantFrom(...actors);

/** Null, and once in so many times something else. */
function rarely<T>(arbitrary: fc.Arbitrary<T>, oneIn: number): fc.Arbitrary<T | null> {
  return fc.oneof({ weight: oneIn - 1, arbitrary: fc.constant(null) }, { weight: 1, arbitrary });
}

const text = fc.constantFrom('x', 'Oak.', 'é🧰', 'two\nlines');
const lane = fc.constantFrom('plan' as const, 'execute' as const, 'audit' as const, 'supervise' as const);
const to: fc.Arbitrary<Address> = fc.constantFrom<Address>(
  'anyone',
  'agent:ada',
  'agent:bea',
  'agent:quinn',
  'lane:execute',
  'lane:audit',
  'lane:plan',
  'runtime:codex',
);
const digest = fc.constantFrom('one', 'two', 'three').map((word) => digestOf(word));
const need = fc.constantFrom(needA, needB);
const needs = fc.uniqueArray(need, { maxLength: 2 });
const leaseMs = fc.constantFrom(1000, ...Array.from({ length: 8 }, () => 60_000), 50);
const merged = { commit: 'a'.repeat(40), tree: 'b'.repeat(40) };
const effectName = fc.constantFrom('deploy', 'send');
const outcome = fc.constantFrom<'done' | 'failed'>('done', 'failed');
const became = fc.record({ effect: effectName, outcome });
const offer: fc.Arbitrary<OfferTerms> = fc.record(
  {
    to,
    lane,
    why: text,
    trigger: fc.constantFrom('planned' as const, 'crash' as const, 'user' as const),
    notBefore: fc.constantFrom(0, 1_767_225_660_000),
    expiresMs: fc.constantFrom(1000, 100_000),
  },
  { requiredKeys: ['to', 'lane'] },
);

const sealed: fc.Arbitrary<Sealed> = fc.record(
  {
    packet: digest,
    certification: fc.constantFrom('ready' as const, 'ready' as const, 'verified' as const, 'valid' as const),
    workspace: digest,
    demands: fc.array(text, { maxLength: 2 }),
    ungated: fc.boolean(),
  },
  { requiredKeys: ['packet', 'certification'] },
);
const maybeSealed = rarely(sealed, 2);

const review = fc.constantFrom<NonNullable<Terms['review']> | undefined>(
  undefined,
  { owner: 'lane:audit' },
  { owner: 'agent:quinn' },
  { owner: 'anyone' },
  { human: true },
);

export const anyTerms: fc.Arbitrary<Terms> = fc
  .record({
    needs,
    review,
    hops: fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined }),
    rework: fc.integer({ min: 1, max: 3 }),
    attempts: fc.integer({ min: 1, max: 3 }),
    phases: fc.constantFrom<{ name: string; human?: true }[] | undefined>(
      undefined,
      [{ name: 'first' }, { name: 'second' }],
      [{ name: 'first', human: true }, { name: 'second' }],
    ),
    crew: fc.record(
      {
        integrate: fc.constant({ onto: 'run' }),
        budget: fc.constantFrom<TaskBudget>(
          { tokens: 90 },
          { legs: 5 },
          { ms: 90_000 },
          { cost: { amount: 1, unit: 'USD' } },
        ),
        edges: fc.constantFrom<Edges>('any', [
          { from: 'ada', to: 'bea' },
          { from: 'bea', to: 'quinn' },
          { from: 'quinn', to: 'ada' },
        ]),
      },
      { requiredKeys: [] },
    ),
  })
  .map(({ needs, review, hops, rework, attempts, phases, crew }) =>
    terms({
      needs,
      ...crew,
      ...(phases === undefined ? {} : { phases }),
      ...(review === undefined ? {} : { review }),
      caps: { rework, attempts, ...(hops === undefined ? {} : { hops }) },
    }),
  );

const carried: fc.Arbitrary<CarryEvent> = fc.oneof(
  fc.record({ type: fc.constant('note' as const), text }),
  fc.record({ type: fc.constant('decision-made' as const), text }),
  fc.record({ type: fc.constant('decision-raised' as const), question: text, owner: to }),
  fc.record({ type: fc.constant('attempt-failed' as const), what: text, why: text }),
  fc.record({ type: fc.constant('progress-moved' as const), at: fc.nat(9) }),
  digest.map((state) => ({ type: 'state-kept', program: 'mine', state }) as const),
  fc.constant({ type: 'run-step', what: 'routed', why: 'A rule.' } as const),
);

const run = fc.record({
  run: fc.constantFrom<string[]>(['npm', 'test'], ['true']),
  exit: fc.constantFrom(0, 1, null),
  ended: fc.constantFrom('exited' as const, 'timed-out' as const),
  ms: fc.nat(9),
  outputBytes: fc.nat(9),
  workspace: fc.option(digest),
});

const phaseName = fc.constantFrom('first', 'first', 'first', 'first', 'second', 'third');
const phaseMove: fc.Arbitrary<PhaseMove> = fc.oneof(
  fc.record({ phase: phaseName, to: fc.constant('verified' as const) }),
  fc.record({ phase: phaseName, to: fc.constantFrom('failed' as const, 'rolled-back' as const), why: text }),
);

/** What a command is filled in with when it is run. */
type Fill = (moment: {
  readonly fence: number;
  readonly generation: number;
  readonly packet: Digest | null;
  readonly phaseStarted: string | undefined;
  readonly phaseVerified: string | undefined;
}) => Command;

const open = fc.record({
  terms: anyTerms,
  contract: fc.constantFrom(contractA, contractB),
  met: needs,
  offer,
  leaseMs,
  how: fc.nat(2),
});

/** By type, so that a new command without an arbitrary here does not compile. */
const fills: { readonly [T in Command['type']]: fc.Arbitrary<Fill> } = {
  open: open.map(({ terms, contract, met, offer, leaseMs, how }) => () => ({
    type: 'open',
    contract,
    terms,
    met,
    first: how === 0 ? null : how === 1 ? offer : { take: offer.lane, leaseMs },
  })),
  amend: fc
    .record({ terms: anyTerms, contract: fc.constantFrom(contractA, contractB), why: text })
    .map((given) => () => ({ type: 'amend', ...given })),
  offer: offer.map((given) => () => ({ type: 'offer', offer: given })),
  handoff: fc.record({ offer, sealed: maybeSealed }).map((given) => ({ fence }) => ({
    type: 'handoff',
    generation: fence,
    ...given,
  })),
  withdraw: leaseMs.map((given) => () => ({ type: 'withdraw', leaseMs: given })),
  accept: fc
    .record({ offer: rarely(fc.nat(4), 10), met: needs, leaseMs })
    .map((given) => () => ({ type: 'accept', ...given })),
  acknowledge: text.map((goal) => ({ fence }) => ({
    type: 'acknowledge',
    generation: fence,
    goal,
    gate: 'g',
    next: 'n',
  })),
  decline: fc
    .record({ reasons: fc.array(text, { minLength: 1, maxLength: 2 }), fenced: fc.boolean() })
    .map(({ reasons, fenced }) => ({ fence }) => ({
      type: 'decline',
      reasons,
      ...(fenced ? { generation: fence } : {}),
    })),
  checkpoint: sealed.map((given) => ({ fence }) => ({
    type: 'checkpoint',
    generation: fence,
    sealed: given,
  })),
  carry: fc.array(carried, { maxLength: 4 }).map((events) => ({ fence }) => ({
    type: 'carry',
    generation: fence,
    events,
  })),
  'record-runs': fc
    .record({ runs: fc.array(run, { maxLength: 2 }), phase: rarely(phaseMove, 1), fenced: fc.nat(4) })
    .map(({ runs, phase, fenced }) => ({ fence, phaseStarted }) => ({
      type: 'record-runs',
      runs,
      // Mostly what can follow: a phase is started before anything else becomes of it.
      ...(phase === null
        ? {}
        : phaseStarted === undefined
          ? { phase: { phase: phase.phase, to: 'started' as const } }
          : { phase: phase.phase === 'second' ? phase : { ...phase, phase: phaseStarted } }),
      ...(fenced > 0 ? { generation: fence } : {}),
    })),
  'approve-phase': phaseName.map((phase) => ({ phaseVerified = phase }) => ({
    type: 'approve-phase',
    phase: phaseVerified,
  })),
  'count-usage': fc
    .record({
      leg: fc.constantFrom(0, 0, 0, -1, 1),
      tokens: fc.nat(40),
      cost: rarely(fc.constantFrom({ amount: 0.1, unit: 'USD' }, { amount: 2, unit: 'EUR' }), 2),
      fenced: fc.boolean(),
    })
    .map(({ leg, tokens, cost, fenced }) => ({ fence, generation }) => ({
      type: 'count-usage',
      usage: {
        leg: Math.max(1, generation + leg),
        source: 'codex',
        tokens,
        ...(cost === null ? {} : { cost }),
      },
      ...(fenced ? { generation: fence } : {}),
    })),
  steer: fc
    .record({ paused: fc.boolean(), parallel: fc.integer({ min: 1, max: 4 }), why: text })
    .map((given) => () => ({ type: 'steer', ...given })),
  leave: fc.constant(() => ({ type: 'leave', to: 'there' })),
  arrive: fc
    .constantFrom('there', 'there', 'there', 'nowhere')
    .map((here) => () => ({ type: 'arrive', here, from: 'here' })),
  integrate: fc
    .record({ other: rarely(digest, 6), onto: fc.constantFrom('run', 'run', 'run', 'main') })
    .map(({ other, onto }) => ({ packet }) => ({
      type: 'integrate',
      packet: other ?? packet,
      onto,
      ...merged,
    })),
  answer: fc
    .record({ decision: fc.integer({ min: 1, max: 4 }), answer: text })
    .map((given) => () => ({ type: 'answer', ...given })),
  message: text.map((given) => () => ({ type: 'message', text: given })),
  'read-messages': fc.nat(40).map((through) => ({ fence }) => ({
    type: 'read-messages',
    generation: fence,
    through,
  })),
  'need-met': fc.array(need, { maxLength: 3 }).map((given) => () => ({ type: 'need-met', needs: given })),
  'intend-effect': fc
    .record({ effect: effectName, token: fc.constantFrom('t1', 't2'), retry: fc.boolean() })
    .map((given) => ({ fence }) => ({ type: 'intend-effect', generation: fence, ...given })),
  'settle-effect': became.map((of) => ({ fence }) => ({ type: 'settle-effect', generation: fence, ...of })),
  'report-effect': became.map((given) => () => ({ type: 'report-effect', ...given })),
  submit: maybeSealed.map((given) => ({ fence }) => ({ type: 'submit', generation: fence, sealed: given })),
  approve: rarely(digest, 6).map((other) => ({ packet }) => ({ type: 'approve', packet: other ?? packet })),
  'send-back': rarely(digest, 6).map((other) => ({ packet }) => ({
    type: 'send-back',
    packet: other ?? packet,
    findings: [{ text: 'A gap.' }],
  })),
  complete: maybeSealed.map((given) => ({ fence }) => ({
    type: 'complete',
    generation: fence,
    sealed: given,
  })),
  fail: text.map((why) => ({ fence }) => ({ type: 'fail', generation: fence, why })),
  retry: fc.record({ why: text, delayMs: fc.constantFrom(0, 5000) }).map((given) => ({ fence }) => ({
    type: 'retry',
    generation: fence,
    ...given,
  })),
  escalate: fc.record({ text, fenced: fc.boolean() }).map(({ text, fenced }) => ({ fence }) => ({
    type: 'escalate',
    text,
    ...(fenced ? { generation: fence } : {}),
  })),
  cancel: text.map((why) => () => ({ type: 'cancel', why })),
  lapse: fc.constant(() => ({ type: 'lapse' })),
  expire: fc.constant(() => ({ type: 'expire' })),
  redrive: rarely(to, 2).map((given) => () => ({
    type: 'redrive',
    ...(given === null ? {} : { to: given }),
  })),
};

type Name = Command['type'];
export const commandTypes = Object.keys(fills) as readonly Name[];

const byHolder: readonly Name[] = [
  'acknowledge',
  'carry',
  'checkpoint',
  'record-runs',
  'handoff',
  'submit',
  'complete',
  'retry',
  'intend-effect',
  'settle-effect',
  'read-messages',
  'escalate',
  'count-usage',
];
const onOffer: readonly Name[] = ['accept', 'withdraw', 'decline', 'expire', 'need-met'];
const outside: readonly Name[] = ['message', 'amend', 'answer', 'answer'];
const plausible: { readonly [S in Status]?: readonly Name[] } = {
  open: ['offer', 'message'],
  offered: ['accept', 'accept', 'report-effect', ...onOffer],
  lapsed: ['accept', 'accept', ...onOffer],
  rework: ['accept', 'accept', ...onOffer],
  blocked: ['need-met', 'accept', 'amend', 'withdraw', 'expire'],
  held: [...byHolder, 'lapse', 'decline', 'send-back', 'steer', 'approve-phase', ...outside],
  submitted: ['approve', 'send-back', 'send-back', ...outside],
  approved: ['integrate', 'integrate', 'send-back', 'escalate'],
  declined: ['offer', 'redrive'],
  escalated: ['offer', 'redrive', 'message', 'integrate'],
};

/** Somebody who could well ask for this now. */
function entitled(state: TaskState, name: Name, pick: number): Actor {
  const one = (of: readonly Actor[]): Actor => of[pick % of.length] ?? eve;
  if (state.leg !== null && byHolder.includes(name)) return state.leg.holder;
  const { offer } = state;
  if (offer !== null && (name === 'accept' || name === 'decline'))
    return one(actors.filter((actor) => isAddressedTo(offer.to, offer.lane, actor)));
  if (name === 'send-back' && state.leg !== null) return state.leg.holder;
  if (name === 'approve-phase') return { ...eve, name: 'zoe' };
  if (name === 'integrate' || (name === 'send-back' && state.status === 'approved'))
    return one([eve, sol, systemActor]);
  if (name === 'approve' || name === 'send-back') return one([quinn, eve]);
  return one([eve, sol, ada]);
}

const act = fc.constantFrom(...commandTypes).chain((name) => fills[name].map((make) => ({ name, make })));

/** Mostly the right generation, sometimes an old, a future or no generation. */
const lag = fc.oneof(
  { weight: 12, arbitrary: fc.constant(0) },
  { weight: 1, arbitrary: fc.constantFrom(-2, -1, 1) },
);

/** Of several commands mostly one that makes sense in the state the task is in, asked for by somebody who may. */
export const step: fc.Arbitrary<Step> = fc
  .record({
    acts: fc.array(act, { minLength: 8, maxLength: 8 }),
    sensible: fc.integer({ min: 0, max: 9 }).map((chance) => chance < 8),
    stranger: rarely(actor, 5),
    pick: fc.nat(20),
    lag,
    advanceMs: fc.oneof(
      { weight: 6, arbitrary: fc.nat(50) },
      { weight: 1, arbitrary: fc.constantFrom(1001, 60_001, 100_001) },
    ),
    renew: fc.boolean(),
  })
  .map(({ acts, sensible, stranger, pick, lag, advanceMs, renew }) => ({
    [fc.toStringMethod]: () => acts.map(({ name }) => name).join('|'),
    advanceMs,
    renew,
    ask: (state) => {
      const fitting = acts.find(({ name }) => plausible[state.status]?.includes(name) ?? true);
      const [first] = acts;
      const chosen = (sensible ? fitting : undefined) ??
        first ?? { name: 'lapse', make: () => ({ type: 'lapse' }) };
      return {
        by: stranger ?? entitled(state, chosen.name, pick),
        command: chosen.make({
          fence: state.generation + lag,
          generation: state.generation,
          packet: state.packet,
          phaseStarted: state.phases.find(({ status }) => status === 'started' || status === 'failed')?.name,
          phaseVerified: state.phases.find(({ status }) => status === 'verified')?.name,
        }),
      };
    },
  }));
