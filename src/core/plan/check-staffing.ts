/** Whether there is somebody for each task: to work on it, to look at it afterwards, and with room to start. */
import type { Finding } from '../gate/finding.ts';
import type { Address } from '../task/address.ts';
import type { Surroundings } from './check-crew.ts';
import { meantOr, planError } from './check-needs.ts';
import type { Crew } from './crew.ts';
import { agentsAddressed, agentsFor, agentsOf, reviewersOf, type NamedAgent } from './fitting-agents.ts';
import { routeRequest } from './route.ts';
import type { NamedTask } from './work-plan.ts';

export function checkStaffing(tasks: readonly NamedTask[], crew: Crew, here: Surroundings): Finding[] {
  const agents = agentsOf(crew);
  return tasks.flatMap((task) => {
    const workers = agentsFor(agents, task);
    const absent = checkWorkers(task, agents, workers);
    if (absent.length > 0) return absent;
    return [
      ...checkRoom(task, { crew, here, workers }),
      ...checkReview(task, { crew, here, workers }),
      ...checkRoute(task, crew, here),
    ];
  });
}

interface Staff {
  readonly crew: Crew;
  readonly here: Surroundings;
  readonly workers: readonly NamedAgent[];
}

function checkWorkers(
  { name, agent, lane }: NamedTask,
  agents: readonly NamedAgent[],
  workers: readonly NamedAgent[],
): Finding[] {
  const [worker] = workers;
  const names = agents.map((one) => one.name);
  if (agent !== undefined && worker === undefined)
    return [
      planError('agent-unknown', `tasks.${name}.agent`, {
        text: `Task ${name} is for ${agent}, who is not in the crew.`,
        fix: meantOr(agent, names, `Add an agent ${agent}, or name one of: ${names.join(', ')}.`),
      }),
    ];
  if (worker === undefined)
    return [
      planError('lane-empty', `tasks.${name}.lane`, {
        text: `Task ${name} is for the lane ${lane}, in which nobody works.`,
        fix: `Add an agent with lane: ${lane}, or name an agent for it.`,
      }),
    ];
  if (worker.lane === lane || agent === undefined) return [];
  return [
    planError('agent-lane', `tasks.${name}.lane`, {
      text: `Task ${name} is for the lane ${lane} and for ${agent}, who works in ${worker.lane}.`,
      fix: `Take the lane out, or name an agent of the lane ${lane}.`,
    }),
  ];
}

function checkRoom({ name }: NamedTask, { crew, here, workers }: Staff): Finding[] {
  const reasons = workers.map((worker) => noRoom(crew, here, worker));
  const [first] = reasons;
  if (first === undefined || reasons.includes(undefined)) return [];
  return [
    planError('never-starts', `tasks.${name}`, {
      text: `Task ${name} can never start: ${first.why}.`,
      fix: first.fix,
    }),
  ];
}

/** Why no leg of an agent can ever start. */
function noRoom(
  { limits = {} }: Crew,
  { installed }: Surroundings,
  { name, lane, count, runtime }: NamedAgent,
): { readonly why: string; readonly fix: string } | undefined {
  if (count === 0) return { why: `agent ${name} has count: 0`, fix: `Give ${name} a count of at least 1.` };
  if (limits.perLane?.[lane] === 0)
    return { why: `the lane ${lane} is limited to 0`, fix: `Give limits.perLane.${lane} at least 1.` };
  const here = runtime?.filter((one) => installed?.includes(one) ?? true);
  // That none of them is installed is told of the agent.
  if (here === undefined || here.length === 0 || here.some((one) => limits.perRuntime?.[one] !== 0))
    return undefined;
  return {
    why: `${here.join(' and ')}, in which ${name} works, ${here.length === 1 ? 'is' : 'are'} limited to 0`,
    fix: `Give limits.perRuntime.${here[0]} at least 1.`,
  };
}

function checkReview({ name, review }: NamedTask, { crew, here, workers }: Staff): Finding[] {
  const to = review?.owner;
  if (to === undefined || review?.human === true) return [];
  const path = `tasks.${name}.review`;
  const addressed = agentsAddressed(agentsOf(crew), to);
  if (addressed.length === 0)
    return [
      planError('review-unreachable', path, {
        text: `Task ${name} is to be reviewed by ${to}, and nobody in the crew is.`,
        fix: addFix(to),
      }),
    ];
  for (const author of workers) {
    const alone = checkReviewOf(author, { task: name, crew, to });
    if (alone !== undefined) return [{ ...alone, path }];
  }
  const closed = addressed.map((one) => noRoom(crew, here, one));
  const [first] = closed;
  if (first === undefined || closed.includes(undefined)) return [];
  return [
    planError('never-starts', path, {
      text: `Task ${name} can never be reviewed: ${first.why}.`,
      fix: first.fix,
    }),
  ];
}

function checkReviewOf(
  author: NamedAgent,
  { task, crew, to }: { readonly task: string; readonly crew: Crew; readonly to: Address },
): Finding | undefined {
  const given = { author: author.name, to };
  const others = agentsAddressed(agentsOf(crew), to).filter((one) => one.name !== author.name);
  if (others.length === 0)
    return planError('review-unreachable', '', {
      text: `Task ${task} is to be reviewed by ${to}, and nobody else is than its author ${author.name}.`,
      fix: addFix(to),
    });
  if (reviewersOf(crew, given).length === 0)
    return planError('review-unreachable', '', {
      text: `Task ${task} is to be reviewed by ${to}, and no edge leads there from ${author.name}.`,
      fix: `Add an edge ${author.name} -> ${others[0]?.name}.`,
    });
  const [main, ...later] = author.runtime ?? [];
  const barred = [main, ...later].find(
    (runtime) => runtime !== undefined && reviewersOf(crew, { ...given, runtime }).length === 0,
  );
  if (barred === undefined) return undefined;
  return {
    ...planError('review-unreachable', '', {
      text: `Task ${task} is to be reviewed by ${to} in another program than its author’s, and all of them work in ${barred} as ${author.name} does${barred === main ? '' : ' when the programs before it are exhausted'}.`,
      fix: `Give one of them another runtime than ${barred}.`,
    }),
    severity: barred === main ? 'error' : 'warning',
  };
}

function addFix(to: Address): string {
  const [kind, name] = to.split(':');
  if (kind === 'lane') return `Add another agent with lane: ${name}, or let a person review it.`;
  return 'Name a reviewer who is in the crew, a lane, or a person.';
}

function checkRoute(
  { name, agent, lane, kind, paths }: NamedTask,
  crew: Crew,
  here: Surroundings,
): Finding[] {
  if (
    crew.strategy !== 'router' ||
    agent !== undefined ||
    crew.router !== undefined ||
    (crew.routes ?? []).length === 0
  )
    return [];
  const labels = kind === undefined ? [] : [kind];
  const routed = routeRequest({ lane, labels, paths }, crew.routes ?? [], here.installed ?? null);
  if ('agent' in routed) return [];
  return [
    planError('route-missing', `tasks.${name}`, {
      text: `Task ${name} is for no agent: ${routed.why}`,
      fix: 'Name an agent for it, or end the routes with a rule that has no condition.',
    }),
  ];
}
