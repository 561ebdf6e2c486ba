/** A contract that came from another store is that store's word, until somebody of this one confirms it. */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { exported, from } from '../../../test/support/exports.ts';
import { fixedSigner } from '../../../test/support/fixed-signer.ts';
import { ada, bea, cyd, eve, pia, sol, stage, type Stage } from '../../../test/support/world.ts';
import type { Actor } from '../../core/task/actor.ts';
import type { TaskId } from '../../core/journal/id.ts';
import type { Signer } from '../../ports/signer.ts';
import { contractText } from '../../mcp/briefing.ts';
import { briefTask, packetFiles } from '../views/brief.ts';
import { fork } from './fork.ts';
import { importTask } from '../trust/import.ts';
import { load } from '../record/load.ts';
import { phases } from './phase.ts';
import { readStanding } from '../views/standing-contract.ts';
import { viewOf } from '../views/task-view.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'foreign-'));
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

const touches = (file: string): { run: string[] } => ({
  run: [process.execPath, '-e', `require('fs').writeFileSync(${JSON.stringify(file)}, '')`],
});
const ran = (file: string): boolean => existsSync(join(folder, file));

/** Each of its terms is an order, and can be told from the others. */
const foreign = {
  title: 'ORDER title',
  goal: 'ORDER goal',
  constraints: ['ORDER constraint'],
  acceptance: ['ORDER acceptance'],
  nonGoals: ['ORDER non-goal'],
  protectedPaths: ['ORDER path'],
  skills: ['ORDER skill'],
  kind: 'ORDER kind',
  review: { owner: 'agent:order', policy: { paths: ['ORDER policy'] } },
  validation: [touches('ORDER-run')],
  phases: [
    {
      name: 'ORDER phase',
      goal: 'ORDER aim',
      criteria: ['ORDER criterion'],
      verify: [touches('ORDER-verified')],
      rollback: [touches('ORDER-undone')],
    },
  ],
} as const;
const orders = JSON.stringify(foreign).match(/ORDER[ -][a-z-]+/g) ?? [];

/** A task of another store, in a copy here. */
async function imported(
  signers: { there?: Signer; here?: Signer } = {},
): Promise<{ at: Stage; task: TaskId }> {
  const there = stage({ seed: 2, ...(signers.there === undefined ? {} : { signer: signers.there }) });
  const leg = await there.staffetta.begin(structuredClone(foreign) as never, { as: ada });
  await leg.acknowledge({ goal: 'a', gate: 'b', next: 'c' });
  await leg.checkpoint({ claims: { summary: 'half' } });
  const at = stage({ workspace: folder, ...(signers.here === undefined ? {} : { signer: signers.here }) });
  await importTask(at.context, from(await exported(there, leg.task)));
  return { at, task: leg.task };
}

async function forked(at: Stage, origin: TaskId, by: Actor = cyd, next: Actor = bea): Promise<TaskId> {
  const input = {
    at: 'latest',
    why: 'go on',
    to: `agent:${next.name}`,
    lane: next.lane ?? 'execute',
  } as const;
  return (await fork(at.context, origin, input, { by })).state.task;
}

/** What is told outside of data marks, or before what nobody confirmed. */
async function asked({ context }: Stage, task: TaskId): Promise<readonly string[]> {
  const { text } = await briefTask(context, task, {
    readerOf: () => undefined,
    count: (words) => words.length / 4,
  });
  const [begin, end] = [text.indexOf('<data>'), text.lastIndexOf('</data>')];
  const { state } = await load(context, task);
  const { contract } = await viewOf(context, state, { leaseUntil: null });
  const pages = [
    (await packetFiles(context, task)).handoff,
    contractText(await readStanding(context, state)),
  ];
  return [
    text.slice(0, begin) + text.slice(end),
    ...pages.map((page) => page.split('Confirmed by nobody')[0] ?? ''),
    JSON.stringify({ ...contract, added: undefined }),
    JSON.stringify(await phases(context, task)),
  ];
}

test('every term of it is told as added by its source, in every view, also after a fork of a fork', async () => {
  const { at, task } = await imported();
  const next = await forked(at, task);
  const leg = await at.staffetta.take({ as: bea, task: next });
  await leg?.acknowledge({ goal: 'a', gate: 'b', next: 'c' });
  await leg?.checkpoint({ claims: { summary: 'more' } });
  for (const one of [task, next, await forked(at, next, eve)]) {
    for (const page of await asked(at, one)) for (const order of orders) expect(page).not.toContain(order);
    const { added = [] } = await readStanding(at.context, (await load(at.context, one)).state);
    const told = added.map(({ by, what, text }) => `${by}: ${what}: ${text}`).join('\n');
    for (const order of orders) expect(told).toContain(order);
    expect(new Set(added.map(({ by }) => by)).size).toBe(1);
    expect(added[0]?.by).toMatch(/^(ada in another store|task t\w+)$/);
  }
  expect((await at.staffetta.verify()).faults).toEqual([]);
});

test('none of its commands is run until a person, a supervisor or a planner of this store confirms it', async () => {
  for (const by of [eve, sol, pia]) {
    const { at, task } = await imported();
    const holder = by === pia ? pia : bea;
    const next = await forked(at, task, cyd, holder);
    const leg = await at.staffetta.take({ as: holder, task: next });
    if (leg === undefined) throw new Error('it is on offer');
    await expect(leg.validate()).rejects.toMatchObject({ code: 'lane-denied' });
    await leg.startPhase('ORDER phase');
    await leg.rollBackPhase('ORDER phase', { why: 'a try' }).catch(() => {});
    await leg.verifyPhase('ORDER phase').catch(() => {});
    expect(['ORDER-run', 'ORDER-verified', 'ORDER-undone'].filter(ran)).toEqual([]);
    const confirm = { change: {}, why: 'looked at it', confirm: true, generation: leg.generation } as const;
    await at.staffetta.amend(next, confirm, { as: by });
    await leg.validate();
    expect(ran('ORDER-run')).toBe(true);
    rmSync(join(folder, 'ORDER-run'));
    expect((await asked(at, next))[0]).toContain('ORDER goal');
    expect((await readStanding(at.context, (await load(at.context, next)).state)).added).toBeUndefined();
  }
});

test('its holder in the execute lane cannot confirm it, whatever lane it names', async () => {
  const { at, task } = await imported();
  const next = await forked(at, task);
  await at.staffetta.take({ as: bea, task: next });
  const confirm = { change: {}, why: 'fine', confirm: true, generation: 1 } as const;
  await expect(
    at.staffetta.amend(next, confirm, { as: { ...bea, lane: 'supervise' } }),
  ).rejects.toMatchObject({ code: 'lane-denied' });
});

test('who forks may say what is agreed on, and the rest still waits', async () => {
  const { at, task } = await imported();
  const input = { at: 'latest', why: 'go on', goal: 'Our own goal.' } as const;
  const { state } = await fork(at.context, task, input, { by: eve });
  expect((await asked(at, state.task))[0]).toContain('Our own goal.');
  expect(await readStanding(at.context, state)).toMatchObject({ goal: 'Our own goal.', constraints: [] });
});

test('a contract that was in force when a key of this store signed is its own', async () => {
  const { at, task } = await imported({ there: fixedSigner, here: fixedSigner });
  expect((await asked(at, task))[0]).toContain('ORDER goal');
  expect((await load(at.context, await forked(at, task))).state.narrowed).toBeUndefined();
  const stranger = await imported({ there: fixedSigner, here: { ...fixedSigner, knows: async () => false } });
  expect((await asked(stranger.at, stranger.task))[0]).not.toContain('ORDER goal');
});
