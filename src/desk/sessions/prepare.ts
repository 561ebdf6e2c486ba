/** Makes the briefing that the next session is greeted with. */
import { loadRuntimes } from '../../compose/runtimes.ts';
import type { TaskId } from '../../core/journal/id.ts';
import { loadCounter } from '../../core/tokens/count.ts';
import type { Context } from '../../handoff/record/context.ts';
import { prepareBriefing } from '../../handoff/views/greet.ts';
import { readersOf } from '../../handoff/history/story.ts';
import type { KeptAt } from './seal.ts';
import { keptBriefings } from '../../home/briefings.ts';

/** Fits into what a host lets a hook say. */
const briefingTokens = 1800;

export async function prepareGreeting(
  context: Context,
  { home, env }: KeptAt,
  { task, target }: { readonly task: TaskId; readonly target: string },
): Promise<void> {
  await prepareBriefing(context, task, keptBriefings(home), async () => {
    const readerOf = readersOf(await loadRuntimes(env));
    return { readerOf, count: await loadCounter(target), budget: briefingTokens, target };
  });
}
