/** A store with something of everything in it, and everything that can be read from it: what damage is judged against. */
import type { Staffetta } from '../../src/library/staffetta.ts';
import type { Address } from '../../src/core/task/address.ts';
import { digestOf } from '../../src/core/journal/digest.ts';
import { statuses } from '../../src/core/task/state.ts';
import type { TaskId } from '../../src/core/journal/id.ts';
import { noise } from '../crash/scenario.ts';

const eve = { name: 'eve', kind: 'human' } as const;
const prose = 'She walked on, and the road went with her. ';

const relay: readonly [string, Address][] = [
  ['ada', 'agent:bob'],
  ['bob', 'agent:cem'],
  ['cem', 'agent:ada'],
];

/** Carries the task round among three, from one hop to another. */
export async function carryRound(staffetta: Staffetta, from: number, to: number): Promise<void> {
  const { task } = await staffetta.open(
    { goal: 'Go round.', acceptance: ['Once.'] },
    { key: 'round', as: 'ada' },
  );
  for (let hop = from; hop < to; hop += 1) {
    const [name, next] = relay[hop % relay.length] ?? ['ada', 'agent:bob'];
    const leg = await staffetta.take({ task, as: name, key: `take ${hop}` });
    if (leg === undefined) throw new Error('nothing to take');
    await leg.acknowledge({}, { key: `acknowledge ${hop}` });
    await leg.note(`Hop ${hop}. ${prose.repeat(hop)}`, { key: `note ${hop}` });
    await leg.decide(`Turn ${hop % 2 === 0 ? 'left' : 'right'}.`, { why: 'It looked shorter.' });
    await leg.checkpoint({ transcript: prose.repeat(300 * (hop % 3)) });
    await leg.handoff({
      to: next,
      claims: { next: `Hop ${hop + 1}.` },
      transcript: noise(1_500 + 1_000 * hop, hop + 1),
    });
  }
}

/** Tasks in every standing, with packets, keys, questions, effects and messages. */
export async function fillShelves(staffetta: Staffetta): Promise<void> {
  const held = await staffetta.begin({ goal: 'Wait.' }, { key: 'wait', as: 'ada' });
  await held.ask('How long?', { owner: 'agent:eve' });
  await staffetta.tell(held.task, 'Not long.', { as: eve });
  await held.effect('knock', () => 'nobody').catch(() => {});
  await held.effect('shout', () => Promise.reject(new Error('hoarse'))).catch(() => {});
  await staffetta.open({ goal: 'Follow.', needs: [held.task] }, { key: 'follow', as: 'ada' });
  const done = await staffetta.begin({ goal: 'Be done.' }, { key: 'done', as: 'bob' });
  await done.complete({ claims: { summary: 'Done.' }, transcript: noise(40_000) });
  const dead = await staffetta.begin({ goal: 'Fail.', caps: { attempts: 1 } }, { key: 'dead', as: 'bob' });
  await dead.retry('It cannot be done.');
  const back = await staffetta.begin(
    { goal: 'Submit.', review: { human: true } },
    { key: 'back', as: 'bob' },
  );
  await back.submit({ claims: { summary: 'Look.' }, transcript: prose });
  const packet = (await staffetta.show(back.task)).packet;
  await staffetta.review(back.task, { approve: false, packet, findings: [{ text: 'Again.' }] }, { as: eve });
  for (let i = 0; i < 30; i += 1)
    await staffetta.open({ goal: `Shelf ${i}. ${prose.repeat(i % 7)}` }, { key: `shelf ${i}` });
}

/** One question to the store, and its answer as text. */
export interface Reading {
  readonly name: string;
  readonly read: (staffetta: Staffetta) => Promise<string>;
}

/** Everything a user can ask about these tasks. */
export function readingsOf(tasks: readonly TaskId[]): Reading[] {
  const readings: Reading[] = [
    { name: 'list', read: async (staffetta) => await listed(staffetta, {}) },
    { name: 'list, oldest first', read: async (staffetta) => await listed(staffetta, { oldestFirst: true }) },
    { name: 'list of the dead', read: async (staffetta) => await listed(staffetta, { dead: true }) },
    { name: "ada's list", read: async (staffetta) => await listed(staffetta, { holder: 'ada' }) },
    { name: 'feed', read: async ({ store }) => JSON.stringify(await store.catalog.feed(0, 10_000)) },
  ];
  for (const status of statuses)
    readings.push({
      name: `list, ${status}`,
      read: async (staffetta) => await listed(staffetta, { statuses: [status] }),
    });
  for (const task of tasks) {
    readings.push({ name: `show ${task}`, read: async (staffetta) => await shown(staffetta, task) });
    readings.push({ name: `history ${task}`, read: async (staffetta) => await historyOf(staffetta, task) });
    readings.push({
      name: `timeline ${task}`,
      read: async (staffetta) => JSON.stringify(await staffetta.timeline(task)),
    });
    readings.push({ name: `keys ${task}`, read: async (staffetta) => await keysOf(staffetta, task) });
  }
  return readings;
}

async function listed(staffetta: Staffetta, query: Parameters<Staffetta['list']>[0]): Promise<string> {
  const { cards } = await staffetta.list({ limit: 1000, ...query });
  return JSON.stringify(cards.map((card) => ({ ...card, leaseUntil: null })));
}

async function shown(staffetta: Staffetta, task: TaskId): Promise<string> {
  return JSON.stringify({ ...(await staffetta.show(task)), leaseUntil: null });
}

async function historyOf(staffetta: Staffetta, task: TaskId): Promise<string> {
  const items: string[] = [];
  for await (const item of staffetta.history(task))
    items.push(item.kind === 'transcript' ? digestOf(item.bytes) : JSON.stringify(item));
  return items.join('\n');
}

const keys = [
  'round',
  'wait',
  'follow',
  'done',
  'dead',
  'back',
  'take 3',
  'acknowledge 5',
  'note 7',
  'shelf 3',
  'effect:knock',
];

async function keysOf({ store }: Staffetta, task: TaskId): Promise<string> {
  const found = await Promise.all(keys.map(async (key) => await store.journal.find(task, key)));
  return found.map((entry, i) => `${keys[i]} ${entry?.seq ?? '-'}`).join('\n');
}
