/**
 * What the receiver of a task has to read, as one text: the briefing that every successor starts from, and what waits beside it. All of it
 * is what others wrote, and goes out in a fence.
 */
import { loadRuntimes } from '../compose/runtimes.ts';
import { addedLines, addedTitle, type StandingContract } from '../core/contract/added-terms.ts';
import { findingText } from '../core/task/finding-words.ts';
import type { TaskId } from '../core/journal/id.ts';
import { loadCounter } from '../core/tokens/count.ts';
import { briefTask } from '../handoff/views/brief.ts';
import type { Context } from '../handoff/record/context.ts';
import { standingFindings, standingReasons } from '../handoff/record/latest.ts';
import { load } from '../handoff/record/load.ts';
import { waitingMessages, type WaitingMessage } from '../handoff/verbs/outside.ts';
import { readersOf } from '../handoff/history/story.ts';
import type { Environment } from '../desk/standing.ts';
import { commandsAsTools } from './words/next-calls.ts';

export async function briefingText(context: Context, task: TaskId, env: Environment): Promise<string> {
  const { state } = await load(context, task);
  const readerOf = readersOf(await loadRuntimes({ ...env }));
  const { text } = await briefTask(context, task, { readerOf, count: await loadCounter() });
  // Only the beginning is ours; what follows may name commands for its own reasons.
  const [opening, ...said] = text.trimEnd().split('\n\n');
  const messages = state.unread.length === 0 ? [] : await waitingMessages(context, task);
  const unknown = state.effects.filter((effect) => effect.unknown).map(({ effect }) => effect);
  const parts = [
    opening === undefined ? '' : commandsAsTools(opening),
    ...said,
    listed('Sent back: this must change', (await standingFindings(context, state)).map(findingText)),
    listed('Declined, because', await standingReasons(context, state)),
    listed('Messages that wait', messages.map(messageText)),
    listed('Effects of unknown outcome: find out, then settle them', unknown),
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

export function contractText(contract: StandingContract): string {
  const { title, goal, acceptance, constraints, nonGoals, protectedPaths, validation, skills, review } =
    contract;
  const reviewer = review?.human === true ? 'a person' : review?.owner;
  const parts = [
    `# ${title}`,
    `## Goal\n\n${goal}`,
    listed('Accepted when', acceptance),
    listed('Constraints', constraints),
    listed('Not part of it', nonGoals),
    listed('Protected paths', protectedPaths),
    listed(
      'Proven by',
      validation?.map(({ run }) => run.join(' ')),
    ),
    listed(
      'Phases',
      contract.phases?.map(({ name, goal: aim }) => (aim === undefined ? name : `${name}: ${aim}`)),
    ),
    listed('Skills to load', skills),
    listed('Reviewed by', reviewer === undefined ? [] : [reviewer]),
    listed('Needs', contract.needs),
    listed(addedTitle, addedLines(contract)),
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

function listed(title: string, lines: readonly string[] | undefined): string {
  if (lines === undefined || lines.length === 0) return '';
  return `## ${title}\n\n${lines.map((line) => `- ${line.replaceAll('\n', '\n  ')}`).join('\n')}`;
}

export function messageText({ seq, from, text, answers }: WaitingMessage): string {
  const asked = answers === undefined ? '' : `, answers question ${answers.decision} (${answers.question})`;
  return `j${seq}, ${from}${asked}: ${text}`;
}
