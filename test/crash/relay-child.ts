/**
 * Carries whatever is on offer, at random, until it is killed.
 *
 *   node relay-child.ts <folder> <name> <seed>
 *
 * Every change that was acknowledged to it goes to `<folder>/<name>.acks` as "task seq digest", synced before the next change begins. Effects
 * ring a bell in `<folder>/bell`, a file that takes each key once. Ends by itself when its standard input closes.
 */
import { appendFileSync, existsSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { openStaffetta } from '../../src/compose/staffetta.ts';
import type { Address } from '../../src/core/address.ts';
import { isStaffettaError, type ErrorCode } from '../../src/core/error.ts';
import type { Leg } from '../../src/handoff/leg.ts';
import type { Recorded } from '../../src/handoff/record.ts';
import { randomFrom } from './random.ts';
import { noise } from './scenario.ts';
import { sayNow } from './stage.ts';

const [folder = '', name = '', seed = ''] = process.argv.slice(2);
const random = randomFrom(Number(seed));
const leaseMs = 400;
const tasksMax = 12;

const acks = openSync(join(folder, `${name}.acks`), 'a');
const bell = join(folder, 'bell');
const staffetta = await openStaffetta({ gate: 'record', store: join(folder, 'store.db'), as: name });
process.stdin.resume().on('end', () => process.exit(0));
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

for (;;) {
  await turn();
  try {
    const leg = await staffetta.take({ leaseMs });
    if (leg === undefined) await findWork();
    else await carry(leg);
  } catch (error) {
    if (!isStaffettaError(error) || !expected.has(error.code)) throw error;
  }
}

function told({ state, entry, repeated }: Pick<Recorded, 'state' | 'entry' | 'repeated'>): void {
  if (entry === null || repeated) return;
  writeSync(acks, `${state.task} ${entry.seq} ${state.head}\n`);
  fsyncSync(acks);
}

async function findWork(): Promise<void> {
  const human = { as: { name: 'eve', kind: 'human' } } as const;
  const { cards } = await staffetta.list({ statuses: ['escalated', 'declined'], limit: 5 });
  for (const card of cards) await staffetta.redrive(card.task, { to: 'anyone' }, human);
  await staffetta.recover();
  const open = await staffetta.list({ statuses: ['offered', 'held', 'lapsed', 'rework'], limit: tasksMax });
  if (open.cards.length >= tasksMax) return;
  const opened = await staffetta.open({ goal: `Find what ${name} lost.` });
  writeSync(acks, `${opened.task} 0 ${opened.head}\n`);
  fsyncSync(acks);
}

async function carry(leg: Leg): Promise<void> {
  await leg.acknowledge();
  for (let left = random.below(5); left > 0; left -= 1) await act(leg);
  await settleAll(leg);
  const others: readonly [Address, ...Address[]] = ['anyone', 'lane:execute', 'anyone'];
  const ending = random.next();
  if (ending < 0.7) {
    const transcript = noise(random.below(20_000), random.below(1_000_000));
    told(await leg.handoff({ to: random.pick(others), lane: 'execute', transcript }));
  } else if (ending < 0.8) told(await leg.complete({ claims: { summary: 'Found.' } }));
  else if (ending < 0.9) told(await leg.retry('Not found yet.'));
  else told(await leg.escalate('Is it worth looking?'));
}

async function act(leg: Leg): Promise<void> {
  const what = random.next();
  if (what < 0.3) told(await leg.carry([{ type: 'note', text: `Looked in drawer ${random.below(100)}.` }]));
  else if (what < 0.5) told(await leg.carry([{ type: 'progress-moved', at: random.below(100) }]));
  else if (what < 0.75)
    told(await leg.checkpoint({ transcript: noise(random.below(60_000), random.below(1e6)) }));
  else await leg.effect(`ring-${random.below(1_000_000)}`, ({ key }) => ring(key));
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
