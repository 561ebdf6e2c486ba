/** Stores in the state a command needs, made through the library: a process per step would take most of the time. */
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import type { TaskId } from '../../src/core/journal/id.ts';
import { parcelEnd } from '../../src/desk/far/parcel.ts';
import { pauseTask } from '../../src/desk/pause.ts';
import { moveTasks, openEnd } from '../../src/handoff/trust/move.ts';
import { openStaffetta, type Staffetta } from '../../src/library/staffetta.ts';
import type { EscalationReason } from '../../src/core/journal/event.ts';
import type { Leg } from '../../src/handoff/verbs/leg.ts';
import type { ContractInput } from '../../src/handoff/verbs/open.ts';
import { everyArtefact, everyClaim } from '../support/every-field.ts';
import { validate } from '../../src/handoff/verbs/validate.ts';
import { newRepository, newWorkplace, node } from './command.ts';

export interface Stage {
  /** A repository whose store holds the task. */
  readonly folder: string;
  readonly store: string;
  readonly task: string;
}

export const code = { name: 'code', lane: 'execute' } as const;
/** How the command says it is the holder. */
export const asCode = ['--as', 'code'] as const;

/** A contract that the gate has nothing against. */
const fence: ContractInput = {
  title: 'The fence stands',
  goal: 'The fence in fence.txt holds a cow of 600 kg',
  acceptance: ['`check.mjs` passes'],
  nonGoals: ['paint'],
  validation: [{ name: 'stands', run: [node, 'check.mjs'] }],
  review: { human: true },
};

const { review: _review, validation: _validation, ...unreviewed } = fence;
const survey: ContractInput = { ...unreviewed, kind: 'research' };

const claims = {
  done: [{ text: 'all posts are in fence.txt', evidence: ['file:fence.txt'] }],
  next: 'nail the boards in fence.txt',
};
const artefacts = [{ path: 'fence.txt', why: 'it is the fence' }];

/** A clock that stands an hour ago: what is taken now has lapsed by the time the command looks. */
const hourAgo = { now: () => Date.now() - 3_600_000, sleep: async () => {} };

async function made(build: (relay: Staffetta) => Promise<string>, past = false): Promise<Stage> {
  const folder = newWorkplace();
  const store = join(folder, '.staffetta', 'store.db');
  const clock = past ? { clock: hourAgo } : {};
  const relay = await openStaffetta({ gate: 'record', store, as: code, workspace: folder, ...clock });
  try {
    return { folder, store, task: await build(relay) };
  } finally {
    await relay.close();
  }
}

async function held(relay: Staffetta, contract: ContractInput = fence): Promise<string> {
  return (await relay.begin(contract)).task;
}

/** Handed off by a program that works nowhere: the packet holds no workspace. */
async function unplaced(): Promise<Stage> {
  const folder = newWorkplace();
  const store = join(folder, '.staffetta', 'store.db');
  const relay = await openStaffetta({ gate: 'record', store, as: code });
  try {
    const leg = await relay.begin(fence);
    await leg.handoff({ to: 'lane:audit', claims, artefacts });
    return { folder, store, task: leg.task };
  } finally {
    await relay.close();
  }
}

async function handedOff(): Promise<Stage> {
  return await made(async (relay) => {
    const leg = await relay.begin(fence);
    await leg.handoff({ to: 'lane:audit', claims, artefacts, transcript: 'I thought.\n' });
    return leg.task;
  });
}

export const stages = {
  unplaced,
  offered: async () => await made(async (relay) => (await relay.open(fence)).task),
  paused: async () =>
    await made(async (relay) => {
      const { task } = await relay.open(fence);
      const by = { name: 'ada', kind: 'human' } as const;
      await pauseTask(relay.context, task, { by, until: Date.now() + 3_600_000, why: 'later' });
      return task;
    }),
  draft: async () => await made(async (relay) => (await relay.open(fence, { draft: true })).task),
  /** Taken by `code`, generation 1. */
  taken: async () =>
    await made(async (relay) => {
      const { task } = await relay.open(fence);
      await relay.take({ task, as: code });
      return task;
    }),
  held: async () => await made(held),
  /** Every command of its contract has passed. */
  proven: async () =>
    await made(async (relay) => {
      const { task, generation } = await relay.begin(fence);
      await validate(relay.context, task, { generation }, { by: { ...code, kind: 'agent' } });
      return task;
    }),
  /** Of a kind that needs no approval. */
  survey: async () => await made(async (relay) => await held(relay, survey)),
  phased: async () =>
    await made(
      async (relay) =>
        await held(relay, {
          ...fence,
          phases: [
            {
              name: 'dig',
              goal: 'six holes',
              criteria: ['each is 60 cm deep'],
              verify: [{ run: [node, 'check.mjs'] }],
              rollback: [{ run: ['git', 'checkout', '--', 'fence.txt'] }],
            },
            { name: 'nail the boards' },
          ],
        }),
    ),
  handedOff,
  withMessage: async () =>
    await made(async (relay) => {
      const task = await held(relay);
      await relay.tell(task, 'keep the gate', { as: 'ada' });
      return task;
    }),
  /** An effect was announced, and nobody knows whether it took place. */
  withEffect: async () =>
    await made(async (relay) => {
      const leg = await relay.begin(fence);
      await leg.effect('paint', () => Promise.reject(new Error('no answer'))).catch(() => {});
      return leg.task;
    }),
  submitted: async () =>
    await made(async (relay) => {
      const leg = await relay.begin(fence);
      await leg.submit({ claims, artefacts });
      return leg.task;
    }),
  dead: async () =>
    await made(async (relay) => {
      const leg = await relay.begin({ ...fence, caps: { attempts: 1 } });
      await leg.retry('the wood is wet');
      return leg.task;
    }),
  lapsed: async () => await made(held, true),
  /** `code` fell silent in the middle: what it knew is in a packet, and in the journal since. */
  lapsedMidTask: async () =>
    await made(async (relay) => {
      const leg = await relay.begin({ goal: 'The fence stands' });
      await leg.note('the old posts are rotten');
      await leg.checkpoint({ claims: { done: ['six holes'], next: 'set the posts' } });
      await leg.note('the ground is wet\nand full of stones');
      await leg.ruleOut('pine posts', 'they rot');
      await leg.decide('oak', { why: 'it lasts', rejected: ['pine', 'steel'] });
      const question = await leg.ask('Gate left or right?', { options: ['left', 'right'] });
      await relay.tell(leg.task, 'mind the dog', { as: 'ada' });
      await leg.markRead(await leg.messages());
      await relay.answer(
        leg.task,
        { decision: question, answer: 'left' },
        { as: { name: 'ada', kind: 'human' } },
      );
      return leg.task;
    }, true),
  /** Handed to the audit lane, with something in every field of the packet. */
  everyField: async () =>
    await made(async (relay) => {
      const leg = await relay.begin({ goal: 'The fence stands' });
      const [artefact] = everyArtefact;
      const artefacts = artefact === undefined ? [] : [artefact];
      await leg.handoff({
        to: 'lane:audit',
        claims: everyClaim,
        artefacts,
        transcript: 'marker-transcript\n',
        media: 'marker/media',
      });
      return leg.task;
    }),
  doneLongAgo: async () =>
    await made(async (relay) => {
      const leg = await relay.begin(survey);
      await leg.complete({ transcript: 'x'.repeat(1000) });
      return leg.task;
    }, true),
  /** A store without the task, and beside it a file with the task as another store has it. */
  exported: async () =>
    await inFile(async (relay, task, path) => {
      const file = createWriteStream(path);
      for await (const piece of (await relay.export(task)).pieces) file.write(piece);
      await new Promise<void>((resolve) => file.end(resolve));
    }),
  sent: async () =>
    await inFile(async ({ context }, task, path) => {
      const from = openEnd(context, 'here', { name: 'eve', kind: 'human' });
      await moveTasks([task as TaskId], { from, to: parcelEnd(path, 'file:0123456789abcdef01234567') });
    }),
} satisfies Record<string, () => Promise<Stage>>;

/** A task of another store that comes in a file, and a store without it. */
async function inFile(
  write: (relay: Staffetta, task: string, path: string) => Promise<void>,
): Promise<Stage> {
  const { store, task } = await handedOff();
  const folder = newRepository();
  const relay = await openStaffetta({ store, as: code });
  try {
    await write(relay, task, join(folder, 'task.staffetta'));
  } finally {
    await relay.close();
  }
  const here = join(folder, '.staffetta', 'store.db');
  await (await openStaffetta({ store: here, as: code })).close();
  return { folder, store: here, task };
}

/** The leg of the next agent, ready to work. */
async function taken(relay: Staffetta, task: string, name: string): Promise<Leg> {
  const leg = await relay.take({ task, as: { name, lane: 'execute' } });
  if (leg === undefined) throw new Error(`${name} cannot take ${task}`);
  await leg.acknowledge();
  return leg;
}

const person = { name: 'eve', kind: 'human' } as const;

async function sentBack(relay: Staffetta, leg: Leg): Promise<void> {
  await leg.submit();
  const { submission } = await relay.show(leg.task);
  const findings = [{ text: 'a gap' }];
  await relay.review(
    leg.task,
    { approve: false, packet: submission?.packet ?? null, findings },
    { as: person },
  );
}

async function escalatedFor(reason: 'stalled' | 'conflict'): Promise<Stage> {
  return await made(async (relay) => {
    const { task } = await relay.open({ goal: 'The fence stands' });
    await relay.escalate(task, 'nothing moves', { as: person, reason });
    return task;
  });
}

/** A task for every reason there is to ask a person. */
export const escalatedStages: Readonly<Record<EscalationReason, () => Promise<Stage>>> = {
  'attempts-cap': stages.dead,
  asked: async () =>
    await made(async (relay) => {
      const leg = await relay.begin({ goal: 'The fence stands' });
      await leg.escalate('which colour?');
      return leg.task;
    }),
  bounce: async () =>
    await made(async (relay) => {
      const leg = await relay.begin({ goal: 'The fence stands' });
      await leg.handoff({ to: 'agent:second' });
      await (await taken(relay, leg.task, 'second')).handoff({ to: 'agent:code' });
      return leg.task;
    }),
  'idle-hops': async () =>
    await made(async (relay) => {
      let leg = await relay.begin({ goal: 'The fence stands' });
      for (let hop = 1; (await relay.show(leg.task)).status !== 'escalated'; hop += 1) {
        const name = `agent${hop}`;
        await leg.handoff({ to: `agent:${name}` });
        if ((await relay.show(leg.task)).status === 'offered') leg = await taken(relay, leg.task, name);
      }
      return leg.task;
    }),
  'hop-cap': async () =>
    await made(async (relay) => {
      const leg = await relay.begin({ goal: 'The fence stands', caps: { hops: 1 } });
      await leg.handoff({ to: 'agent:second' });
      await (await taken(relay, leg.task, 'second')).handoff({ to: 'agent:third' });
      return leg.task;
    }),
  'rework-cap': async () =>
    await made(async (relay) => {
      const leg = await relay.begin({ ...fence, caps: { rework: 2 } });
      await sentBack(relay, leg);
      await sentBack(relay, await taken(relay, leg.task, 'code'));
      return leg.task;
    }),
  stalled: async () => await escalatedFor('stalled'),
  conflict: async () => await escalatedFor('conflict'),
  budget: async () =>
    await made(async (relay) => {
      const leg = await relay.begin({ goal: 'The fence stands', budget: { tokens: 10 } });
      await leg.countUsage({ source: 'codex', tokens: 12 });
      await leg.handoff({ to: 'agent:second' });
      return leg.task;
    }),
  'need-failed': async () =>
    await made(async (relay) => {
      const need = await relay.begin({ goal: 'There is wood' });
      const { task } = await relay.open({ goal: 'The fence stands', needs: [need.task] });
      await need.fail('no wood');
      return task;
    }),
};
