/**
 * Fixed texts that the program writes into a user's message without a flag of the record.
 *
 *   a plan       what is sent when a person approves a plan and begins anew with it: an opening, the plan, and a trailer that leads to
 *                the earlier session. The order is the person's; the trailer is not. Since 2.1.29 the record has the plan in
 *                `planContent`, so that whatever stands behind it is known; before, the trailer is known by how it begins
 *   a notice     what a hook had to say. A prompt that was typed has fields of the screen (`permissionMode` and others); a notice has
 *                none of them, and begins with words of the program
 *   an event     what happened in the background, behind a heading that says so
 *   a pointer    the line behind a notification that says where the result of a task is
 */
import { fieldsOf, isThere, list, part, text, type Fields } from './schema.ts';

const planOpening = 'Implement the following plan:';
const trailerOpening = '\n\nIf you need specific details from before exiting plan mode (';

export interface ApprovedPlan {
  readonly order: string;
  readonly trailer: string;
}

/** What is sent when a plan is approved. */
export function isApprovedPlan(record: Fields): boolean {
  const said =
    text(part(record, 'message'), 'content') ??
    text(fieldsOf(list(part(record, 'message'), 'content')[0]), 'text');
  return text(record, 'planContent') !== null || said?.startsWith(planOpening) === true;
}

/** Null where it is none, or has no trailer. */
export function planIn(record: Fields, words: string): ApprovedPlan | null {
  if (!words.startsWith(planOpening)) return null;
  const plan = text(record, 'planContent') ?? '';
  const at = plan === '' ? -1 : words.indexOf(plan);
  const end = at < 0 ? words.lastIndexOf(trailerOpening) : at + plan.length;
  const trailer = end < 0 ? '' : words.slice(end).trim();
  return trailer === '' ? null : { order: words.slice(0, end).trimEnd(), trailer };
}

const noticeOpenings = [
  'Operation stopped by hook: ',
  'UserPromptSubmit operation blocked by hook:',
  'Stop hook feedback:',
  'SubagentStop hook feedback:',
] as const;
const screenFields = ['permissionMode', 'promptSource', 'thinkingMetadata', 'todos'] as const;

const eventOpening = '[SYSTEM NOTIFICATION - NOT USER INPUT]\n';

export function isNotice(record: Fields, words: string): boolean {
  if (words.startsWith(eventOpening)) return true;
  return (
    noticeOpenings.some((opening) => words.startsWith(opening)) &&
    !screenFields.some((name) => isThere(record, name))
  );
}

const pointers = /^(?:Read the output file to retrieve the result|Full transcript available at): .*$/gm;

/** What stands around a block of the program, without such lines. */
export function withoutPointer(words: string): string {
  const left = words.replace(pointers, '');
  return left === words ? words : left.trim();
}
