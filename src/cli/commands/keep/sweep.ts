import { isFinal } from '../../../core/task/state.ts';
import { openCrewGround } from '../../../compose/workspace.ts';
import { runState } from '../../../crew/open-run.ts';
import { worktreeRoot } from '../../../home/locate.ts';
import { line } from '../../frame/output.ts';
import { forgetWords } from '../../../home/word-index.ts';
import { sweep } from '../../../handoff/verbs/sweep.ts';
import { formatBytes } from '../../frame/bytes.ts';
import { parseDuration } from '../../frame/duration.ts';
import { exits } from '../../frame/fail.ts';
import { longRun } from '../../frame/long-run.ts';
import type { Session } from '../../call/session.ts';
import type { Invocation } from '../../frame/spec.ts';
import { UsageError } from '../../frame/usage.ts';
import { refuseBoth, text } from '../../frame/values.ts';
import { counted } from '../../pages/words.ts';

export async function run({ values }: Invocation, session: Session): Promise<number> {
  const trees = text(values, 'trees');
  if (trees !== undefined) {
    refuseBoth(values, 'trees', 'older-than');
    return await sweepTrees(trees, session);
  }
  const older = text(values, 'older-than');
  if (older === undefined)
    throw new UsageError(
      'sweep needs --older-than: how long finished tasks are kept, e.g. 90d.',
      'Try it first with --dry-run.',
    );
  const olderThanMs = parseDuration(older, 'older-than');
  const grace = text(values, 'grace');
  const graceMs = grace === undefined ? {} : { graceMs: parseDuration(grace, 'grace') };
  const { dryRun } = session;
  const swept = await longRun(session, 'sweep', async (context) => {
    const gone = await sweep(context, { olderThanMs, ...graceMs, dryRun });
    if (!dryRun) await forgetWords(context.store, gone.tasks);
    return gone;
  });
  session.output.data(
    { ...swept, ...(dryRun ? { dryRun: true } : {}) },
    () =>
      `${dryRun ? 'Would remove' : 'Removed'} ${counted(swept.tasks.length, 'task')} and ${counted(swept.blobs, 'blob')}, ${formatBytes(swept.bytes)}.`,
  );
  return exits.ok;
}

/** Of a run that goes on only those of who only looked: the others are worked in. */
async function sweepTrees(run: string, session: Session): Promise<number> {
  const context = await session.context();
  const { dryRun, output } = session;
  const state = await runState(context, run);
  const isOver = state === undefined || isFinal(state);
  const { trees } = await openCrewGround(worktreeRoot(process.cwd()), context.store, session.env);
  const left = (await trees.list(run)).filter(({ task }) => isOver || task.startsWith('_'));
  const swept: { path: string; removed: boolean; lost: readonly string[] }[] = [];
  for (const tree of left) {
    const gone = await trees.discard(tree, { dryRun });
    swept.push({ path: tree.path, removed: gone.removed, lost: gone.removed ? gone.lost : gone.details });
  }
  output.data({ run, trees: swept, ...(dryRun ? { dryRun } : {}) }, () =>
    swept.map((one) => `${one.path}: ${treeWords(one, dryRun)}`).join('\n'),
  );
  if (swept.length === 0) output.say(`No tree of ${run} is left here.`);
  return exits.ok;
}

function treeWords(
  { removed, lost }: { readonly removed: boolean; readonly lost: readonly string[] },
  dryRun: boolean,
): string {
  if (!removed) return 'stays, because something still works there';
  const what = lost.length === 0 ? 'nothing that is not elsewhere' : lost.map((one) => line(one)).join(', ');
  return `${dryRun ? 'would be removed, and with it' : 'removed, and with it'} ${what}`;
}
