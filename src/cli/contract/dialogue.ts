/** A few questions for a user who opens a task at a terminal without saying what for. Never asked of a program. */
import { createInterface } from 'node:readline';
import { StaffettaError } from '../../core/base/error.ts';
import { line } from '../frame/output.ts';
import type { Session } from '../call/session.ts';
import type { Values } from '../frame/spec.ts';

export function mayAsk({ output, values }: Session): boolean {
  return !output.json && values['quiet'] !== true && process.stdin.isTTY && process.stderr.isTTY;
}

/** A yes or no at the terminal; anything but a yes is a no, and Ctrl-C ends the command. `details`: d shows them, and it is asked again. */
export async function confirm(question: string, details?: () => void): Promise<boolean> {
  const choices = details === undefined ? '[y/N]' : '(d shows the diff) [y/N]';
  for (;;) {
    const answer = await askLine(`${question} ${choices} `);
    if (answer === null) throw new StaffettaError('interrupted', 'Interrupted; nothing was changed.');
    if (details === undefined || !/^d(iff)?$/i.test(answer ?? '')) return /^y(es)?$/i.test(answer ?? '');
    details();
  }
}

/** One question. Null where the user interrupts or ends the input: then nothing is to happen. */
export async function askOnce(question: string): Promise<string | null> {
  return (await askLine(`${question}: `)) ?? null;
}

/** What was typed; null where the user interrupts, undefined where the input ends. */
async function askLine(prompt: string): Promise<string | null | undefined> {
  const dialogue = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return await new Promise<string | null | undefined>((resolve) => {
      dialogue.on('SIGINT', () => {
        process.stderr.write('\n');
        resolve(null);
      });
      dialogue.on('close', () => resolve(undefined));
      dialogue.question(prompt, (answer) => resolve(answer.trim()));
    });
  } finally {
    dialogue.close();
  }
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
  return await converse(
    session,
    'A few questions about the task. An empty answer leaves one out; Ctrl-C stops.',
    async (ask, { interrupted }) => await answers(ask, session.values, interrupted),
  );
}

/** Something that has to be said, and what is known of it so far. */
export interface Gap {
  readonly option: string;
  readonly why: string;
  /** What would mend it. */
  readonly fix: string;
  /** What stands there to be accepted: it will do. */
  readonly offered?: string;
  /** What is known of it and does not do: only shown. */
  readonly said?: string;
}

const gapWords: Readonly<Record<string, string>> = {
  goal: 'What should be true at the end',
  next: 'The one next action',
  artefact: 'A file that holds the results',
  ...Object.fromEntries(questions.map(({ option, words }) => [option, words])),
};
const examples: Readonly<Record<string, string>> = {
  goal: 'The importer has a dry-run mode that writes nothing and prints what it would do',
  accept: 'importing the same file twice adds nothing',
  'non-goal': 'the Windows installer',
  validate: 'npm test',
  review: 'human',
  next: 'make limit.test.ts:41 pass',
  artefact: 'docs/report.md',
};
/** How often an answer may be empty or not do before the way out is said. */
const triesMax = 3;
export const severalOf: ReadonlySet<string> = new Set([
  'artefact',
  ...questions.flatMap(({ option, many }) => (many ? [option] : [])),
]);

export interface DialogueOptions {
  /** What stands already, to be shown. */
  readonly known: readonly string[];
  /** What is still missing with these answers. */
  readonly left: (answered: Values) => Promise<readonly Gap[]>;
}

/**
 * Asks only for what is missing; what will do stands there to be changed or accepted, and the rest is shown. What stays empty or
 * does not do is asked for again, with the reason and an example, three times or until the input ends; answers are kept.
 */
export async function askFor(
  session: Session,
  gaps: readonly Gap[],
  { known, left }: DialogueOptions,
): Promise<Values> {
  return await converse(
    session,
    `The session leaves ${gaps.length === 1 ? 'one thing' : `${gaps.length} things`} open. What stands there already can be changed; Enter takes it. Ctrl-C stops, and nothing is handed over.`,
    async (ask, state) => {
      const answered: Record<string, string | readonly string[]> = {};
      if (known.length > 0) session.output.say('  It says already:', 'dim');
      for (const words of known) session.output.say(`    ${line(words)}`, 'dim');
      const refused = new Map<string, number>();
      let open = gaps;
      let goesOn = true;
      while (open.length > 0 && goesOn && !state.ended()) {
        for (const gap of open) {
          explain(session, gap, answered[gap.option] !== undefined);
          const answer = await answerTo(session, gap, async () => {
            const said = await ask(gapWords[gap.option] ?? gap.option, gap.offered);
            return state.ended() ? null : said;
          });
          if (answer !== '') answered[gap.option] = severalOf.has(gap.option) ? [answer] : answer;
          else goesOn = false;
          if (!goesOn) break;
        }
        if (!state.interrupted()) open = await left(answered);
        for (const { option } of open) refused.set(option, (refused.get(option) ?? 0) + 1);
        goesOn &&= [...refused.values()].every((times) => times < triesMax);
      }
      if (state.interrupted())
        throw new StaffettaError('interrupted', 'Interrupted; nothing was handed over.');
      for (const gap of state.ended() ? [] : open) explain(session, gap, true);
      return answered;
    },
  );
}

/** Why it is asked for; and where nothing is offered that would do, what would. */
function explain({ output }: Session, { option, why, fix, offered, said }: Gap, isAnswered: boolean): void {
  output.say(`  ${line(offered === undefined ? `${why} ${fix}` : why)}`, 'dim');
  if (offered !== undefined) return;
  if (said !== undefined)
    output.say(`  ${isAnswered ? 'This does not do' : 'The session says'}: ${line(said)}`, 'dim');
  const example = examples[option];
  if (example !== undefined) output.say(`  For example: ${example}`, 'dim');
}

/** Until there is an answer; an empty one where the input has ended, or nothing was said three times. */
async function answerTo(
  session: Session,
  { option }: Gap,
  ask: () => Promise<string | null>,
): Promise<string> {
  for (let tries = 0; tries < triesMax; tries += 1) {
    const answer = await ask();
    if (answer === null) return '';
    if (answer !== '') return answer;
    const example = examples[option];
    session.output.say(
      `  This has to be said: without it the packet is not ready.${example === undefined ? '' : ` For example: ${example}.`} Ctrl-C stops; --${option} says it with the command.`,
      'dim',
    );
  }
  return '';
}

type Ask = (words: string, draft?: string) => Promise<string>;

interface Talk {
  readonly interrupted: () => boolean;
  /** Nothing more will be answered. */
  readonly ended: () => boolean;
}

async function converse<T>(
  session: Session,
  opening: string,
  talk: (ask: Ask, state: Talk) => Promise<T>,
): Promise<T> {
  const dialogue = createInterface({ input: process.stdin, output: process.stderr });
  // Lines are kept as they come: what is typed ahead or pasted answers the questions after it.
  const lines = dialogue[Symbol.asyncIterator]();
  let interrupted = false;
  let ended = false;
  dialogue.on('SIGINT', () => {
    interrupted = true;
    dialogue.close();
  });
  const ask: Ask = async (words, draft) => {
    dialogue.setPrompt(`${words}: `);
    dialogue.prompt();
    if (draft !== undefined) dialogue.write(line(draft));
    const answer = await lines.next();
    if (answer.done !== true) return answer.value.trim();
    ended = true;
    process.stderr.write('\n');
    return '';
  };
  try {
    session.output.say(opening);
    return await talk(ask, { interrupted: () => interrupted, ended: () => ended || interrupted });
  } finally {
    dialogue.close();
  }
}

async function answers(ask: Ask, given: Values, isInterrupted: () => boolean): Promise<Answers> {
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
