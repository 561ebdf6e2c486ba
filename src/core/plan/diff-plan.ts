/** What would have to be done so that what runs is what the plan says: shown first, and done only then. */
import { canonical } from '../journal/canonical.ts';
import { graphOf, needsFirst } from './graph.ts';
import { isContractField, type NamedTask } from './work-plan.ts';

export interface RunningTask {
  /** As it was planned when it was opened or last amended. */
  readonly planned: NamedTask;
  readonly status: 'open' | 'held' | 'done' | 'failed' | 'cancelled';
  /** Who works on it now. */
  readonly holder?: string;
}

export type PlanStep =
  | { readonly act: 'open'; readonly task: string }
  | {
      readonly act: 'amend';
      readonly task: string;
      /** What differs. */
      readonly fields: readonly string[];
      /** Its contract has to be agreed on anew; otherwise only the run is told. */
      readonly changesContract: boolean;
      readonly holder: string | null;
    }
  | { readonly act: 'cancel'; readonly task: string; readonly holder: string | null }
  /** It is over: what the plan says of it now cannot happen any more. */
  | {
      readonly act: 'too-late';
      readonly task: string;
      readonly fields: readonly string[];
      readonly status: 'done' | 'failed' | 'cancelled';
    };

/** Opened in an order in which needs come first; the rest as in the plan, and what is not in it any more at the end. */
export function diffPlan(tasks: readonly NamedTask[], running: readonly RunningTask[]): PlanStep[] {
  const known = new Map(running.map((one) => [one.planned.name, one]));
  const graph = graphOf(tasks);
  const opens = needsFirst(graph)
    .map((task) => graph.names[task] ?? '')
    .filter((name) => !known.has(name))
    .map((task): PlanStep => ({ act: 'open', task }));
  const changes = tasks.flatMap((task) => {
    const one = known.get(task.name);
    return one === undefined ? [] : changeOf(task, one);
  });
  const cancels = running
    .filter(
      ({ planned, status }) => !graph.indexOf.has(planned.name) && (status === 'open' || status === 'held'),
    )
    .map(({ planned, holder }): PlanStep => ({ act: 'cancel', task: planned.name, holder: holder ?? null }));
  return [...opens, ...changes, ...cancels];
}

function changeOf(task: NamedTask, { planned, status, holder }: RunningTask): PlanStep[] {
  const fields = differing(planned, task);
  if (status === 'open' || status === 'held')
    return fields.length === 0
      ? []
      : [
          {
            act: 'amend',
            task: task.name,
            fields,
            changesContract: fields.some(isContractField),
            holder: holder ?? null,
          },
        ];
  return fields.length === 0 && status !== 'cancelled'
    ? []
    : [{ act: 'too-late', task: task.name, fields, status }];
}

function differing(was: NamedTask, is: NamedTask): string[] {
  const [before, after] = [was, is].map((task) => new Map(Object.entries(task)));
  return [...new Set([...Object.keys(was), ...Object.keys(is)])]
    .filter((field) => asCompared(field, before?.get(field)) !== asCompared(field, after?.get(field)))
    .toSorted();
}

/** In what order somebody waits for others means nothing. */
function asCompared(field: string, value: unknown): string {
  if (value === undefined) return '';
  return canonical(field === 'needs' ? (value as readonly string[]).toSorted() : value);
}
