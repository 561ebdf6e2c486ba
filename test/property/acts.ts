/** Anything a crew can do with a store, as data, and how it is done. The outcome is text: two stores that behave alike say the same. */
import * as fc from 'fast-check';
import type { Actor } from '../../src/core/task/actor.ts';
import { addressesOf, type Address } from '../../src/core/task/address.ts';
import { canonical } from '../../src/core/journal/canonical.ts';
import { isStaffettaError } from '../../src/core/base/error.ts';
import type { TaskId } from '../../src/core/journal/id.ts';
import { carry } from '../../src/handoff/verbs/carry.ts';
import { Leg } from '../../src/handoff/verbs/leg.ts';
import { load } from '../../src/handoff/record/load.ts';
import { ada, bea, cyd, eve, pia, quinn, sol, type Stage } from '../support/world.ts';

export const crew: readonly Actor[] = [ada, bea, cyd, quinn, pia, sol, eve];
const people: readonly Actor[] = [eve, sol];
const receivers: readonly Address[] = ['anyone', 'agent:bea', 'lane:execute', 'lane:audit', 'agent:quinn'];

interface Chance {
  readonly who: number;
  readonly task: number;
  readonly n: number;
  readonly key: string | undefined;
}

/** A stage, and the tasks opened on it so far. */
export interface Table extends Stage {
  readonly tasks: TaskId[];
}

type Doing = (at: Table, chance: Chance) => Promise<unknown>;

function one<T>(of: readonly T[], n: number): T {
  const chosen = of[n % of.length];
  if (chosen === undefined) throw new Error('nothing to choose from');
  return chosen;
}

function once({ key }: Chance): { key?: string } {
  return key === undefined ? {} : { key };
}

/** Acts on the leg that holds the chosen task, in its holder's name. */
function holding(act: (leg: Leg, chance: Chance) => Promise<unknown>): Doing {
  return async (at, chance) => {
    const { state } = await load(at.context, one(at.tasks, chance.task));
    return await act(await Leg.from(at.context, state), chance);
  };
}

const doings: Readonly<Record<string, Doing>> = {
  open: async (at, chance) => {
    const need = chance.n % 5 === 0 && at.tasks.length > 0 ? [one(at.tasks, chance.task)] : [];
    const { task } = await at.staffetta.open(
      {
        goal: `goal ${chance.n}`,
        needs: need,
        caps: { attempts: 2 + (chance.n % 3), rework: 2 },
        ...(chance.n % 2 === 0 ? { review: { owner: 'lane:audit' } } : {}),
      },
      {
        as: one(crew, chance.who),
        to: one(receivers, chance.n),
        ...once(chance),
        ...(chance.n % 7 === 0 ? { expiresMs: 5000 } : {}),
        ...(chance.n % 4 === 1 ? { draft: true } : {}),
      },
    );
    if (!at.tasks.includes(task)) at.tasks.push(task);
    return task;
  },
  begin: async (at, chance) => {
    const leg = await at.staffetta.begin(
      { goal: `begun ${chance.n}` },
      { as: one(crew, chance.who), ...once(chance) },
    );
    if (!at.tasks.includes(leg.task)) at.tasks.push(leg.task);
    return leg.fence;
  },
  offer: async (at, chance) =>
    await at.staffetta.offer(
      one(at.tasks, chance.task),
      { to: one(receivers, chance.n), lane: 'execute' },
      { as: one(people, chance.who), ...once(chance) },
    ),
  'take the next': async (at, chance) =>
    (await at.staffetta.take({ as: one(crew, chance.who), leaseMs: 20_000 }))?.fence,
  take: async (at, chance) =>
    (
      await at.staffetta.take({
        task: one(at.tasks, chance.task),
        as: one(crew, chance.who),
        ...once(chance),
      })
    )?.fence,
  acknowledge: holding(async (leg, chance) => await leg.acknowledge({}, once(chance))),
  note: holding(async (leg, chance) => await leg.note(`note ${chance.n}`, once(chance))),
  ask: holding(async (leg, chance) => await leg.ask('Oak?', {}, once(chance))),
  progress: holding(async (leg, chance) => await leg.progress(chance.n, {}, once(chance))),
  checkpoint: holding(
    async (leg, chance) =>
      await leg.checkpoint({ transcript: `words ${chance.n % 3}`.repeat(300) }, once(chance)),
  ),
  'hand off': holding(
    async (leg, chance) =>
      await leg.handoff(
        {
          to: one(receivers, chance.n),
          transcript: `words ${chance.n % 3}`,
          ...(chance.n % 3 === 0 ? { trigger: 'crash' } : {}),
          ...(chance.n % 4 === 0 ? { expiresMs: 5000 } : {}),
        },
        once(chance),
      ),
  ),
  submit: holding(
    async (leg, chance) => await leg.submit({ claims: { summary: `${chance.n}` } }, once(chance)),
  ),
  complete: holding(async (leg, chance) => await leg.complete({}, once(chance))),
  retry: holding(async (leg, chance) => await leg.retry('Rain.', once(chance))),
  escalate: holding(async (leg, chance) => await leg.escalate('Stuck.', once(chance))),
  renew: holding(async (leg, chance) => await leg.renew(one([60_000, 1000, 300_000], chance.n))),
  'read messages': holding(async (leg) => await leg.markRead(await leg.messages())),
  effect: holding(
    async (leg, chance) =>
      await leg.effect('deploy', ({ key, fence }) => {
        if (chance.n % 2 === 0) throw new Error('The line broke.');
        return { key, fence };
      }),
  ),
  settle: holding(
    async (leg, chance) => await leg.settle('deploy', chance.n % 2 === 0 ? 'done' : 'failed', chance.n),
  ),
  'write late': async (at, chance) => {
    const task = one(at.tasks, chance.task);
    const { state } = await load(at.context, task);
    const held = { task, generation: state.generation - 1 };
    return await carry(at.context, held, [{ type: 'note', text: 'late' }], { by: one(crew, chance.who) });
  },
  decline: async (at, chance) =>
    await at.staffetta.decline(one(at.tasks, chance.task), ['No.'], {
      as: one(crew, chance.who),
      ...once(chance),
    }),
  tell: async (at, chance) =>
    await at.staffetta.tell(one(at.tasks, chance.task), `news ${chance.n}`, { as: eve, ...once(chance) }),
  answer: async (at, chance) =>
    await at.staffetta.answer(one(at.tasks, chance.task), { decision: 1, answer: 'Oak.' }, { as: eve }),
  approve: async (at, chance) => {
    const task = one(at.tasks, chance.task);
    const { packet } = await at.staffetta.show(task);
    return await at.staffetta.review(
      task,
      { approve: true, packet },
      { as: one([quinn, eve, ada], chance.who) },
    );
  },
  'send back': async (at, chance) => {
    const task = one(at.tasks, chance.task);
    const { packet } = await at.staffetta.show(task);
    const findings = [{ text: `gap ${chance.n}` }];
    return await at.staffetta.review(
      task,
      { approve: false, packet, findings },
      { as: one([eve, quinn], chance.who), ...once(chance) },
    );
  },
  withdraw: async (at, chance) =>
    await at.staffetta.withdraw(one(at.tasks, chance.task), {}, { as: one(crew, chance.who) }),
  redrive: async (at, chance) =>
    await at.staffetta.redrive(one(at.tasks, chance.task), {}, { as: one(people, chance.who) }),
  cancel: async (at, chance) =>
    chance.n % 4 === 0
      ? await at.staffetta.cancel(one(at.tasks, chance.task), 'Flood.', { as: eve })
      : undefined,
  recover: async (at) => await at.staffetta.recover(),
  sweep: async (at, chance) => await at.staffetta.sweep({ olderThanMs: 50_000, dryRun: chance.n % 2 === 0 }),
  wait: async (at, chance) => {
    at.clock.set(at.clock.now() + one([1, 500, 6000, 25_000, 70_000], chance.n));
  },
};

export interface Act extends Chance {
  readonly name: string;
}

const weights: Readonly<Record<string, number>> = {
  open: 3,
  begin: 2,
  'take the next': 6,
  take: 4,
  acknowledge: 5,
  note: 2,
  'hand off': 4,
  submit: 4,
  'send back': 3,
  effect: 2,
  settle: 3,
  wait: 3,
};

export const actNames: readonly string[] = Object.keys(doings);

export const act: fc.Arbitrary<Act> = fc.record({
  name: fc.oneof(
    ...Object.keys(doings).map((name) => ({ weight: weights[name] ?? 1, arbitrary: fc.constant(name) })),
  ),
  who: fc.nat(50),
  task: fc.nat(50),
  n: fc.nat(50),
  key: fc.oneof(
    { weight: 4, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: fc.constantFrom('k1', 'k2', 'k3') },
  ),
});

/** Equal values are spelled alike, whatever the order of their fields. */
function spelled(value: unknown): string {
  return value === undefined ? 'nothing' : canonical(value);
}

/** Does it and says what came of it. */
export async function perform(at: Table, { name, ...chance }: Act): Promise<string> {
  const doing = doings[name];
  if (doing === undefined || (at.tasks.length === 0 && name !== 'open' && name !== 'begin')) return 'nothing';
  try {
    return `${name}: ${spelled(await doing(at, chance))}`;
  } catch (error) {
    if (isStaffettaError(error))
      return `${name} refused: ${error.code} ${error.message} ${spelled(error.details)}`;
    if (error instanceof Error && error.message === 'The line broke.') return `${name} broke`;
    throw error;
  }
}

/** Everything a store can be asked, as lines of text. Receives hints, so it is asked last. */
export async function everything({ store, clock, staffetta, tasks }: Table): Promise<string[]> {
  const lines: string[] = [];
  const say = (what: string, value: unknown): void => {
    lines.push(`${what} ${spelled(value)}`);
  };
  for (const task of tasks) {
    say('head', await store.journal.head(task));
    say('entries', await store.journal.read(task, 0, 1000));
    say('some entries', await store.journal.read(task, 2, 3));
    for (const key of ['k1', 'k2', 'k3', 'effect:deploy']) say(key, await store.journal.find(task, key));
    say('resolve', await store.catalog.resolve(task.slice(0, 5), 5));
  }
  for (const query of [
    {},
    { statuses: ['offered', 'lapsed', 'rework', 'blocked'] as const },
    { statuses: ['held'] as const, lane: 'execute' as const },
    { holder: 'bea' },
    { dead: true },
    { leaseBefore: clock.now() },
  ]) {
    for (const oldestFirst of [true, false]) {
      let cursor: string | undefined;
      do {
        const page = await store.catalog.list({
          ...query,
          oldestFirst,
          limit: 2,
          ...(cursor === undefined ? {} : { cursor }),
        });
        say('cards', page.cards);
        cursor = page.next;
      } while (cursor !== undefined);
    }
  }
  say('blobs', await store.blobs.list(undefined, 1000));
  for (const { digest } of await store.blobs.list(undefined, 1000))
    say('blob', Buffer.from((await store.blobs.get(digest)) ?? []).toString('base64'));
  say('feed', await store.catalog.feed(0, 10_000));
  say('verify', await staffetta.verify());
  const addresses = [...new Set(crew.flatMap(addressesOf))];
  const hints = await store.mailbox.receive(addresses, { now: clock.now(), hideMs: 1, limit: 100 });
  say(
    'hints',
    hints.map(({ to, task, offer, due, deliveries }) => ({ to, task, offer, due, deliveries })),
  );
  return lines;
}
