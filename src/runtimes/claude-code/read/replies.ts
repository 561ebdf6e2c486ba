/**
 * What a person said by the result of a call. Only fields that the program sets count, for a tool can print any words:
 *
 *   AskUserQuestion   `toolUseResult` has the answers by question, notes beside them, and what was written in place of an answer
 *   a refused call    the record is stamped `toolDenialKind: user-rejected`, or has `User rejected tool use` as its `toolUseResult`, and
 *                     the result is an error that begins with the program's sentence. A tool of a server is refused by the stamp alone.
 *                     Earlier versions repeat the sentence there. That is believed of tools which print nothing but the program's words,
 *                     and of Bash since 2.1: from then on what a failed command printed stands behind its exit code
 */
import type { Reply, Result } from '../../../core/transcript/step.ts';
import { fieldsOf, flag, part, text, type Fields } from './schema.ts';

const askTool = 'AskUserQuestion';
const rejected = 'User rejected tool use';
const ownWords: ReadonlySet<string> = new Set(['Edit', 'MultiEdit', 'Write', 'NotebookEdit', 'ExitPlanMode']);
const saysExitCodes = /^(?:2\.[1-9]|[3-9]\.|\d\d)/;
const sentence = "The user doesn't want to proceed with this tool use.";
const cue = 'To tell you how to proceed, the user said:\n';
/** The program's words behind those of the person, and in their place. */
const note = "\nNote: The user's next message may contain a correction or preference.";
const clarifying = 'The user wants to clarify these questions.';
/** What stands for an answer where there is none. */
const noAnswer = /^\s*$|^\(no option selected\)$/;

export type Replies = Pick<Result, 'said' | 'refused'>;

export function repliesIn(record: Fields, tool: string, block: Fields, said: string): Replies {
  const isStamped = text(record, 'toolDenialKind') === 'user-rejected';
  const isNamed = text(record, 'toolUseResult') === rejected && !tool.startsWith('mcp__');
  const isRepeated =
    (ownWords.has(tool) || (tool === 'Bash' && saysExitCodes.test(text(record, 'version') ?? ''))) &&
    text(record, 'toolUseResult')?.startsWith(`Error: ${sentence}`) === true;
  if (flag(block, 'is_error')) return isStamped || isNamed || isRepeated ? refusalIn(said) : {};
  const answers = tool === askTool ? answersIn(part(record, 'toolUseResult')) : [];
  return answers.length === 0 ? {} : { said: answers };
}

function refusalIn(said: string): Replies {
  if (!said.startsWith(sentence)) return { refused: true };
  const from = said.indexOf(cue);
  const behind = from === -1 ? '' : said.slice(from + cue.length);
  const end = behind.indexOf(note);
  const words = (end === -1 ? behind : behind.slice(0, end)).trim();
  return words === '' || words.startsWith(clarifying)
    ? { refused: true }
    : { refused: true, said: [{ text: words }] };
}

function answersIn(about: Fields | null): Reply[] {
  const answers = Object.entries(part(about, 'answers') ?? {}).flatMap(([question, answer]) =>
    wordsIn(answer).map((words): Reply => ({ text: words, question })),
  );
  const notes = Object.entries(part(about, 'annotations') ?? {}).flatMap(([question, beside]) =>
    wordsIn(text(fieldsOf(beside), 'notes')).map((words): Reply => ({ text: words, question })),
  );
  return [...answers, ...notes, ...wordsIn(text(about, 'response')).map((words) => ({ text: words }))];
}

function wordsIn(answer: unknown): string[] {
  const all: readonly unknown[] = Array.isArray(answer) ? answer : [answer];
  const words = all.filter((each) => typeof each === 'string' && !noAnswer.test(each));
  return words.length === 0 ? [] : [words.join(', ')];
}
