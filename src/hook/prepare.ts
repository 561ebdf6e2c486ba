/** Makes a briefing for whoever starts next. */
import type { Home } from '../home/home.ts';
import { loadRuntimes } from '../compose/runtimes.ts';
import type { TaskId } from '../core/journal/id.ts';
import { loadCounter } from '../core/tokens/count.ts';
import type { Context } from '../handoff/record/context.ts';
import { prepareBriefing } from '../handoff/views/greet.ts';
import { readersOf } from '../handoff/history/story.ts';
import { keptBriefings } from './briefings.ts';

/** Fits into what a host lets a hook say. */
const briefingTokens = 1800;

export async function prepare(context: Context, home: Home, task: TaskId, target: string): Promise<void> {
  await prepareBriefing(context, task, keptBriefings(home), async () => {
    const readerOf = readersOf(await loadRuntimes(process.env));
    return { readerOf, count: await loadCounter(target), budget: briefingTokens, target };
  });
}
