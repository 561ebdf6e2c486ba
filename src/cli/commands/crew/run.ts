import { basename } from 'node:path';
import { counted } from '../../../core/base/counted.ts';
import { StaffettaError } from '../../../core/base/error.ts';
import { diffPlan, type PlanStep } from '../../../core/plan/diff-plan.ts';
import type { RunDocument } from '../../../core/plan/run-document.ts';
import { plannedTasks } from '../../../core/plan/work-plan.ts';
import { isFinal } from '../../../core/task/state.ts';
import { loadRuntimes } from '../../../compose/runtimes.ts';
import { runnersHere, type RunnersHere } from '../../../compose/runners.ts';
import { openCrewGround } from '../../../compose/workspace.ts';
import { openRun, runState, tasksOfRun } from '../../../crew/open-run.ts';
import { askOnTask } from '../../../crew/steering/permission.ts';
import { runId } from '../../../crew/run-names.ts';
import { readRun } from '../../../crew/run-record.ts';
import { supervise } from '../../../crew/supervise.ts';
import type { EndOfRun } from '../../../crew/take-run.ts';
import { contextOf } from '../../../desk/context.ts';
import { crewSite } from '../../../desk/crew/site.ts';
import { commandsFolder, writeCommand } from '../../../desk/launch/launch-files.ts';
import type { Context } from '../../../handoff/record/context.ts';
import { worktreeRoot } from '../../../home/locate.ts';
import { ownPaths } from '../../call/setup-place.ts';
import type { Session } from '../../call/session.ts';
import { exits } from '../../frame/fail.ts';
import { interruptible } from '../../frame/interrupt.ts';
import type { Invocation, Values } from '../../frame/spec.ts';
import { UsageError } from '../../frame/usage.ts';
import { text } from '../../frame/values.ts';
import { planChangeText, RunLog, runEndText } from '../../pages/run-page.ts';
import { RunTable } from '../../plan/run-table.ts';
import { findSoundPlan } from '../../plan/looked-at.ts';

export async function run({ positionals, values }: Invocation, session: Session): Promise<number> {
  const [given = ''] = positionals;
  if (given === '' && values['name'] === undefined)
    throw new UsageError(
      'Which plan?',
      'Name a file: staffetta run plan.yaml. Or go on with a run: --name NAME',
    );
  const found = given === '' ? null : await findSoundPlan(given, text(values, 'crew'), session);
  if (found === undefined) return exits.findings;
  if (found === null && !session.storeExists) throw noRun(text(values, 'name') ?? '');
  // Not before there is something to run: a store that nobody asked for would be left behind.
  const context = await session.context({ create: found !== null });
  const folder = worktreeRoot(process.cwd());
  const asked = { values, session, context, folder };
  const begun = found === null ? await documentOf(asked) : await documentFrom(given, found, asked);
  if (begun === undefined) return exits.ok;
  const { document, here } = begun;
  const tasks = Object.keys(document.plan.tasks).length;
  if (values['dry-run'] === true) {
    session.output.data(
      { run: document.name, base: document.base ?? null, tasks },
      () =>
        `The run ${document.name} would carry ${counted(tasks, 'task')} from ${document.base ?? 'nowhere'}.`,
    );
    return exits.ok;
  }
  const commands = commandsFolder(session.home);
  writeCommand(commands, ownPaths());
  const live = session.output.watched ? new RunTable(context, session.output) : undefined;
  const log = new RunLog(live?.above ?? session.output, document);
  const site = await crewSite({
    // What the run itself writes is about no folder.
    context: contextOf(context.store, { env: session.env }),
    folder: document.base === undefined ? null : folder,
    home: session.home,
    env: session.env,
    crew: () => document.crew,
    runners: here,
    runtimes: await loadRuntimes(session.env),
    commands,
    ask: askOnTask,
  });
  const { result } = await interruptible(
    async (signal) =>
      await supervise(site, document.name, {
        signal,
        onChange: (sight) => {
          live?.see(sight);
          log.see(sight);
        },
        onQuiet: (sight, ms) => log.quiet(sight, ms),
        onHeld: () => log.held(document),
        ...(values['until-idle'] === true ? { untilIdle: true } : {}),
      }).finally(() => live?.close()),
  );
  const { kept } = await readRun(context, runId(document.name));
  session.output.data(
    { run: document.name, end: result.how, tasks: Object.fromEntries(result.statuses), kept },
    () => runEndText(document, result, kept),
  );
  return exitOf(result);
}

function exitOf({ how }: EndOfRun): number {
  return how === 'done' || how === 'stopped' ? exits.ok : exits.findings;
}

interface Asked {
  readonly values: Values;
  readonly session: Session;
  readonly context: Context;
  readonly folder: string;
}

interface Begun {
  readonly document: RunDocument;
  readonly here: RunnersHere;
}

function noRun(name: string): StaffettaError {
  return new StaffettaError('unknown-task', `There is no run ${name} in this store.`, {
    hint: 'Runs are the tasks in the supervise lane: staffetta ls --lane supervise --all. A new one: staffetta run plan.yaml',
  });
}

/** Of a run that is there, by its name. */
async function documentOf({ values, session, context }: Asked): Promise<Begun> {
  const name = text(values, 'name') ?? '';
  const known = await runState(context, name);
  if (known === undefined) throw noRun(name);
  const { documents } = await readRun(context, known.task);
  const document = documents.at(-1);
  if (document === undefined)
    throw new StaffettaError('wrong-state', `The run ${name} has no plan.`, {
      hint: 'Name a file as well.',
    });
  return { document, here: await runnersHere(session.env) };
}

type SoundPlan = NonNullable<Awaited<ReturnType<typeof findSoundPlan>>>;

/** From a file, opened or changed as it says. Undefined: nobody agreed to the change. */
async function documentFrom(
  file: string,
  { plan, crew, here }: SoundPlan,
  asked: Asked,
): Promise<Begun | undefined> {
  const { values, session, context } = asked;
  const name = text(values, 'name') ?? nameFrom(file);
  const before = await runState(context, name);
  const running =
    before === undefined || isFinal(before)
      ? undefined
      : (await readRun(context, before.task)).documents.at(-1);
  const base = running?.base ?? (await baseOf(asked, plan.base ?? text(values, 'base') ?? 'HEAD'));
  const { crew: _crew, ...work } = plan;
  const document: RunDocument = { v: 1, name, plan: work, crew, ...(base === null ? {} : { base }) };
  if (running !== undefined && !(await agreeOnChange({ document, running }, asked))) return undefined;
  if (values['dry-run'] === true) return { document, here };
  const why = running === undefined ? `From ${basename(file)}.` : `Changed by ${basename(file)}.`;
  await openRun(context, document, { by: session.actor, why });
  return { document, here };
}

/** A letter first, and no more than a branch can be called. */
function nameFrom(file: string): string {
  const stem = basename(file)
    .replace(/\.(?:ya?ml|json)$/i, '')
    .replaceAll(/[^A-Za-z0-9_-]+/g, '-');
  return /^[A-Za-z]/.test(stem) ? stem.slice(0, 60) : `run-${stem}`.slice(0, 60).replace(/-+$/, '');
}

async function baseOf({ folder, session, context }: Asked, base: string): Promise<string> {
  const { trees } = await openCrewGround(folder, context.store, session.env);
  const { commit, isShallow, uncommitted, absent } = await trees.ground(base);
  if (uncommitted.length > 0)
    session.output.say(
      `Not in any tree of the run, because it is not committed: ${firstOf(uncommitted)}`,
      'warn',
    );
  if (absent.length > 0)
    session.output.say(
      `Empty in every tree of the run, because this machine does not have it: ${firstOf(absent)}. Bring it before: git submodule update --init`,
      'warn',
    );
  if (isShallow)
    session.output.say('The history of this repository is cut off: merges may lack a base.', 'warn');
  return commit;
}

function firstOf(paths: readonly string[]): string {
  const more = paths.length - 5;
  return `${paths.slice(0, 5).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** What another plan means for what runs is shown first, and done when that was agreed to. */
async function agreeOnChange(
  { document, running }: { readonly document: RunDocument; readonly running: RunDocument },
  { values, session, context }: Asked,
): Promise<boolean> {
  const steps = diffPlan(plannedTasks(document.plan, document.crew), await tasksOfRun(context, running));
  if (steps.length === 0) return true;
  session.output.say(planChangeText(steps));
  if (values['yes'] === true || session.dryRun) return true;
  throw new UsageError(
    `The run ${document.name} is under way, and this plan changes it: ${countsOf(steps)}.`,
    'Agree to that with --yes, or give the new run a name of its own: --name NAME',
  );
}

function countsOf(steps: readonly PlanStep[]): string {
  const acts = Map.groupBy(steps, ({ act }) => act);
  return [...acts].map(([act, all]) => `${act} ${all.length}`).join(', ');
}
