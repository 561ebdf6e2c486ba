/**
 * Requests to the control room's server, put together at random from every route, method, token, header and body, good and bad. Nothing may
 * end in an internal error, be told or changed without a token that allows it, or be answered otherwise than the document says.
 */
import { routes } from '../../src/server/app.ts';
import type { NewGrant } from '../../src/server/access/grant.ts';
import { randomFrom, type Random } from '../crash/random.ts';
import { fence, newHouse, origin, submitted, type Ask, type House } from '../server/house.ts';
import { ada, eve, quinn, sol, worldText } from '../support/world.ts';
import { isOver, Tally, type Trial } from './trial.ts';

const requestsPerHouse = 400;
const unlimited = { burst: 1e9, perSecond: 1e9, wrongBurst: 1e9, wrongPerSecond: 1e9 };
/** A mark that every task carries: a caller that is not let in must not see it. */
const secretWord = 'zinnober';

interface Caller {
  readonly token: string | undefined;
  /** What nobody but a token's owner may be told. */
  readonly isLetIn: boolean;
  readonly mayChange: boolean;
}

async function callersOf(house: House): Promise<readonly [Caller, ...Caller[]]> {
  const all = { isLetIn: true, mayChange: true };
  const reader: Partial<NewGrant> = { verbs: ['read'] };
  const over: Partial<NewGrant> = { expiresAt: house.at.clock.now() };
  const good = await house.token(eve);
  return [
    { token: good, ...all },
    { token: await house.token(ada), ...all },
    { token: await house.token(quinn), ...all },
    { token: await house.token(sol), ...all },
    { token: await house.token(eve, reader), isLetIn: true, mayChange: false },
    { token: await house.token(eve, over), isLetIn: false, mayChange: false },
    { token: undefined, isLetIn: false, mayChange: false },
    { token: `${good.slice(0, -2)}xx`, isLetIn: false, mayChange: false },
    { token: 'stf_', isLetIn: false, mayChange: false },
  ];
}

const strange: readonly [unknown, ...unknown[]] = [
  null,
  true,
  -1,
  1e308,
  '',
  ' ',
  '\u0000',
  '\uD800',
  '../../etc/passwd',
  '<script>',
  'x'.repeat(5000),
  [],
  {},
  { __proto__: null },
  [[[[[]]]]],
];

function bodyFor(random: Random, tasks: readonly string[]): unknown {
  if (random.next() < 0.1)
    return random.pick(['', '{', 'null', '[1', '{"a":1,"a":2}', '"\\ud800"', '\u0000']);
  const names = [
    'text',
    'why',
    'approve',
    'binds',
    'to',
    'lane',
    'answer',
    'decision',
    'goal',
    'findings',
    'until',
  ];
  const body: Record<string, unknown> = {};
  for (const name of names) {
    const chance = random.next();
    if (chance < 0.25) body[name] = random.pick(strange);
    else if (chance < 0.5)
      body[name] = random.pick(['hello', 'lane:execute', 'anyone', 'agent:ada', tasks[0] ?? '']);
    else if (chance < 0.6) body[name] = random.below(4);
  }
  return body;
}

function pathFor(random: Random, template: string, tasks: readonly string[]): string {
  const known = tasks[random.below(tasks.length)] ?? '';
  const task = random.next() < 0.8 ? known : random.pick(['t', '%00', '..', `${known}x`, 'a'.repeat(300)]);
  const path = template
    .replace(':task', task)
    .replace(/:\w+/g, () => random.pick(['latest', '1', '999', 'sha256:00', '%2e%2e']));
  const query =
    random.next() < 0.3
      ? random.pick(['?limit=0', '?limit=x', '?cursor=%ff', '?status=,', '?budget=1e9', '?after=-1'])
      : '';
  return path + query;
}

const headers: readonly [Ask['headers'], ...Ask['headers'][]] = [
  {},
  {},
  {},
  { origin },
  { origin: 'https://evil.example' },
  { host: 'evil.example' },
  { 'content-type': 'text/plain' },
  { 'idempotency-key': 'x'.repeat(300) },
  { 'idempotency-key': 'once' },
  { 'last-event-id': 'nonsense' },
  { cookie: 'staffetta-4747=stf_' },
];

interface Scene {
  readonly house: House;
  readonly callers: readonly [Caller, ...Caller[]];
  readonly tasks: readonly string[];
}

async function tryOne(
  { house, callers, tasks }: Scene,
  random: Random,
): Promise<{ status: number; wrong: string[] }> {
  const caller = random.pick(callers);
  const route = routes[random.below(routes.length)];
  if (route === undefined) throw new Error('there are no routes');
  const method =
    random.next() < 0.85
      ? route.method.toUpperCase()
      : random.pick(['GET', 'POST', 'PUT', 'DELETE', 'OPTIONS']);
  const path = pathFor(random, route.path, tasks);
  const extra = random.pick(headers) ?? {};
  const hasBody = method !== 'GET';
  const before = worldText(house.at.world);
  const answer = await house.ask(path, {
    method,
    headers: extra,
    ...(caller.token === undefined ? {} : { token: caller.token }),
    ...(hasBody ? { body: bodyFor(random, tasks) } : {}),
  });
  const changed = worldText(house.at.world) !== before;
  const wrong: string[] = [];
  if (answer.status >= 500) wrong.push(`answered ${answer.status}`);
  if (changed && !caller.mayChange) wrong.push('changed something without leave');
  if (changed && method === 'GET') wrong.push('changed something by reading');
  if (changed && (extra['host'] ?? extra['origin'] ?? origin).includes('evil'))
    wrong.push('changed something for another site');
  if (!caller.isLetIn && answer.text.includes(secretWord)) wrong.push('told something without a token');
  return { status: answer.status, wrong: wrong.map((fault) => `${method} ${path}: ${fault}`) };
}

export const hostileRequests: Trial = {
  name: 'Hostile requests',
  promise:
    'Nothing is told or changed without a token that allows it, and no request ends in an internal error',
  how: 'Requests to every route of the server, put together at random: methods, tokens (good, narrow, over, damaged, none), hosts, origins, keys, paths and bodies. What the store holds is compared before and after each, and each answer is held against the OpenAPI document',
  share: 1,
  async run(budget) {
    const tally = new Tally();
    const faults: string[] = [];
    const random = randomFrom(budget.seed);
    for (let round = 0; round === 0 || !isOver(budget); round += 1) {
      const house = newHouse(unlimited);
      const held = await house.at.staffetta.begin(
        { ...fence, goal: `The ${secretWord} fence.` },
        { as: ada },
      );
      await held.ask(`Which ${secretWord}?`);
      const offered = await house.at.staffetta.open({ goal: `Another ${secretWord}.` }, { as: ada });
      const tasks = [held.task, offered.task, await submitted(house)];
      const scene = { house, tasks, callers: await callersOf(house) };
      for (let n = 0; n < requestsPerHouse; n += 1) {
        const { status, wrong } = await tryOne(scene, random);
        tally.add('requests');
        tally.add(`→ ${Math.floor(status / 100)}xx`);
        faults.push(...wrong.map((fault) => `seed ${budget.seed}, round ${round}: ${fault}`));
      }
      faults.push(...house.bugs.map((bug) => `seed ${budget.seed}, round ${round}: a bug: ${String(bug)}`));
    }
    return { total: tally.of('requests'), counts: tally.counts, faults };
  },
};
