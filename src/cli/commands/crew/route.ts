import { plannedTasks, type NamedTask } from '../../../core/plan/work-plan.ts';
import type { Routed } from '../../../core/plan/route.ts';
import type { RunDocument } from '../../../core/plan/run-document.ts';
import { runState } from '../../../crew/open-run.ts';
import { plannedId } from '../../../crew/run-names.ts';
import { readRun } from '../../../crew/run-record.ts';
import { routeByRules } from '../../../crew/steering/front-door.ts';
import type { Session } from '../../call/session.ts';
import { exits } from '../../frame/fail.ts';
import { line } from '../../frame/output.ts';
import type { Invocation } from '../../frame/spec.ts';
import { text } from '../../frame/values.ts';
import { findSoundPlan } from '../../plan/looked-at.ts';

interface RoutedTask extends Routed {
  readonly task: string;
  readonly by: 'plan' | 'record' | 'rule' | 'router' | 'lane' | 'nobody';
}

/** Explains, and changes nothing: a router is asked when its task could start, by the supervisor, which writes the answer down. */
export async function run({ positionals, values }: Invocation, session: Session): Promise<number> {
  const file = positionals[0] ?? '';
  const found = await findSoundPlan(file, text(values, 'crew'), session);
  if (found === undefined) return exits.findings;
  const { plan, crew, here } = found;
  const name = text(values, 'name');
  const record = name === undefined ? new Map<string, Routed>() : await recordOf(session, name);
  const routed = plannedTasks(plan, crew).map((task): RoutedTask => {
    const known = name === undefined ? undefined : record.get(plannedId(name, task.name));
    if (known !== undefined) return { task: task.name, by: 'record', ...known };
    return routeOf({ crew }, task, here.installed);
  });
  session.output.data({ file, routed }, () => routed.map(routedWords).join('\n'));
  return routed.some(({ by }) => by === 'nobody') ? exits.findings : exits.ok;
}

async function recordOf(session: Session, name: string): Promise<ReadonlyMap<string, Routed>> {
  const context = await session.context();
  const known = await runState(context, name);
  return known === undefined ? new Map() : (await readRun(context, known.task)).routed;
}

function routeOf(
  { crew }: Pick<RunDocument, 'crew'>,
  task: NamedTask,
  installed: readonly string[],
): RoutedTask {
  const of = { task: task.name };
  if (task.agent !== undefined) return { ...of, by: 'plan', agent: task.agent, why: 'The plan names it.' };
  if (crew.strategy !== 'router')
    return {
      ...of,
      by: 'lane',
      agent: null,
      why: `Any agent of the lane ${task.lane}: the strategy is ${crew.strategy ?? 'parallel'}.`,
    };
  const ruled = routeByRules({ crew }, task, installed);
  if (ruled.agent !== null) return { ...of, by: 'rule', ...ruled };
  if (crew.router === undefined) return { ...of, by: 'nobody', ...ruled };
  const router = crew.router.agent ?? crew.router.command?.join(' ') ?? 'a function';
  return {
    ...of,
    by: 'router',
    agent: null,
    why: `${ruled.why} ${router} is asked once, when it could start.`,
  };
}

function routedWords({ task, agent, by, why }: RoutedTask): string {
  const to = agent ?? { router: 'whom the router names', lane: 'its lane' }[by as string] ?? 'nobody';
  return line(`${task} → ${to}${by === 'record' ? ' (on record)' : ''}: ${why}`);
}
