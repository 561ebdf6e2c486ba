/**
 * Carries whatever is on offer, at random, until it is killed.
 *
 *   node relay-child.ts <folder> <name> <seed>
 *
 * Each call and its answer go to `<folder>/<name>.calls`; see history.ts. One that takes up the name of a process that was killed first makes the call
 * again that was cut off, under its key. Effects ring a bell in `<folder>/bell`, a file that takes each key once. Ends by itself when
 * its standard input closes.
 */
import { appendFileSync, existsSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { openStaffetta } from '../../src/library/staffetta.ts';
import type { Address } from '../../src/core/task/address.ts';
import { isStaffettaError, type ErrorCode } from '../../src/core/base/error.ts';
import type { Leg } from '../../src/handoff/verbs/leg.ts';
import type { Recorded } from '../../src/handoff/record/record.ts';
import { randomFrom } from '../crash/random.ts';
import { noise } from '../crash/scenario.ts';
import { sayNow } from '../crash/stage.ts';
import { logLine, now, operationsIn, type Call, type Outcome } from './history.ts';

const [folder = '', name = '', seed = ''] = process.argv.slice(2);
const random = randomFrom(Number(seed));
const leaseMs = 400;
const tasksMax = 12;
const human = { name: 'eve', kind: 'human' } as const;

const calls = join(folder, `${name}.calls`);
const before = existsSync(calls) ? operationsIn(readFileSync(calls, 'utf8')) : [];
const log = openSync(calls, 'a');
const bell = join(folder, 'bell');
const staffetta = await openStaffetta({ gate: 'record', store: join(folder, 'store.db'), as: name });
process.stdin.resume().on('end', () => process.exit(0));
let count = 0;
sayNow('ready');

/** What a relay among many meets every day. Anything else is a bug, and the process says so by dying of it. */
const expected: ReadonlySet<ErrorCode> = new Set([
  'stale-generation',
  'wrong-state',
  'held',
  'unknown-offer',
  'too-early',
  'bounce',
  'not-addressed',
  'effect-unknown',
]);

await tolerated(again);
for (;;) {
  await turn();
  await tolerated(async () => {
    const leg = await take();
    if (leg === undefined) await findWork();
    else await carry(leg);
  });
}

async function tolerated(body: () => Promise<void>): Promise<void> {
  try {
    await body();
  } catch (error) {
    if (!isStaffettaError(error) || !expected.has(error.code)) throw error;
  }
}

type Answer = Omit<Outcome, 'key' | 'until' | 'refused'>;

/** One call under a key of its own, with its line before and after. */
async function make<T>(
  call: Pick<Call, 'kind' | 'task' | 'generation' | 'text'> & { readonly key?: string },
  ask: (key: string) => Promise<T>,
  answer: (got: T) => Answer,
): Promise<T> {
  const key = call.key ?? `${name}.${seed}.${(count += 1)}`;
  logLine(log, { by: name, ...call, key, from: now() });
  try {
    const got = await ask(key);
    logLine(log, { key, until: now(), ...answer(got) });
    return got;
  } catch (error) {
    if (isStaffettaError(error)) logLine(log, { key, until: now(), refused: error.code });
    throw error;
  }
}

function recorded({ state, entry }: Recorded): Answer {
  return entry === null ? {} : { task: state.task, seq: entry.seq, ...digestAt(state, entry.seq) };
}

/** A repetition answers with the state of now: the digest is the entry's only where nothing followed it. */
function digestAt(state: Recorded['state'], seq: number): Answer {
  return state.seq === seq ? { digest: state.head } : {};
}

/** The call that the one before was killed in. */
async function again(): Promise<void> {
  const cut = before.findLast(({ outcomes }) => outcomes.length === 0);
  if (cut === undefined) return;
  const { key, kind, task = '', generation = 0, text = '' } = cut;
  const call = { kind, key, task, generation, text };
  const found = (): Answer => ({ task });
  if (kind === 'open') await make(call, openWith(text), ({ task: made }) => ({ task: made }));
  else if (kind === 'tell')
    await make(call, async (k) => await staffetta.tell(task, text, { as: human, key: k }), found);
  else if (kind === 'note')
    await make(call, async (k) => await staffetta.note(task, generation, text, { key: k }), found);
}

function openWith(goal: string): (key: string) => Promise<{ readonly task: string }> {
  return async (key) => await staffetta.open({ goal }, { key });
}

async function take(): Promise<Leg | undefined> {
  return await make(
    { kind: 'take' },
    async (key) => await staffetta.take({ leaseMs, key }),
    (leg) => (leg === undefined ? {} : { task: leg.task, generation: leg.generation }),
  );
}

async function findWork(): Promise<void> {
  const { cards } = await staffetta.list({ statuses: ['escalated', 'declined'], limit: 5 });
  for (const card of cards) await staffetta.redrive(card.task, { to: 'anyone' }, { as: human });
  await staffetta.recover();
  const open = await staffetta.list({ statuses: ['offered', 'held', 'lapsed', 'rework'], limit: tasksMax });
  const some = open.cards[random.below(tasksMax)];
  if (some !== undefined) {
    const text = `Heard by ${name}, ${count}.`;
    await make(
      { kind: 'tell', task: some.task, text },
      async (key) => await staffetta.tell(some.task, text, { as: human, key }),
      () => ({ task: some.task }),
    );
  }
  if (open.cards.length >= tasksMax) return;
  const goal = `Find what ${name} lost, ${count}.`;
  await make({ kind: 'open', text: goal }, openWith(goal), ({ task }) => ({ task }));
}

async function carry(leg: Leg): Promise<void> {
  await leg.acknowledge();
  for (let left = random.below(5); left > 0; left -= 1) await act(leg);
  await settleAll(leg);
  const others: readonly [Address, ...Address[]] = ['anyone', 'lane:execute', 'anyone'];
  const ending = random.next();
  const { task, generation } = leg;
  const end = async (kind: string, ask: (key: string) => Promise<Recorded>): Promise<unknown> =>
    await make({ kind, task, generation }, ask, recorded);
  if (ending < 0.7) {
    const transcript = noise(random.below(20_000), random.below(1_000_000));
    const given = { to: random.pick(others), lane: 'execute', transcript } as const;
    await end('handoff', async (key) => await leg.handoff(given, { key }));
  } else if (ending < 0.8)
    await end('complete', async (key) => await leg.complete({ claims: { summary: 'Found.' } }, { key }));
  else if (ending < 0.9) await end('retry', async (key) => await leg.retry('Not found yet.', { key }));
  else await end('escalate', async (key) => await leg.escalate('Is it worth looking?', { key }));
}

async function act(leg: Leg): Promise<void> {
  const { task, generation } = leg;
  const what = random.next();
  if (what < 0.4) {
    const text = `Looked in drawer ${random.below(100)}.`;
    await make(
      { kind: 'note', task, generation, text },
      async (key) => await leg.carry([{ type: 'note', text }], { key }),
      recorded,
    );
  } else if (what < 0.55)
    await make(
      { kind: 'progress', task, generation },
      async (key) => await leg.carry([{ type: 'progress-moved', at: random.below(100) }], { key }),
      recorded,
    );
  else if (what < 0.75) {
    const transcript = noise(random.below(60_000), random.below(1e6));
    await make(
      { kind: 'checkpoint', task, generation },
      async (key) => await leg.checkpoint({ transcript }, { key }),
      recorded,
    );
  } else await effect(leg, `ring-${name}-${seed}-${(count += 1)}`);
}

/** Its intent is kept under a key of its own. How it ended is judged by the bell. */
async function effect(leg: Leg, what: string): Promise<void> {
  logLine(log, { by: name, kind: 'effect', key: `effect:${what}`, from: now() });
  await leg.effect(what, ({ key }) => ring(key));
}

/** A former holder may have died between ringing and writing it down. The bell itself knows. */
async function settleAll(leg: Leg): Promise<void> {
  for (const { effect, token } of (await leg.state()).effects)
    await leg.settle(effect, rung().includes(token) ? 'done' : 'failed');
}

function ring(key: string): string {
  if (!rung().includes(key)) appendFileSync(bell, `${key}\n`);
  return key;
}

function rung(): string[] {
  return existsSync(bell) ? readFileSync(bell, 'utf8').split('\n') : [];
}
