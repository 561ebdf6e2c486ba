/** A permission that has to be asked for becomes a question on the task, where people see what waits for them; the agent waits for the answer. */
import { cut } from '../../core/base/text.ts';
import type { TaskId } from '../../core/journal/id.ts';
import { openEntry } from '../../core/journal/sealed.ts';
import type { Context } from '../../handoff/record/context.ts';
import { pageSize } from '../../handoff/record/load.ts';
import type { Post, WorkPost } from '../site.ts';

const lookMs = 500;
const [yes, no] = ['allow', 'deny'] as const;
/** Of an answer that is neither. */
const wordsMax = 40;

export async function askOnTask(post: Post, what: string): Promise<'allow' | 'deny'> {
  // A reviewer looks, and needs to be allowed nothing.
  if (post.for === 'review') return no;
  for (let words = ''; ;) {
    const answer = await answered(post, `${post.agent.name} asks whether it may: ${what}${words}`);
    if (answer === undefined || answer === yes || answer === no) return answer ?? no;
    // Word for word: nothing is read into other words, and who meant a yes is not taken for a no.
    words = ` (${JSON.stringify(cut(answer, wordsMax))} is neither ${yes} nor ${no})`;
  }
}

/** Undefined where nobody needs an answer any more. */
async function answered({ leg, context }: WorkPost, text: string): Promise<string | undefined> {
  const question = await leg.ask(text, { options: [yes, no] });
  for (;;) {
    const state = await leg.state();
    if (state.leg?.generation !== leg.generation) return undefined;
    if (!state.raised.some(({ decision }) => decision === question))
      return await answerTo(context, leg.task, question);
    await context.clock.sleep(lookMs);
  }
}

async function answerTo(context: Context, task: TaskId, question: number): Promise<string | undefined> {
  for (let from = 0; ;) {
    const page = await context.store.journal.read(task, from, pageSize);
    for (const stored of page) {
      const event = openEntry(stored).events.find(
        (one) => one.type === 'decision-answered' && one.decision === question,
      );
      if (event?.type === 'decision-answered') return event.answer.trim().toLowerCase();
      from = stored.seq + 1;
    }
    if (page.length < pageSize) return undefined;
  }
}
