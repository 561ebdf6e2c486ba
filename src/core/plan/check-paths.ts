/** Tasks that may run at the same time and change the same files. The schedule keeps them apart; the writer of the plan may not have meant them to wait. */
import { counted } from '../base/counted.ts';
import type { Finding } from '../gate/finding.ts';
import { comesAfter, graphOf } from './graph.ts';
import { pathClaims, pathIndex } from './path-index.ts';
import type { NamedTask } from './work-plan.ts';

/** As many as are counted: more would say no more. */
const othersMax = 20;

/** Each task once, with the first before it in the plan that it meets. */
export function checkPaths(tasks: readonly NamedTask[]): Finding[] {
  const graph = graphOf(tasks);
  const index = pathIndex();
  const findings: Finding[] = [];
  let isAfter: ReturnType<typeof comesAfter> | undefined;
  for (const [at, { name, paths, phase, lane }] of tasks.entries()) {
    const claims = lane === 'audit' ? [] : pathClaims(paths);
    const others = new Map<number, string>();
    for (const { owner, asked, met } of index.meeting(claims)) {
      if (others.has(owner) || !mayBeApart(phase, tasks[owner]?.phase)) continue;
      isAfter ??= comesAfter(graph);
      if (isAfter(at, owner) || isAfter(owner, at)) continue;
      others.set(owner, asked === met ? asked : `${asked} and ${met}`);
      if (others.size > othersMax) break;
    }
    index.add(at, claims);
    const [first] = [...others].toSorted(([a], [b]) => a - b);
    if (first === undefined) continue;
    const other = tasks[first[0]]?.name ?? '';
    const more = others.size - 1;
    const rest =
      more === 0 ? '' : ` (and ${more === othersMax ? 'many others' : counted(more, 'other task')})`;
    findings.push({
      rule: 'paths-overlap',
      severity: 'warning',
      path: `tasks.${name}.paths`,
      text: `Tasks ${other} and ${name} change the same files${rest}: ${first[1]}. They will not run at the same time.`,
      fix: `Let one need the other, or give each paths of its own.`,
    });
  }
  return findings;
}

/** Tasks of two phases never run at the same time; one without a phase may run beside any. */
function mayBeApart(one: string | undefined, other: string | undefined): boolean {
  return one === undefined || other === undefined || one === other;
}
