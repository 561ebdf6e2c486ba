/**
 * What whoever takes a task has to read, as one text: the packet, and what was said and written down beside it. The one place of this
 * folder that decides what a briefing is. All of it is what others wrote, and goes out in a fence.
 */
import type { Contract } from '../core/contract.ts';
import type { ReviewFinding } from '../core/event.ts';
import { writeHandoff } from '../core/handoff-markdown.ts';
import type { Context } from '../handoff/context.ts';
import { load } from '../handoff/load.ts';
import type { TaskId } from '../core/id.ts';
import type { WaitingMessage } from '../handoff/outside.ts';
import type { OpenQuestion, Remark } from '../handoff/remarks.ts';
import { viewOf, type TaskView } from '../handoff/task-view.ts';

export async function briefingOf(context: Context, task: TaskId): Promise<string> {
  const { state, lease } = await load(context, task);
  return briefingText(await viewOf(context, state, lease?.until ?? null));
}

/** The last line of a HANDOFF.md is for whoever reads an edited file back. */
const seal = /\n<!-- staffetta [^\n]* -->\n$/;

export function briefingText(view: TaskView): string {
  const { state, contract, packet, remarks } = view;
  const unknown = state.effects.filter((effect) => effect.unknown).map(({ effect }) => effect);
  const parts = [
    packet === null || state.packet === null
      ? contractText(contract)
      : writeHandoff(packet, contract, state.packet).replace(seal, ''),
    listed('Sent back: this must change', view.findings.map(findingText)),
    listed('Declined, because', view.declined),
    listed('Messages that wait', view.messages.map(messageText)),
    listed('Open questions', view.questions.map(questionText)),
    listed('Effects of unknown outcome: find out, then settle them', unknown),
    listed('Written down since the packet', remarks.since.map(remarkText)),
    listed('Written down before that', remarks.before.map(remarkText)),
    remarks.more ? 'There is more: read it with what: history.' : '',
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}

export function contractText(contract: Contract): string {
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
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

function listed(title: string, lines: readonly string[] | undefined): string {
  if (lines === undefined || lines.length === 0) return '';
  return `## ${title}\n\n${lines.map((line) => `- ${line.replaceAll('\n', '\n  ')}`).join('\n')}`;
}

export function findingText({ path, line: at, text }: ReviewFinding): string {
  return path === undefined ? text : `${path}${at === undefined ? '' : `:${at}`}: ${text}`;
}

export function messageText({ seq, from, text, answers }: WaitingMessage): string {
  const asked = answers === undefined ? '' : `, answers question ${answers.decision} (${answers.question})`;
  return `j${seq}, ${from}${asked}: ${text}`;
}

function questionText({ decision, question, options, owner }: OpenQuestion): string {
  const choice = options.length === 0 ? '' : ` [${options.join(' | ')}]`;
  return `d${decision}: ${question}${choice} (for ${owner ?? 'a person'} to answer)`;
}

function remarkText({ seq, by, event, question }: Remark): string {
  const said = ((): string => {
    switch (event.type) {
      case 'note':
      case 'message':
        return event.text;
      case 'attempt-failed':
        return `ruled out: ${event.what}: ${event.why}`;
      case 'decision-made':
        return `decided (d${event.decision}): ${event.text}${event.why === undefined ? '' : `: ${event.why}`}`;
      case 'decision-answered':
        return `answered (d${event.decision}${question === undefined ? '' : `, ${question}`}): ${event.answer}`;
      case 'effect-settled':
        return `settled ${event.effect}: ${event.outcome}`;
      case 'contract-amended':
        return `amended the contract: ${event.why}`;
      case 'leg-acknowledged':
        return `acknowledged: goal "${event.goal}", gate "${event.gate}", next "${event.next}"`;
      case 'leg-lapsed':
        return `generation ${event.generation} lapsed`;
      case 'leg-ended':
        return `ended generation ${event.generation}: ${event.outcome}${event.why === undefined ? '' : `: ${event.why}`}`;
      case 'offer-declined':
        return `declined: ${event.reasons.join('; ')}`;
    }
  })();
  return `j${seq}, ${by}: ${said}`;
}
