import { existsSync } from 'node:fs';
import { joinCommand } from '../../../core/base/command-line.ts';
import { StaffettaError } from '../../../core/base/error.ts';
import { runtimeNames } from '../../../core/resume/runtime-names.ts';
import { wholeInbox } from '../../../desk/crew/run-inbox.ts';
import type { InboxItem } from '../../../handoff/views/inbox.ts';
import { worktreeRoot } from '../../../home/locate.ts';
import type { Session } from '../../call/session.ts';
import { splitCommand } from '../../contract/split-command.ts';
import { exits } from '../../frame/fail.ts';
import { line, type Output } from '../../frame/output.ts';
import type { Invocation } from '../../frame/spec.ts';
import { wrap } from '../../frame/width.ts';
import { next } from '../../pages/words.ts';

export async function run(_: Invocation, session: Session): Promise<number> {
  const items = session.storeExists ? await wholeInbox(await session.context()) : [];
  const { askOnce, mayAsk } = await import('../../contract/dialogue.ts');
  const asks = items.length > 0 && mayAsk(session) && process.stdout.isTTY;
  session.output.data({ inbox: items }, () => inboxPart(items, session.output, { isNumbered: asks }));
  if (items.length === 0) {
    session.output.say('Nothing needs you.');
    next(session.output, 'staffetta');
  }
  return asks ? await answerOne(session, items, asker(askOnce)) : exits.ok;
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
  const item =
    items[
      Number(
        await ask(
          `${items.length === 1 ? 'Answer it now? 1: yes' : `Which one? 1 to ${items.length}`}, Enter: none`,
        ),
      ) - 1
    ];
  if (item === undefined) return exits.ok;
  const ways = [item.command, ...item.others];
  const listed = ways.map((way, i) => `  ${i + 1}. ${line(way)}`).join('\n');
  const way = ways.length === 1 ? '1' : (await ask(`${listed}\nHow? 1 to ${ways.length}, Enter: 1`)) || '1';
  const chosen = ways[Number(way) - 1];
  if (chosen === undefined) return exits.ok;
  const words: string[] = [];
  for (const word of splitCommand(chosen).slice(1)) {
    const [, fixed = '', blank = ''] = /^(.*=)?([A-Z-]+)$/.exec(word) ?? [];
    const said = Object.hasOwn(blanks, blank) ? await ask(blanks[blank] ?? blank) : undefined;
    if (said === '') return exits.ok;
    words.push(said === undefined ? word : `${fixed}${said}`);
  }
  if (isElsewhere(item.folder)) process.chdir(item.folder);
  return await session.perform(words);
}

/** What stands for words that a person fills in. */
const blanks: Readonly<Record<string, string>> = {
  ANSWER: 'Your answer',
  TEXT: 'Why',
  WHY: 'Why',
  WHO: 'Who (an agent, a program, lane:audit, anyone)',
  PROGRAM: `In which program (${runtimeNames.join(', ')})`,
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
