/** What in a plan can never come to pass: needs that go round or lead nowhere, phases out of order. */
import { suggest } from '../base/suggest.ts';
import type { Finding } from '../gate/finding.ts';
import { cyclesIn, graphOf } from './graph.ts';
import type { NamedTask, WorkPlan } from './work-plan.ts';

export function planError(rule: string, path: string, words: Pick<Finding, 'text' | 'fix'>): Finding {
  return { rule, severity: 'error', path, ...words };
}

/** The one that may be meant, or else what to do. */
export function meantOr(name: string, known: readonly string[], otherwise: string): string {
  const near = suggest(name, known);
  return near === undefined ? otherwise : `Did you mean ${near}?`;
}

export function checkNeeds(tasks: readonly NamedTask[]): Finding[] {
  const graph = graphOf(tasks);
  const unknown = tasks.flatMap(({ name, needs = [] }) =>
    needs
      .filter((need) => !graph.indexOf.has(need))
      .map((need) =>
        planError('needs-unknown', `tasks.${name}.needs`, {
          text: `Task ${name} needs ${need}, which is not in the plan.`,
          fix: meantOr(need, graph.names, `Add a task ${need}, or take it out of the needs of ${name}.`),
        }),
      ),
  );
  const cycles = cyclesIn(graph).map((cycle) => {
    const names = cycle.map((task) => graph.names[task] ?? '');
    const [first = ''] = names;
    return planError('needs-cycle', `tasks.${first}.needs`, {
      text:
        names.length === 1
          ? `Task ${first} needs itself.`
          : `Task ${first} waits for itself: ${[...names, first].join(' needs ')}.`,
      fix: `Take one of these needs out${names.length === 1 ? '' : `, such as ${first} of ${names.at(-1)}`}.`,
    });
  });
  return [...cycles, ...unknown];
}

export function checkPhases({ phases = [] }: WorkPlan, tasks: readonly NamedTask[]): Finding[] {
  const names = phases.map(({ name }) => name);
  const place = new Map(names.map((name, i) => [name, i]));
  const twice = names
    .filter((name, i) => names.indexOf(name) !== i)
    .map((name) =>
      planError('phase-twice', 'phases', {
        text: `Phase ${name} is named twice.`,
        fix: 'Name each phase once.',
      }),
    );
  const byName = new Map(tasks.map((task) => [task.name, task]));
  const ofTasks = tasks.flatMap(({ name, phase, needs = [] }) => {
    if (phase === undefined) return [];
    const at = place.get(phase);
    if (at === undefined)
      return [
        planError('phase-unknown', `tasks.${name}.phase`, {
          text: `Task ${name} is of phase ${phase}, which the plan does not have.`,
          fix: meantOr(phase, names, 'List it in phases, in its order.'),
        }),
      ];
    return needs
      .filter((need) => (place.get(byName.get(need)?.phase ?? '') ?? -1) > at)
      .map((need) =>
        planError('phase-order', `tasks.${name}.needs`, {
          text: `Task ${name} of phase ${phase} needs ${need}, which is of a later phase: neither would start.`,
          fix: `Move ${need} into phase ${phase}, or ${name} into the later one.`,
        }),
      );
  });
  return [...twice, ...ofTasks];
}
