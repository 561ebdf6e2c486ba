/**
 * Which tasks of a plan could start as far as their needs go, kept while tasks are done: each need is looked at once over the whole run.
 * Without it the schedule goes through all tasks at every call, which is right and, with thousands, slow.
 */
import type { Chart } from './chart.ts';

export interface Frontier {
  /** Names. */
  readonly done: ReadonlySet<string>;
  /** Numbers of tasks that are not done and whose needs are, in the order of the chart. */
  readonly ready: readonly number[];
}

export interface MovingFrontier extends Frontier {
  /** Told twice, or of a task that is not in the plan, it changes nothing. */
  readonly finish: (task: string) => void;
}

export function frontierOf({ graph, order }: Chart, over: Iterable<string> = []): MovingFrontier {
  const done = new Set<string>();
  const rank = new Int32Array(order.length);
  for (const [place, task] of order.entries()) rank[task] = place;
  const left = graph.needs.map((needs) => needs.length);
  const ready = order.filter((task) => left[task] === 0);
  /** Where a task stands among the ready, or would. */
  const placeOf = (task: number): number => {
    const wanted = rank[task] ?? 0;
    let [from, to] = [0, ready.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if ((rank[ready[middle] ?? 0] ?? 0) < wanted) from = middle + 1;
      else to = middle;
    }
    return from;
  };
  const finish = (name: string): void => {
    const task = graph.indexOf.get(name);
    if (task === undefined || done.has(name)) return;
    done.add(name);
    const place = placeOf(task);
    if (ready[place] === task) ready.splice(place, 1);
    for (const dependent of graph.dependents[task] ?? []) {
      const rest = (left[dependent] ?? 0) - 1;
      left[dependent] = rest;
      // It may be done already, where the plan was changed under it.
      if (rest === 0 && !done.has(graph.names[dependent] ?? ''))
        ready.splice(placeOf(dependent), 0, dependent);
    }
  };
  for (const name of over) finish(name);
  return { done, ready, finish };
}
