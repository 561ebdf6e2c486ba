/** Everything a holder, or somebody outside, writes down without a change of control. */
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { carry } from '../../src/handoff/verbs/carry.ts';
import { effect, settle } from '../../src/handoff/verbs/effect.ts';
import { checkpoint } from '../../src/handoff/verbs/finish.ts';
import { answer, markRead, messagesFor, tell } from '../../src/handoff/verbs/outside.ts';
import { ada, begun, by, eve, first, goal, noise, task, type Scenario } from './scenario.ts';

const megabyte = 1024 * 1024;

export const carryScenarios: readonly Scenario[] = [
  {
    name: 'note',
    prepare: begun,
    act: async ({ staffetta: { context } }) =>
      await carry(context, first, [{ type: 'note', text: 'The bridge is out.' }], by(ada)),
  },
  {
    name: 'decide',
    prepare: begun,
    act: async ({ staffetta: { context } }) =>
      await carry(
        context,
        first,
        [{ type: 'decision-made', text: 'Take the ford.', why: 'It is shallow.' }],
        by(ada),
      ),
  },
  {
    name: 'ask',
    prepare: begun,
    act: async ({ staffetta: { context } }) =>
      await carry(
        context,
        first,
        [{ type: 'decision-raised', question: 'Wait for daylight?', owner: 'agent:eve' }],
        by(ada),
      ),
  },
  {
    name: 'answer',
    prepare: async (staffetta) => {
      const leg = await staffetta.begin(goal, { key: 'task' });
      await leg.ask('Wait for daylight?');
    },
    act: async ({ staffetta: { context } }) =>
      await answer(context, task, { decision: 1, answer: 'Yes.' }, by(eve)),
  },
  {
    name: 'progress and a dead end in one entry',
    prepare: begun,
    act: async ({ staffetta: { context } }) =>
      await carry(
        context,
        first,
        [
          { type: 'progress-moved', at: 3, of: 9, unit: 'miles' },
          { type: 'attempt-failed', what: 'The bridge.', why: 'It is out.' },
        ],
        by(ada),
      ),
  },
  {
    name: 'tell',
    prepare: begun,
    act: async ({ staffetta: { context } }) => await tell(context, task, 'Mind the dog.', by(eve)),
  },
  {
    name: 'messages',
    prepare: async (staffetta) => {
      await begun(staffetta);
      await staffetta.tell(task, 'Mind the dog.', { as: eve });
      await staffetta.tell(task, 'And the cat.', { as: eve });
    },
    act: async ({ staffetta: { context } }) => {
      const messages = await messagesFor(context, first, { by: ada });
      await markRead(context, first, messages.at(-1)?.seq ?? 0, { by: ada });
    },
  },
  {
    name: 'checkpoint with a small transcript',
    prepare: begun,
    act: async ({ staffetta: { context } }) =>
      await checkpoint(context, first, { claims: { done: ['A mile.'] }, transcript: noise(3_000) }, by(ada)),
  },
  {
    name: 'checkpoint with a transcript that is stored ahead',
    prepare: begun,
    act: async ({ staffetta: { context } }) =>
      await checkpoint(context, first, { transcript: noise(13 * megabyte + 17) }, by(ada)),
  },
  {
    name: 'effect',
    prepare: begun,
    act: async ({ staffetta: { context }, folder }) =>
      await effect(
        context,
        first,
        {
          name: 'ring-the-bell',
          perform: ({ key }) => ring(folder, key),
          options: { ifUnknown: 'retry' },
        },
        { by: ada },
      ),
    // A crash between intent and receipt shows as a second intent, under the same token. Nothing else may differ.
    compare: (journals) => {
      const intents = journals.filter((line) => line.includes('effect-intended')).map(withoutSeq);
      const others = journals.filter((line) => !line.includes('effect-intended')).map(withoutSeq);
      return [...new Set(intents), ...others];
    },
    outside: async ({ folder }) => {
      const rung = ringsIn(folder);
      return rung.length === 1 ? [] : [`the bell was rung ${rung.length} times`];
    },
  },
  {
    name: 'settle an effect',
    prepare: async (staffetta) => {
      const leg = await staffetta.begin(goal, { key: 'task' });
      const lost = leg.effect('ring-the-bell', () => {
        throw new Error('the rope broke');
      });
      await lost.catch(() => {});
    },
    act: async ({ staffetta: { context } }) =>
      await settle(context, first, { name: 'ring-the-bell', outcome: 'done', receipt: 'heard' }, { by: ada }),
  },
];

function withoutSeq(line: string): string {
  const [of, , ...rest] = line.split(' ');
  return [of, ...rest].join(' ');
}

/** An outside system that honours the key it is given. */
function ring(folder: string, key: string): string {
  if (!ringsIn(folder).includes(key)) appendFileSync(bell(folder), `${key}\n`);
  return key;
}

function ringsIn(folder: string): string[] {
  return existsSync(bell(folder)) ? readFileSync(bell(folder), 'utf8').trim().split('\n') : [];
}

function bell(folder: string): string {
  return join(folder, 'bell');
}
