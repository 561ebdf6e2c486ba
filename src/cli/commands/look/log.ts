import type { TaskId } from '../../../core/journal/id.ts';
import type { Context } from '../../../handoff/record/context.ts';
import type { Digest } from '../../../core/journal/digest.ts';
import type { Entry } from '../../../core/journal/entry.ts';
import { load, soundPages } from '../../../handoff/record/load.ts';
import { sessionTimes, workedIn, workedMs, type Worked } from '../../../core/transcript/session-times.ts';
import { timeline, type TimelineLeg } from '../../../handoff/history/timeline.ts';
import { describeEntry } from '../../pages/describe.ts';
import { formatDuration } from '../../frame/duration.ts';
import { exits } from '../../frame/fail.ts';
import { jsonText } from '../../frame/json-text.ts';
import { longRun } from '../../frame/long-run.ts';
import type { Session } from '../../call/session.ts';
import type { Invocation } from '../../frame/spec.ts';
import { table } from '../../frame/table.ts';
import { cap, count, refuseStray } from '../../frame/values.ts';

export async function run({ positionals, values }: Invocation, session: Session): Promise<number> {
  if (values['legs'] === true) refuseStray(values, ['from', 'limit'], 'the journal, not with --legs');
  const from = count(values, 'from') ?? 0;
  const limit = cap(values, 'limit', Number.MAX_SAFE_INTEGER) ?? Number.MAX_SAFE_INTEGER;
  const task = await session.task(positionals[0], { looks: true });
  const { output } = session;
  await longRun(session, 'log', async (context) => {
    if (values['legs'] === true) {
      const legs = await workedLegs(context, task, session);
      output.data({ task, legs }, () => legTable(legs, session, context.clock.now()));
      if (legs.length === 0) output.say(`Nobody has held ${task} yet.`);
      return;
    }
    const { state } = await load(context, task);
    const to = Math.min(state.seq, from + limit - 1);
    // From the first entry on: only the whole chain shows that nothing was altered or left out.
    for await (const page of soundPages(context, state))
      for (const { entry, digest } of page)
        if (entry.seq >= from && entry.seq <= to) await output.piece(shown(entry, digest, output));
  });
  return exits.ok;
}

function shown(entry: Entry, digest: Digest, { json, paint }: Session['output']): string {
  if (json) return `${jsonText({ ...entry, digest })}\n`;
  const at = paint.dim(new Date(entry.at).toISOString());
  return describeEntry(entry)
    .map((said) => `${String(entry.seq).padStart(4)}  ${at}  ${said}\n`)
    .join('');
}

type WorkedLeg = TimelineLeg & { readonly worked: Worked | null };

/** A leg that only sealed a session took as long as that. */
async function workedLegs(context: Context, task: TaskId, { env }: Session): Promise<WorkedLeg[]> {
  const legs = await timeline(context, task);
  if (legs.every(({ packets }) => packets === 0)) return legs.map((leg) => ({ ...leg, worked: null }));
  const [{ loadRuntimes }, { readersOf, readStory }, { storyLegs }] = await Promise.all([
    import('../../../compose/runtimes.ts'),
    import('../../../handoff/history/story.ts'),
    import('../../../handoff/history/story-legs.ts'),
  ]);
  const story = await readStory(context, task, readersOf(await loadRuntimes(env)));
  const times = sessionTimes({ ...story, legs: await storyLegs(context, task) });
  return legs.map((leg) => ({ ...leg, worked: workedIn(leg, times) }));
}

/** The relay at a glance: who carried it, in which lane, how long, and why it changed hands. */
function legTable(legs: readonly WorkedLeg[], { output }: Session, now: number): string {
  if (legs.length === 0) return '';
  const { paint, width } = output;
  const rows = legs.map((leg) => [
    String(leg.generation),
    leg.agent,
    leg.lane,
    new Date(leg.from).toISOString().slice(0, 19).replace('T', ' '),
    formatDuration(workedMs(leg, now)),
    `${leg.ended ?? 'still holding'}${leg.why === null ? '' : `: ${leg.why}`}`,
  ]);
  return table([['LEG', 'AGENT', 'LANE', 'FROM (UTC)', 'FOR', 'ENDED'], ...rows], {
    width,
    paint: (cell, row) => (row === 0 ? paint.dim(cell) : cell),
  });
}
