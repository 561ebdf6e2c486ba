/**
 * The words of a session without the secrets in them, before a contract is drafted: a sentence that is quoted, or cut to a title, may
 * not hold what told that there is one. What is recognised in any of the words, or in a command that the agent ran, is taken out of all.
 */
import type { Story } from '../core/transcript/story.ts';
import type { Context } from './context.ts';
import type { SessionLook } from './session-look.ts';

/** Commands are short; what is longer writes a file. */
const argsCharsMax = 16 * 1024;
const argsInAllMax = 8 * 1024 * 1024;

type Words = Pick<SessionLook, 'work' | 'earlier' | 'within'> & Partial<Pick<SessionLook, 'bound'>>;

/** A session that has a task is under a contract already. */
export async function searchedWords(context: Pick<Context, 'redactor'>, look: Words): Promise<Words> {
  if (look.bound !== undefined) return look;
  const { work, earlier } = look;
  const stories = earlier === undefined ? [work] : [work, earlier.whole];
  const said = stories.map(({ steps }) => steps.map(({ source, text }) => (source === 'user' ? text : '')));
  const { value, redactions } = await (await context.redactor()).json([said, stories.map(argsOf)]);
  if (redactions.findings.length === 0) return look;
  const [texts] = value as [string[][], unknown];
  const [searched = work, whole] = stories.map((story, i) => withTexts(story, texts[i] ?? []));
  return {
    ...look,
    work: searched,
    ...(earlier === undefined || whole === undefined ? {} : { earlier: { ...earlier, whole } }),
  };
}

function withTexts(story: Story, texts: readonly string[]): Story {
  return {
    ...story,
    steps: story.steps.map((step, i) => (step.source === 'user' ? { ...step, text: texts[i] ?? '' } : step)),
  };
}

function argsOf({ steps }: Story): string[] {
  const found: string[] = [];
  let chars = 0;
  for (const { calls = [] } of steps)
    for (const { args, raw } of calls) {
      const text = raw ?? JSON.stringify(args);
      if (text.length > argsCharsMax || (chars += text.length) > argsInAllMax) continue;
      found.push(text);
    }
  return found;
}
