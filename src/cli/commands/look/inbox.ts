import { existsSync } from 'node:fs';
import { joinCommand } from '../../../core/base/command-line.ts';
import { isStaffettaError, StaffettaError } from '../../../core/base/error.ts';
import { letBe } from '../../../desk/after-failure.ts';
import type { InboxItem } from '../../../handoff/views/inbox.ts';
import { worktreeRoot } from '../../../home/locate.ts';
import type { Session } from '../../call/session.ts';
import { splitCommand } from '../../contract/split-command.ts';
import { exits, failureFrom, failureWords } from '../../frame/fail.ts';
import { line, type Output } from '../../frame/output.ts';
import type { Invocation } from '../../frame/spec.ts';
import { goOnCommands, stoppedHere } from '../../call/latest-session.ts';
import { waiting } from '../../call/waiting.ts';
import { wrap } from '../../frame/width.ts';
import { UsageError } from '../../frame/usage.ts';
import { text } from '../../frame/values.ts';
import { next, report } from '../../pages/words.ts';
import { workedPart } from '../../pages/resume-page.ts';

export async function run({ values }: Invocation, session: Session): Promise<number> {
  const given = text(values, 'let-be');
  if (given !== undefined) return await letItBe(given, session);
  const items = await waiting(session);
  const { askOnce, mayAsk } = await import('../../contract/dialogue.ts');
  const asks = items.length > 0 && mayAsk(session) && process.stdout.isTTY;
  session.output.data({ inbox: items }, () => inboxPart(items, session.output, { isNumbered: asks }));
  // No store knows of a session that nobody has gone on with.
  const stopped = session.actor.kind === 'human' ? await stoppedHere(session) : [];
  if (stopped.length > 0) {
    session.output.say(workedPart(stopped, session.output));
    next(session.output, ...stopped.flatMap(goOnCommands));
  } else if (items.length === 0) {
    session.output.say('Nothing needs you.');
    next(session.output, 'staffetta');
  }
  return asks ? await answerOne(session, items, asker(askOnce)) : exits.ok;
}

async function letItBe(given: string, session: Session): Promise<number> {
  const task = await session.task(given);
  if (session.dryRun) {
    session.output.data({ task, dryRun: true }, () => `Would be done: ${task} would be off the list.`);
    return exits.ok;
  }
  report(session, await letBe(await session.context(), task), `${task} is off the list; it stays as it is.`);
  return exits.ok;
}

interface PartOptions {
  readonly most?: number;
  readonly isNumbered?: boolean;
}

/** What each is about, and the commands that answer it; of a part of them the first command alone. */
export function inboxPart(
  items: readonly InboxItem[],
  { width, paint }: Output,
  { most = items.length, isNumbered = false }: PartOptions = {},
): string {
  const shown = items.slice(0, most).map(({ kind, task, title, text, command, others, folder }, i) => {
    const number = isNumbered ? `${i + 1}. ` : '';
    const words = wrap(`${number}${kind}: ${line(text)} (${task}, ${line(title)})`, Math.max(20, width));
    const there = isElsewhere(folder) ? `${joinCommand(['cd', folder])} && ` : '';
    const ways = (most < items.length ? [command] : [command, ...others]).map((way) => there + way);
    return [words, ...ways.map((way, at) => `  ${paint.dim(at === 0 ? '→' : 'or')} ${line(way)}`)].join('\n');
  });
  const more = items.length > most ? [`and ${items.length - most} more: staffetta inbox`] : [];
  return [...shown, ...more].join('\n');
}

function isElsewhere(folder: string | undefined): folder is string {
  return folder !== undefined && folder !== worktreeRoot(process.cwd()) && existsSync(folder);
}

type Ask = (question: string) => Promise<string>;

/** At a terminal what is asked is answered on the spot: by number, with what is still to be said. */
async function answerOne(session: Session, items: readonly InboxItem[], ask: Ask): Promise<number> {
  const isOne = items.length === 1;
  const question = isOne ? 'Answer it now? 1: yes' : `Which one? 1 to ${items.length}`;
  let item = await chosen(items, ask, { question: `${question}, Enter: none` });
  let status: number = exits.ok;
  // Who only looked at it, or was refused, is asked again.
  while (item !== undefined) {
    const words = await wordsOf(item, ask);
    if (words === undefined) return status;
    if (isElsewhere(item.folder)) process.chdir(item.folder);
    status = await performed(words, session);
    const key = keyOf(item);
    item = (await waiting(session)).find((one) => keyOf(one) === key);
  }
  return status;
}

/** A refusal is told, and leaves the item as it was. */
async function performed(words: readonly string[], session: Session): Promise<number> {
  try {
    return await session.perform(words);
  } catch (error) {
    const isRefused = isStaffettaError(error) || error instanceof UsageError;
    if (!isRefused || isStaffettaError(error, 'interrupted')) throw error;
    const failure = failureFrom(error);
    session.output.say(failureWords(failure, session.output.width));
    return failure.exit;
  }
}

function keyOf({ kind, task, since, decision, phase, effect }: InboxItem): string {
  return JSON.stringify([kind, task, since, decision, phase, effect]);
}

/** What answers it, as a command; undefined where somebody says nothing. */
async function wordsOf({ command, others, packet }: InboxItem, ask: Ask): Promise<string[] | undefined> {
  const ways = [command, ...others];
  const listed = ways.map((way, i) => `  ${i + 1}. ${line(way)}`).join('\n');
  const question = `${listed}\nHow? 1 to ${ways.length}, Enter: none`;
  const way = ways.length === 1 ? command : await chosen(ways, ask, { question });
  if (way === undefined) return undefined;
  const words: string[] = [];
  for (const word of splitCommand(way).slice(1)) {
    const [, fixed = '', blank = ''] = /^(.*=)?([A-Z-]+)$/.exec(word) ?? [];
    const said = Object.hasOwn(blanks, blank) ? await ask(blanks[blank] ?? blank) : undefined;
    if (said === '') return undefined;
    words.push(said === undefined ? word : `${fixed}${said}`);
  }
  const judges = words.includes('--approve') || words.includes('--send-back');
  return judges && packet !== undefined ? [...words, '--packet', packet] : words;
}

/** By number; what is no number of the list is asked again. */
async function chosen<T>(
  list: readonly T[],
  ask: Ask,
  { question }: { readonly question: string },
): Promise<T | undefined> {
  for (;;) {
    const answer = await ask(question);
    if (answer === '') return undefined;
    const one = /^\d+$/.test(answer) ? list[Number(answer) - 1] : undefined;
    if (one !== undefined) return one;
  }
}

/** What stands for words that a person fills in. */
const blanks: Readonly<Record<string, string>> = {
  ANSWER: 'Your answer',
  TEXT: 'Why',
  WHY: 'Why',
  CHANGE: 'What must change',
  WHO: 'Who (an agent, a program, lane:audit, anyone)',
  AGENT: 'Which agent of the crew',
  N: 'How many',
  TASK: 'Which task',
  FILE: 'Which file',
  PLAN: 'The file with the plan',
  'NEW-NAME': 'Its name',
};

function asker(askOnce: (question: string) => Promise<string | null>): Ask {
  return async (question) => {
    const answer = await askOnce(question);
    if (answer === null) throw new StaffettaError('interrupted', 'Interrupted; nothing was changed.');
    return answer;
  };
}
