/** A few questions for whoever opens a task at a terminal without saying what for. Never asked of a program. */
import { createInterface } from 'node:readline';
import { StaffettaError } from '../core/error.ts';
import type { Session } from './session.ts';
import type { Values } from './spec.ts';

export function mayAsk({ output, values }: Session): boolean {
  return !output.json && values['quiet'] !== true && process.stdin.isTTY && process.stderr.isTTY;
}

const questions: readonly { readonly option: string; readonly words: string; readonly many: boolean }[] = [
  { option: 'accept', words: 'It is accepted when', many: true },
  { option: 'non-goal', words: 'What is not part of it', many: true },
  { option: 'validate', words: 'A command that proves it', many: true },
  { option: 'review', words: 'Who reviews it (human, lane:audit, or an agent)', many: false },
];

export interface Answers {
  readonly goal: string | undefined;
  /** What was answered, as if it had been given with options. */
  readonly values: Values;
}

/** Asks for what was not given. An empty answer leaves it out; the end of the input leaves out the rest. */
export async function askForContract(session: Session): Promise<Answers> {
  const dialogue = createInterface({ input: process.stdin, output: process.stderr });
  // Lines are kept as they come: what is typed ahead or pasted answers the questions after it.
  const lines = dialogue[Symbol.asyncIterator]();
  let interrupted = false;
  dialogue.on('SIGINT', () => {
    interrupted = true;
    dialogue.close();
  });
  const ask = async (words: string): Promise<string> => {
    dialogue.setPrompt(`${words}: `);
    dialogue.prompt();
    const line = await lines.next();
    if (line.done !== true) return line.value.trim();
    process.stderr.write('\n');
    return '';
  };
  try {
    session.output.say('A few questions about the task. An empty answer leaves one out; Ctrl-C stops.');
    return await answers(ask, session.values, () => interrupted);
  } finally {
    dialogue.close();
  }
}

async function answers(
  ask: (words: string) => Promise<string>,
  given: Values,
  isInterrupted: () => boolean,
): Promise<Answers> {
  const goal = await ask('What should be true at the end');
  const answered: Record<string, string | readonly string[]> = {};
  for (const { option, words, many } of goal === '' ? [] : questions) {
    if (given[option] !== undefined) continue;
    const answer = isInterrupted() ? '' : await ask(words);
    if (answer !== '') answered[option] = many ? [answer] : answer;
  }
  if (isInterrupted()) throw new StaffettaError('interrupted', 'Interrupted; nothing was opened.');
  return { goal: goal === '' ? undefined : goal, values: answered };
}
