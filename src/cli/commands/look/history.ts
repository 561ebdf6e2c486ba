import { load } from '../../../handoff/record/load.ts';
import { chaptersOf, exportHistory, type HistoryFormat } from '../../../handoff/history/export-history.ts';
import { readersOf, readStory } from '../../../handoff/history/story.ts';
import type { Story } from '../../../core/transcript/story.ts';
import { loadRuntimes } from '../../../compose/runtimes.ts';
import { exits } from '../../frame/fail.ts';
import { jsonText } from '../../frame/json-text.ts';
import { longRun } from '../../frame/long-run.ts';
import { line } from '../../frame/output.ts';
import type { Session } from '../../call/session.ts';
import type { Invocation } from '../../frame/spec.ts';
import { UsageError } from '../../frame/usage.ts';
import { text } from '../../frame/values.ts';

/** The reasoning of a task as one document on stdout; what it does not hold is said on stderr. */
export async function run({ positionals, values }: Invocation, session: Session): Promise<number> {
  const { output } = session;
  const asked = text(values, 'format') as HistoryFormat | undefined;
  if (output.json && asked === 'md')
    throw new UsageError(
      '--json and --format md exclude each other.',
      'Give --format json, or leave --json out.',
    );
  const format = asked ?? (output.json ? 'json' : 'md');
  const task = await session.task(positionals[0], { looks: true });
  const readers = readersOf(await loadRuntimes(session.env));
  const { story, state } = await longRun(session, 'history', async (context) => {
    const { state } = await load(context, task);
    if (format !== 'md') return { story: await readStory(context, task, readers), state };
    let last: Story | undefined;
    for await (const { story, ...of } of chaptersOf(context, task, readers)) {
      for (const piece of exportHistory(story, 'md', of).pieces) await output.piece(piece);
      last = story;
    }
    return { story: last, state };
  });
  // The page has them at its end.
  if (format !== 'md' && story !== undefined) {
    const { title, needs } = state.terms;
    const { pieces, omissions } = exportHistory(story, format, { task, title, write: jsonText });
    for (const piece of pieces) await output.piece(piece);
    for (const { kind, count, why } of omissions)
      output.say(`Not in it: ${line(kind)} × ${count}: ${line(why)}.`);
    for (const need of needs) output.say(`Not in it: what it needed. staffetta history ${need}`);
  }
  if (story?.steps.length === 0)
    output.say(`No packet of ${task} holds steps. All that it has: staffetta show ${task} --history`);
  return exits.ok;
}
