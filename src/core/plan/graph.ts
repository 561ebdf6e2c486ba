/** Who waits for whom, by numbers: tasks in the order of the plan. Every walk goes along each need once, and none recurses: a plan may be one long chain. */

export interface PlanGraph {
  readonly names: readonly string[];
  readonly indexOf: ReadonlyMap<string, number>;
  /** Those that exist, each once. */
  readonly needs: readonly (readonly number[])[];
  readonly dependents: readonly (readonly number[])[];
}

export interface GraphTask {
  readonly name: string;
  readonly needs?: readonly string[] | undefined;
}

export function graphOf(tasks: readonly GraphTask[]): PlanGraph {
  const names = tasks.map(({ name }) => name);
  const indexOf = new Map(names.map((name, i) => [name, i]));
  const needs = tasks.map((task) => [
    ...new Set((task.needs ?? []).flatMap((name) => indexOf.get(name) ?? [])),
  ]);
  const dependents: number[][] = names.map(() => []);
  for (const [task, all] of needs.entries()) for (const need of all) dependents[need]?.push(task);
  return { names, indexOf, needs, dependents };
}

/** Each task after all that it needs, otherwise as in the plan. Tasks on a cycle, and those that wait for them, are left out. */
export function needsFirst({ needs, dependents }: PlanGraph): number[] {
  const left = needs.map((all) => all.length);
  const order = left.flatMap((count, task) => (count === 0 ? [task] : []));
  for (let at = 0; at < order.length; at += 1) {
    for (const task of dependents[order[at] ?? -1] ?? []) {
      const rest = (left[task] ?? 0) - 1;
      left[task] = rest;
      if (rest === 0) order.push(task);
    }
  }
  return order;
}

/** One cycle for each knot of tasks that wait for each other, from its first task in the plan on: `[a, b]` means that a needs b and b needs a. */
export function cyclesIn(graph: PlanGraph): number[][] {
  const free = new Set(needsFirst(graph));
  const knot = knotsIn(graph);
  const cycles: number[][] = [];
  const told = new Set<number | undefined>();
  for (const start of graph.names.keys()) {
    if (free.has(start) || told.has(knot[start])) continue;
    const within = (task: number): number | undefined =>
      graph.needs[task]?.find((need) => knot[need] === knot[start]);
    const way: number[] = [];
    const seen = new Map<number, number>();
    let at: number | undefined = start;
    while (at !== undefined && !seen.has(at)) {
      seen.set(at, way.push(at) - 1);
      at = within(at);
    }
    // Some only wait for a cycle: they are a knot of their own, without a way back.
    if (at === undefined) continue;
    told.add(knot[start]);
    cycles.push(fromFirst(way.slice(seen.get(at))));
  }
  return cycles;
}

/** For each task the number of its knot, by Tarjan's algorithm: tasks of one knot all need each other, over others. */
function knotsIn({ needs }: PlanGraph): readonly number[] {
  const found: number[] = needs.map(() => -1);
  const low: number[] = needs.map(() => 0);
  const knot: number[] = needs.map(() => -1);
  const path: number[] = [];
  let count = 0;
  for (const root of needs.keys()) {
    if (found[root] !== -1) continue;
    const open: { readonly task: number; next: number }[] = [{ task: root, next: 0 }];
    for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
      const { task } = top;
      if (top.next === 0) {
        found[task] = low[task] = count += 1;
        path.push(task);
      }
      const need = needs[task]?.[top.next];
      top.next += 1;
      if (need !== undefined) {
        if (found[need] === -1) open.push({ task: need, next: 0 });
        else if (knot[need] === -1) low[task] = Math.min(low[task] ?? 0, found[need] ?? 0);
        continue;
      }
      open.pop();
      const parent = open.at(-1)?.task;
      if (parent !== undefined) low[parent] = Math.min(low[parent] ?? 0, low[task] ?? 0);
      if (low[task] !== found[task]) continue;
      for (const one of path.splice(path.lastIndexOf(task))) knot[one] = task;
    }
  }
  return knot;
}

function fromFirst(cycle: readonly number[]): number[] {
  const first = cycle.indexOf(Math.min(...cycle));
  return [...cycle.slice(first), ...cycle.slice(0, first)];
}

/** For each task the longest way from its start to an end of the plan. */
export function remainingPaths(graph: PlanGraph, estimates: readonly number[]): Float64Array {
  const remaining = Float64Array.from(estimates);
  for (const task of needsFirst(graph).toReversed()) {
    let longest = 0;
    for (const dependent of graph.dependents[task] ?? [])
      longest = Math.max(longest, remaining[dependent] ?? 0);
    remaining[task] = (estimates[task] ?? 1) + longest;
  }
  return remaining;
}

/** Whether one task comes after another, whatever happens: it needs it, or something that does. A bit for each pair. */
export function comesAfter(graph: PlanGraph): (task: number, other: number) => boolean {
  const words = Math.ceil(graph.names.length / 32);
  const before = new Uint32Array(words * graph.names.length);
  for (const task of needsFirst(graph)) {
    const row = task * words;
    for (const need of graph.needs[task] ?? []) {
      for (let i = 0; i < words; i += 1)
        before[row + i] = (before[row + i] ?? 0) | (before[need * words + i] ?? 0);
      before[row + (need >> 5)] = (before[row + (need >> 5)] ?? 0) | (1 << (need & 31));
    }
  }
  return (task, other) => ((before[task * words + (other >> 5)] ?? 0) & (1 << (other & 31))) !== 0;
}
