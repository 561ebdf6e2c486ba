/** Every verb that writes, each in a situation where it has something to do. */
import type { Actor } from '../../src/core/task/actor.ts';
import type { CarryEvent } from '../../src/core/task/command.ts';
import type { TaskId } from '../../src/core/journal/id.ts';
import { acknowledge, carry, decline, type Held } from '../../src/handoff/verbs/carry.ts';
import type { Context } from '../../src/handoff/record/context.ts';
import { effect, settle } from '../../src/handoff/verbs/effect.ts';
import { checkpoint, complete, fail, retry, review, submit } from '../../src/handoff/verbs/finish.ts';
import { fork } from '../../src/handoff/verbs/fork.ts';
import { handoff } from '../../src/handoff/verbs/handoff.ts';
import { load } from '../../src/handoff/record/load.ts';
import { offer, redrive, withdraw } from '../../src/handoff/verbs/offer.ts';
import { open, type OpenOptions } from '../../src/handoff/verbs/open.ts';
import { answer, cancel, escalate, tell } from '../../src/handoff/verbs/outside.ts';
import type { Call, Recorded } from '../../src/handoff/record/record.ts';
import { accept } from '../../src/handoff/verbs/take.ts';
import { ada, bea, eve, quinn } from './world.ts';

export type Extra = Omit<Call, 'by'>;

/** The same verb twice: once as asked, once with another request. */
export interface Acted {
  readonly act: (extra: Extra) => Promise<Recorded>;
  readonly other: (extra: Extra) => Promise<Recorded>;
}

type Scene = (context: Context) => Promise<Acted>;

export async function opened(context: Context, options: OpenOptions = {}, by: Actor = ada): Promise<TaskId> {
  const contract = { goal: 'The fence stands.', review: { owner: 'lane:audit' as const } };
  return (await open(context, contract, options, { by })).state.task;
}

export async function begun(context: Context, by: Actor = ada): Promise<Held> {
  return { task: await opened(context, { take: true }, by), generation: 1 };
}

async function taken(context: Context): Promise<Held> {
  const task = await opened(context);
  await accept(context, task, {}, { by: bea });
  return { task, generation: 1 };
}

async function submitted(context: Context): Promise<TaskId> {
  const held = await begun(context);
  await submit(context, held, {}, { by: ada });
  return held.task;
}

const note = (text: string): CarryEvent[] => [{ type: 'note', text }];
function broken(): never {
  throw new Error('The line broke.');
}

const words = { goal: 'g', gate: 'g', next: 'n' };

export const scenes: Readonly<Record<string, Scene>> = {
  open: async (context) => ({
    act: async (extra) => await open(context, { goal: 'One.' }, {}, { by: ada, ...extra }),
    other: async (extra) => await open(context, { goal: 'Two.' }, {}, { by: ada, ...extra }),
  }),
  'open and take': async (context) => ({
    act: async (extra) => await open(context, { goal: 'One.' }, { take: true }, { by: ada, ...extra }),
    other: async (extra) => await open(context, { goal: 'One.' }, { draft: true }, { by: ada, ...extra }),
  }),
  fork: async (context) => {
    const held = await begun(context);
    await checkpoint(context, held, { transcript: 'one' }, { by: ada });
    const say = (why: string) => async (extra: Extra) =>
      await fork(context, held.task, { at: 'latest', why }, { by: ada, ...extra });
    return { act: say('one'), other: say('two') };
  },
  offer: async (context) => {
    const task = await opened(context, { draft: true });
    const send = (to: 'lane:execute' | 'anyone') => async (extra: Extra) =>
      await offer(context, task, { to, lane: 'execute' }, { by: ada, ...extra });
    return { act: send('lane:execute'), other: send('anyone') };
  },
  withdraw: async (context) => {
    const task = await opened(context);
    const say = (why: string) => async (extra: Extra) =>
      await withdraw(context, task, { why }, { by: ada, ...extra });
    return { act: say('one'), other: say('two') };
  },
  redrive: async (context) => {
    const task = await opened(context);
    await escalate(context, task, { text: 'Help.' }, { by: eve });
    const say = (why: string) => async (extra: Extra) =>
      await redrive(context, task, { why }, { by: eve, ...extra });
    return { act: say('one'), other: say('two') };
  },
  accept: async (context) => {
    const task = await opened(context);
    const take = (leaseMs: number) => async (extra: Extra) =>
      await accept(context, task, { leaseMs }, { by: bea, ...extra });
    return { act: take(60_000), other: take(30_000) };
  },
  acknowledge: async (context) => {
    const held = await taken(context);
    const say = (next: string) => async (extra: Extra) =>
      await acknowledge(context, held, { ...words, next }, { by: bea, ...extra });
    return { act: say('one'), other: say('two') };
  },
  decline: async (context) => {
    const task = await opened(context);
    const say = (reason: string) => async (extra: Extra) =>
      await decline(context, task, { reasons: [reason] }, { by: bea, ...extra });
    return { act: say('one'), other: say('two') };
  },
  carry: async (context) => {
    const held = await begun(context);
    const say = (text: string) => async (extra: Extra) =>
      await carry(context, held, note(text), { by: ada, ...extra });
    return { act: say('one'), other: say('two') };
  },
  checkpoint: async (context) => {
    const held = await begun(context);
    const say = (transcript: string) => async (extra: Extra) =>
      await checkpoint(context, held, { transcript }, { by: ada, ...extra });
    return { act: say('one'), other: say('two') };
  },
  handoff: async (context) => {
    const { task } = await begun(context);
    const say = (transcript: string) => async (extra: Extra) =>
      await handoff(
        context,
        { task, generation: 1 },
        { to: 'lane:audit', transcript },
        { by: ada, ...extra },
      );
    return { act: say('one'), other: say('two') };
  },
  submit: async (context) => {
    const held = await begun(context);
    const say = (summary: string) => async (extra: Extra) =>
      await submit(context, held, { claims: { summary } }, { by: ada, ...extra });
    return { act: say('one'), other: say('two') };
  },
  complete: async (context) => {
    const { state } = await open(context, { goal: 'One.' }, { take: true }, { by: ada });
    const say = (summary: string) => async (extra: Extra) =>
      await complete(
        context,
        { task: state.task, generation: 1 },
        { claims: { summary } },
        { by: ada, ...extra },
      );
    return { act: say('one'), other: say('two') };
  },
  fail: async (context) => {
    const held = await begun(context);
    const say = (why: string) => async (extra: Extra) =>
      await fail(context, held, why, { by: ada, ...extra });
    return { act: say('one'), other: say('two') };
  },
  retry: async (context) => {
    const held = await begun(context);
    const say = (why: string) => async (extra: Extra) =>
      await retry(context, held, why, { by: ada, ...extra });
    return { act: say('one'), other: say('two') };
  },
  approve: async (context) => {
    const task = await submitted(context);
    const { packet } = (await load(context, task)).state;
    const say = (why: string) => async (extra: Extra) =>
      await review(context, task, { approve: true, packet, why }, { by: quinn, ...extra });
    return { act: say('one'), other: say('two') };
  },
  'send back': async (context) => {
    const task = await submitted(context);
    const { packet } = (await load(context, task)).state;
    const say = (text: string) => async (extra: Extra) =>
      await review(context, task, { approve: false, packet, findings: [{ text }] }, { by: quinn, ...extra });
    return { act: say('one'), other: say('two') };
  },
  tell: async (context) => {
    const { task } = await begun(context);
    const say = (text: string) => async (extra: Extra) =>
      await tell(context, task, text, { by: eve, ...extra });
    return { act: say('one'), other: say('two') };
  },
  answer: async (context) => {
    const held = await begun(context);
    await carry(context, held, [{ type: 'decision-raised', question: 'Oak?' }], { by: ada });
    const say = (text: string) => async (extra: Extra) =>
      await answer(context, held.task, { decision: 1, answer: text }, { by: eve, ...extra });
    return { act: say('one'), other: say('two') };
  },
  escalate: async (context) => {
    const { task } = await begun(context);
    const say = (text: string) => async (extra: Extra) =>
      await escalate(context, task, { text, generation: 1 }, { by: ada, ...extra });
    return { act: say('one'), other: say('two') };
  },
  cancel: async (context) => {
    const { task } = await begun(context);
    const say = (why: string) => async (extra: Extra) =>
      await cancel(context, task, why, { by: eve, ...extra });
    return { act: say('one'), other: say('two') };
  },
  'settle an effect': async (context) => {
    const held = await begun(context);
    await effect(context, held, { name: 'deploy', perform: broken }, { by: ada }).catch(() => {});
    const say = (receipt: string) => async (extra: Extra) =>
      await settle(context, held, { name: 'deploy', outcome: 'failed', receipt }, { by: ada, ...extra });
    return { act: say('one'), other: say('two') };
  },
};
