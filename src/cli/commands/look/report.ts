import { loadRuntimes } from '../../../compose/runtimes.ts';
import { readersOf, readStory } from '../../../handoff/history/story.ts';
import { reportPieces } from '../../../server/report.ts';
import { exits } from '../../frame/fail.ts';
import { longRun } from '../../frame/long-run.ts';
import type { Session } from '../../call/session.ts';
import type { Invocation } from '../../frame/spec.ts';

/** The task as one HTML file on stdout. */
export async function run({ positionals }: Invocation, session: Session): Promise<number> {
  const { output } = session;
  const task = await session.task(positionals[0]);
  const whole: string[] = [];
  await longRun(session, 'report', async (context) => {
    const story = await readStory(context, task, readersOf(await loadRuntimes(session.env)));
    for await (const piece of reportPieces(context, task, story))
      if (output.json) whole.push(piece);
      else await output.piece(piece);
  });
  if (output.json) output.data({ task, html: whole.join('') }, () => '');
  return exits.ok;
}
