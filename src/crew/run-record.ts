/** What the journal of a run says to its supervisor: what is to be done, as told over time, and which accounts were exhausted. */
import type { Digest } from '../core/journal/digest.ts';
import type { TaskId } from '../core/journal/id.ts';
import { openEntry } from '../core/journal/sealed.ts';
import type { Routed } from '../core/plan/route.ts';
import { parseRunDocument, type RunDocument } from '../core/plan/run-document.ts';
import type { TaskState } from '../core/task/state.ts';
import { readBlobs } from '../handoff/history/history.ts';
import type { Context } from '../handoff/record/context.ts';
import { pageSize } from '../handoff/record/load.ts';
import { crewActor, runId, runInKey } from './run-names.ts';

export interface RunRecord {
  /** The latest last. */
  readonly documents: readonly RunDocument[];
  readonly digest: Digest | undefined;
  /** Until when, by account. */
  readonly exhausted: ReadonlyMap<string, number>;
  /** Who was given which task at the front door. */
  readonly routed: ReadonlyMap<TaskId, Routed>;
  /** The question whether to go on beyond a cap; null where nobody is asked. */
  readonly capped: { readonly decision: number; readonly why: string } | null;
  /** Trees that were not taken away when nobody needed them any more: where each is, and what is left there. */
  readonly kept: readonly string[];
  /** How long supervisors that are gone were at it. */
  readonly ms: number;
}

export async function readRun(context: Context, run: TaskId): Promise<RunRecord> {
  const plans: Digest[] = [];
  const exhausted = new Map<string, number>();
  const routed = new Map<TaskId, Routed>();
  let capped: RunRecord['capped'] = null;
  const kept = new Set<string>();
  let ms = 0;
  let since: number | null = null;
  for (let from = 0; ;) {
    const page = await context.store.journal.read(run, from, pageSize);
    for (const stored of page) {
      const { events, at } = openEntry(stored);
      const raised = events.find((event) => event.type === 'decision-raised');
      for (const event of events) {
        if (event.type === 'leg-started') since = at;
        if (event.type === 'leg-ended' || event.type === 'leg-lapsed') {
          ms += since === null ? 0 : Math.max(0, at - since);
          since = null;
        }
        if (event.type === 'decision-answered' && event.decision === capped?.decision) capped = null;
        if (event.type === 'run-steered' && event.plan !== undefined) plans.push(event.plan);
        if (event.type === 'run-step' && event.what === 'exhausted' && event.until !== undefined)
          exhausted.set(event.runtime ?? event.agent ?? '', event.until);
        if (event.type === 'run-step' && event.what === 'kept') kept.add(event.why);
        if (event.type === 'run-step' && event.what === 'capped' && raised !== undefined)
          capped = { decision: raised.decision, why: event.why };
        if (event.type === 'run-step' && event.what === 'routed' && event.task !== undefined)
          routed.set(event.task, { agent: event.agent ?? null, why: event.why });
      }
      from = stored.seq + 1;
    }
    if (page.length < pageSize) break;
  }
  const documents = (await readBlobs(context, plans)).map((bytes) => parseRunDocument(bytes));
  return { documents, digest: plans.at(-1), exhausted, routed, capped, kept: [...kept], ms };
}

/** The run that a task was opened for, or that it is; null for any other, and where the run is not in this store. */
export async function runOfTask(
  { store }: Context,
  { task, openedBy }: Pick<TaskState, 'task' | 'openedBy'>,
): Promise<TaskId | null> {
  if (openedBy !== crewActor.name) return null;
  const [first] = await store.journal.read(task, 0, 1);
  const name = first === undefined ? undefined : runInKey(openEntry(first).key ?? '');
  const run = name === undefined ? undefined : runId(name);
  return run === undefined || (await store.journal.head(run)) === undefined ? null : run;
}
