/** A permission that has to be asked for becomes a question on the task, where people see what waits for them; the agent waits for the answer. */
import type { TaskId } from '../../core/journal/id.ts';
import { openEntry } from '../../core/journal/sealed.ts';
import type { Context } from '../../handoff/record/context.ts';
import { pageSize } from '../../handoff/record/load.ts';
import type { Post } from '../site.ts';

const lookMs = 500;
const [yes, no] = ['allow', 'deny'] as const;

export async function askOnTask(post: Post, what: string): Promise<'allow' | 'deny'> {
  // A reviewer looks, and needs to be allowed nothing.
  if (post.for === 'review') return no;
  const { leg, context } = post;
  const question = await leg.ask(`${post.agent.name} asks whether it may: ${what}`, { options: [yes, no] });
  for (;;) {
    const state = await leg.state();
    if (state.leg?.generation !== leg.generation) return no;
    if (!state.raised.some(({ decision }) => decision === question))
      return (await answerTo(context, leg.task, question)) === yes ? yes : no;
    await context.clock.sleep(lookMs);
  }
}

/** Word for word: what is not the one word is a no. */
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
