/** A leg as tools of the AI SDK. What the gate refuses is told to the model in the names of its own arguments, and it may try again. */
import { lanes } from '../../core/task/lanes.ts';
import { tool, type ModelMessage, type ToolSet } from 'ai';
import * as z from 'zod/mini';
import { defined } from '../../core/base/defined.ts';
import { isStaffettaError, StaffettaError } from '../../core/base/error.ts';
import { checkShape } from '../../core/base/shape.ts';
import type { Finding } from '../../core/gate/finding.ts';
import type { Address } from '../../core/task/address.ts';
import { addressMeant } from '../../core/task/address-words.ts';
import { Leg } from '../../handoff/verbs/leg.ts';
import { linesOf } from '../plain-values.ts';

export interface LegToolsOptions {
  /** Which of the messages go along with the packet; all of them unless told. */
  readonly tell?: (messages: readonly ModelMessage[]) => readonly ModelMessage[];
  /** Hears that the leg is over: the model has nothing left to do. */
  readonly onOver?: () => void;
}

const text = (what: string) => z.string().check(z.describe(what));
const texts = (what: string) => z.optional(z.array(z.string()).check(z.describe(what)));

const Said = {
  summary: z.optional(text('The state of things in a few sentences')),
  done: texts('What is finished'),
  remaining: texts('What is left to do'),
};
const Handoff = z.object({
  to: text(`anyone, lane:LANE (${lanes.join(', ')}) or agent:NAME`),
  next: text('The one next action'),
  why: z.optional(text('Why it changes hands')),
  ...Said,
});
const Decision = z.object({
  text: text('The decision'),
  why: z.optional(text('Its reason')),
  rejected: texts('Alternatives that were turned down'),
});
const Question = z.object({
  question: text('What somebody else has to answer; a person, unless owner says who'),
  options: texts('Possible answers'),
  owner: z.optional(text('lane:LANE or agent:NAME')),
});
const Submission = z.object(Said);

/** `handoff`, `decide`, `ask` and `submit`, for a model that carries this leg. */
export function legTools(leg: Leg, options: LegToolsOptions = {}) {
  checkLeg(leg);
  checkShape('legTools', options, { tell: 'function', onOver: 'function' });
  const { tell = (messages) => messages, onOver } = options;
  const packet = (messages: readonly ModelMessage[]) => ({
    transcript: linesOf(tell(messages)),
    media: 'application/jsonl',
  });
  return {
    handoff: tool({
      description: 'Hands the task to another agent, with what it has to know. You no longer hold it then.',
      inputSchema: Handoff,
      execute: async ({ to, why, ...claims }, { messages }) =>
        await told(async () => {
          const address = addressIn('to', to);
          await acknowledgeOnce(leg);
          const input = { to: address, claims: defined(claims), ...defined({ why }), ...packet(messages) };
          const { state } = await leg.handoff(input);
          onOver?.();
          return state.status === 'escalated'
            ? 'A person decides now. Stop working on this task.'
            : `The task is on offer to ${to}. Stop working on it.`;
        }),
    }),
    decide: tool({
      description: 'Records a decision with its reason and what was rejected, for all who come after you.',
      inputSchema: Decision,
      execute: async ({ text: decision, ...more }) =>
        await told(async () => {
          await leg.decide(decision, defined(more));
          return 'The decision is on record.';
        }),
    }),
    ask: tool({
      description:
        'Raises a question that somebody else has to answer. Go on with what does not depend on it.',
      inputSchema: Question,
      execute: async ({ question, options: answers, owner }) =>
        await told(async () => {
          const more = {
            options: answers,
            owner: owner === undefined ? undefined : addressIn('owner', owner),
          };
          return `Question ${await leg.ask(question, defined(more))} is raised. Its answer comes as a message.`;
        }),
    }),
    submit: tool({
      description: 'Hands the finished work in. You no longer hold the task then.',
      inputSchema: Submission,
      execute: async (claims, { messages }) =>
        await told(async () => {
          await acknowledgeOnce(leg);
          await leg.submit({ claims: defined(claims), ...packet(messages) });
          onOver?.();
          return 'The work is submitted. Stop working on this task.';
        }),
    }),
  } satisfies ToolSet;
}

function addressIn(field: string, given: string): Address {
  const meant = addressMeant(given, { message: 'work is offered to agents', hint: 'Use submit, or ask.' });
  if (meant.address !== null) return meant.address;
  throw new StaffettaError('invalid-input', `${field}: ${meant.message} ${meant.hint}`);
}

export function checkLeg(leg: Leg): void {
  if (leg instanceof Leg) return;
  throw new StaffettaError('invalid-input', 'leg: expected what begin or take returned.', {
    hint: 'const leg = await relay.take({ as: "a name" })',
  });
}

export async function acknowledgeOnce(leg: Leg): Promise<void> {
  if ((await leg.state()).leg?.acknowledged === false) await leg.acknowledge();
}

/** Hints of an error name commands, which a model with these tools cannot run; findings name fields, which its arguments are called by. */
async function told<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (!isStaffettaError(error)) throw error;
    const { findings } = error.details;
    const lines = (Array.isArray(findings) ? (findings as readonly Finding[]) : [])
      .filter(({ severity }) => severity === 'error')
      .map(({ path, text: words, fix }) => `- ${path}: ${words} ${fix}`);
    throw new Error([error.message, ...lines].join('\n').replaceAll('claims.', ''), { cause: error });
  }
}
