/** Prompts that a person picks in the agent's own program: hand this over, and go on with that. */
import {
  completable,
  type GetPromptResult,
  type McpServer,
  type ServerContext,
} from '@modelcontextprotocol/server';
import * as z from 'zod/mini';
import { lanes } from '../core/task/lanes.ts';
import { sanitize, sanitizeLine } from '../core/base/sanitize.ts';
import { cut } from '../core/base/text.ts';
import { runtimeNames } from '../ports/runtime.ts';
import { quoted } from './words/answer.ts';
import { askedFor } from './words/next-calls.ts';
import { pageOf } from './words/page.ts';
import { readingOf } from './reading.ts';
import type { WorkPlace } from './place.ts';
import { taskIds } from './resources.ts';
import { argumentsOf } from './schema.ts';
import { visitTask, type Visit } from './visit.ts';

type VisitOf = (context: ServerContext) => Visit;

const recipients = [
  'anyone',
  ...lanes.map((lane) => `lane:${lane}`),
  ...runtimeNames.map((name) => `runtime:${name}`),
];

export function registerPrompts(server: McpServer, visitOf: VisitOf, place: WorkPlace): void {
  const task = z.optional(
    completable(
      z.string().check(z.describe('The task; left out, the one you hold')),
      async (value) => await taskIds(place, value),
    ),
  );
  const to = z.optional(
    completable(z.string().check(z.describe('Whom to hand it to; left out, anyone')), (value) =>
      recipients.filter((one) => one.startsWith(value)),
    ),
  );
  server.registerPrompt(
    'handoff',
    {
      title: 'Hand this over',
      description: 'Seal what is known and offer the task to another agent',
      argsSchema: argumentsOf(z.strictObject({ task, to })),
    },
    (given) => handoffPrompt(given),
  );
  server.registerPrompt(
    'resume',
    {
      title: 'Go on with a task',
      description: 'Take a task, read what was left and go on where it stopped',
      argsSchema: argumentsOf(z.strictObject({ task })),
    },
    async (given, context) => await resumePrompt(given.task, visitOf(context)),
  );
}

function prompt(description: string, text: string): GetPromptResult {
  return { description, messages: [{ role: 'user', content: { type: 'text', text: sanitize(text) } }] };
}

function handoffPrompt({
  task,
  to,
}: {
  readonly task?: string | undefined;
  readonly to?: string | undefined;
}): GetPromptResult {
  const named = task === undefined || task === '' ? {} : { task: word(task) };
  const steps = [
    'Hand the work over with the staffetta tools.',
    `1. ${askedFor('status', named)}: if you hold no task yet, open one whose goal, acceptance, nonGoals, validation and review say what we agreed; constraints hold my own demands, word for word.`,
    '2. Run the validation commands, so that what you say of them is so.',
    '3. Record decisions with decide, and dead ends with note and deadEnd.',
    `4. ${askedFor('seal', { ...named, to: word(to ?? '') || 'anyone', summary: 'TEXT', done: ['TEXT'], remaining: ['TEXT'], nextAction: 'TEXT', artefacts: ['PATH'] })} with evidence in brackets for what is done, and exactly one nextAction.`,
    '5. If it is refused, mend what the findings name and call it again.',
    '6. Then stop, and tell me the task id and whom it is offered to.',
  ];
  return prompt('Hand the work over', steps.join('\n'));
}

async function resumePrompt(given: string | undefined, visit: Visit): Promise<GetPromptResult> {
  const named = given === undefined || given === '' ? {} : { task: word(given) };
  const steps = [
    'Go on with work that was left for you, with the staffetta tools.',
    `1. ${askedFor('take', named)}, and read all that it gives; read more with ${askedFor('read', { what: 'briefing' })}. If you hold it already, only read.`,
    '2. Load the skills that it names. Look whether what it says of the workspace is still so.',
    `3. ${askedFor('take', { ...named, acknowledge: { goal: 'TEXT', gate: 'TEXT', next: 'TEXT' } })} in your own words, before you change anything.`,
    '4. Do the next action. Write down what you find with note, and what you decide with decide.',
  ];
  const briefing = given === undefined || given === '' ? '' : `\n\n${await briefingFor(given, visit)}`;
  return prompt('Go on with a task', `${steps.join('\n')}${briefing}`);
}

async function briefingFor(given: string, visit: Visit): Promise<string> {
  const task = await visitTask(visit, given);
  const context = await visit.place.context();
  const { about, text } = await readingOf(
    { context, task, env: visit.env, folder: visit.place.folder },
    'briefing',
  );
  return quoted(about, pageOf(text, {}).text);
}

/** What a person typed into a field, as a word of ours. */
function word(given: string): string {
  return cut(sanitizeLine(given).trim(), 100);
}
