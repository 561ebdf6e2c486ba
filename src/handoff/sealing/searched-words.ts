/**
 * The words of a session without the secrets in them, before a contract is drafted or anything of it is shown: a sentence that is quoted,
 * or cut to a title, may not hold what told that there is one. What is recognised anywhere is taken out everywhere: of what was said, of
 * the answers of users, and of the commands that the agent ran.
 */
import type { ToolCall, JsonObject, Result } from '../../core/transcript/step.ts';
import type { Story, StoryStep } from '../../core/transcript/story.ts';
import type { Redactor } from '../../core/redact/redactor.ts';
import type { Context } from '../record/context.ts';
import { batched } from './native-session.ts';
import type { SessionLook } from '../sessions/session-look.ts';

/** Commands are short; what is longer writes a file. */
const argsCharsMax = 16 * 1024;
const argsInAllMax = 8 * 1024 * 1024;

type Words = Pick<SessionLook, 'work' | 'earlier' | 'within'> & Partial<Pick<SessionLook, 'bound' | 'seen'>>;

/** A session that has a task is under a contract already. */
export async function searchedWords(context: Pick<Context, 'redactor'>, look: Words): Promise<Words> {
  if (look.bound !== undefined) return look;
  const { work, earlier, seen } = look;
  const redactor = await context.redactor();
  // All of it is in records that are sealed as they are: where nothing is in those, they are searched this once.
  if (seen !== undefined && seen.from === undefined && (await isClean(redactor, seen.records)))
    return { ...look, seen: { ...seen, cleanBy: redactor } };
  const stories = earlier === undefined ? [work] : [work, earlier.whole];
  const words = stories.map(wordsIn);
  const { value, redactions } = await redactor.json(words);
  if (redactions.findings.length === 0) return look;
  const [searched = work, whole] = stories.map((story, i) => withWords(story, value[i] ?? []));
  return {
    ...look,
    work: searched,
    ...(earlier === undefined || whole === undefined ? {} : { earlier: { ...earlier, whole } }),
  };
}

async function isClean(redactor: Redactor, records: readonly Uint8Array[]): Promise<boolean> {
  const searched = redactor.stream(batched(records));
  for await (const _ of searched) if (searched.redactions().findings.length > 0) return false;
  return searched.redactions().findings.length === 0;
}

interface StepWords {
  readonly text: string;
  /** Of its calls: null where they are too long to be searched. */
  readonly args: readonly (JsonObject | null)[];
  readonly raw: readonly (string | null)[];
  readonly said: readonly (Result['said'] | null)[];
}

function wordsIn({ steps }: Story): StepWords[] {
  let left = argsInAllMax;
  const fits = ({ args, raw }: ToolCall): boolean => {
    const chars = (raw ?? JSON.stringify(args)).length;
    if (chars > argsCharsMax || chars > left) return false;
    left -= chars;
    return true;
  };
  return steps.map(({ text, calls = [], results = [] }) => {
    const short = calls.map((call) => (fits(call) ? call : null));
    return {
      text,
      args: short.map((call) => call?.args ?? null),
      raw: short.map((call) => call?.raw ?? null),
      said: results.map(({ said }) => said ?? null),
    };
  });
}

function withWords(story: Story, searched: readonly StepWords[]): Story {
  return { ...story, steps: story.steps.map((step, i) => stepWith(step, searched[i])) };
}

function stepWith(step: StoryStep, words: StepWords | undefined): StoryStep {
  if (words === undefined) return step;
  const { calls, results } = step;
  const callWith = (call: ToolCall, i: number): ToolCall => {
    const raw = words.raw[i] ?? null;
    return { ...call, args: words.args[i] ?? call.args, ...(raw === null ? {} : { raw }) };
  };
  const resultWith = (result: Result, i: number): Result => {
    const said = words.said[i] ?? null;
    return said === null ? result : { ...result, said };
  };
  return {
    ...step,
    text: words.text,
    ...(calls === undefined ? {} : { calls: calls.map(callWith) }),
    ...(results === undefined ? {} : { results: results.map(resultWith) }),
  };
}
