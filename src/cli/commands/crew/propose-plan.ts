/** A plan for a goal, by an agent that only looks: checked, sent back once with what was found, written to a file, shown, and run only after a yes. */
import { existsSync, writeFileSync } from 'node:fs';
import { counted } from '../../../core/base/counted.ts';
import { isStaffettaError, StaffettaError } from '../../../core/base/error.ts';
import type { Crew } from '../../../core/plan/crew.ts';
import { agentsOf, type NamedAgent } from '../../../core/plan/fitting-agents.ts';
import { proposeCrew } from '../../../core/plan/propose-crew.ts';
import { runnersHere, type RunnersHere } from '../../../compose/runners.ts';
import { openCrewGround } from '../../../compose/workspace.ts';
import { fencedIn } from '../../../crew/steering/agent-talk.ts';
import { talkWith } from '../../../desk/crew/talk-with.ts';
import { planFindingsPrompt, planPrompt } from '../../../desk/crew/prompts.ts';
import { commandsFolder, writeCommand } from '../../../desk/launch/launch-files.ts';
import type { Context } from '../../../handoff/record/context.ts';
import { worktreeRoot } from '../../../home/locate.ts';
import type { Tree, Trees } from '../../../ports/trees.ts';
import { ownPaths } from '../../call/setup-place.ts';
import type { Session } from '../../call/session.ts';
import { confirm, mayAsk } from '../../contract/dialogue.ts';
import { parsePositiveDuration } from '../../frame/duration.ts';
import { exits } from '../../frame/fail.ts';
import { interruptible } from '../../frame/interrupt.ts';
import type { Invocation, Values } from '../../frame/spec.ts';
import { UsageError } from '../../frame/usage.ts';
import { text } from '../../frame/values.ts';
import { nothingYet, planText } from '../../pages/plan-page.ts';
import { runningPlan, sayChange } from '../../plan/change.ts';
import { findPlan, isPlanError, type FoundPlan } from '../../plan/looked-at.ts';
import { readCrewFile } from '../../plan/plan-file.ts';

export async function proposePlan(goal: string, invocation: Invocation, session: Session): Promise<number> {
  const { values } = invocation;
  const file = text(values, 'out') ?? 'plan.yaml';
  if (existsSync(file))
    throw new UsageError(`${file} is there already.`, 'Name another file for the plan: --out FILE');
  const here = await runnersHere(session.env);
  const crew = await crewFor(text(values, 'crew'), here);
  const agent = plannerOf(crew, text(values, 'agent'));
  const running = await runningPlan(session, text(values, 'name'));
  const { result: found } = await interruptible(
    async (signal) => await ask(session, { goal, crew, agent, running, here, file, values, signal }),
  );
  const { plan, findings } = found;
  const tasks = plan === undefined ? null : Object.keys(plan.tasks).length;
  if (plan !== undefined) await sayChange(session, { plan, crew, name: text(values, 'name') });
  const looked = { file, tasks, findings, ...nothingYet };
  session.output.data({ ...looked, by: agent.name }, () => planText({ ...looked, isUnstaffed: false }));
  const isWrong = plan === undefined || findings.some(isPlanError);
  const options = ['crew', 'name'].flatMap((one) => {
    const value = text(values, one);
    return value === undefined ? [] : [`--${one} ${value}`];
  });
  session.output.say(
    `${isWrong ? 'Mend it' : 'Look at it, edit it'}, and run it: ${['staffetta run', file, ...options].join(' ')}`,
  );
  if (isWrong) return exits.findings;
  if (values['run'] !== true || !mayAsk(session) || !(await confirm(`Run ${file} now?`))) return exits.ok;
  const { run } = await import('./run.ts');
  return await run({ ...invocation, positionals: [file], values: { ...values, yes: true } }, session);
}

async function crewFor(file: string | undefined, { installed }: RunnersHere): Promise<Crew> {
  if (file === undefined) {
    const crew = proposeCrew(installed);
    if (crew !== undefined) return crew;
    throw new StaffettaError('runtime-missing', 'No coding agent is installed that could propose a plan.', {
      hint: 'Install one, or name a crew: --crew FILE',
    });
  }
  const { value, findings } = await readCrewFile(file);
  if (value !== undefined) return value;
  throw new UsageError(`${file} is no crew: ${findings.map((one) => one.text).join(' ')}`, findings[0]?.fix);
}

function plannerOf(crew: Crew, name: string | undefined): NamedAgent {
  const agents = agentsOf(crew);
  const found = agents.find((one) => (name === undefined ? one.lane === 'plan' : one.name === name));
  if (found !== undefined) return found;
  const names = agents.map((one) => one.name).join(', ');
  throw new UsageError(
    name === undefined ? 'Nobody in the crew is in the lane plan.' : `There is no agent ${name} in the crew.`,
    `Say who proposes the plan: --agent NAME, one of ${names}`,
  );
}

interface Asking {
  readonly goal: string;
  readonly crew: Crew;
  readonly agent: NamedAgent;
  readonly running: Awaited<ReturnType<typeof runningPlan>>;
  readonly here: RunnersHere;
  readonly file: string;
  readonly values: Values;
  readonly signal: AbortSignal;
}

/** Once more with what was found; then a person sees it as it is. */
async function ask(session: Session, asking: Asking): Promise<FoundPlan> {
  const { goal, crew, agent, running, here, file, values, signal } = asking;
  const context = await session.context({ create: true });
  const commands = commandsFolder(session.home);
  writeCommand(commands, ownPaths());
  const msMax = parsePositiveDuration(text(values, 'within') ?? '15m', 'within');
  const folder = worktreeRoot(process.cwd());
  const own = await ownTree(folder, { context, agent, session });
  const talk = talkWith(
    {
      folder: own?.tree.path ?? folder,
      home: session.home,
      env: session.env,
      runners: here,
      commands,
      clock: context.clock,
    },
    { crew, agent, what: `${agent.name} on a plan`, msMax, signal, who: agent.name },
  );
  try {
    session.output.say(`${agent.name} is asked for a plan.`);
    const first = await takeProposal(await talk.ask(planPrompt(goal, crew, running)), asking, session);
    if (first.wrong.length === 0) return first.found;
    session.output.say(`It goes back to ${agent.name}: ${counted(first.wrong.length, 'error')}.`, 'warn');
    const second = await takeProposal(await talk.ask(planFindingsPrompt(first.wrong)), asking, session);
    if (second.found.plan === undefined && second.found.findings.length === 0)
      throw new StaffettaError('invalid-input', second.wrong.join(' '), {
        hint: existsSync(file) ? `What was proposed is in ${file}.` : 'Ask another: --agent NAME.',
      });
    return second.found;
  } finally {
    await talk.close();
    if (own !== null) await leaveTree(own, agent, session);
  }
}

interface OwnTree {
  readonly trees: Trees;
  readonly tree: Tree;
}

/** No run is called so. */
const plansRun = '_plans';

/** What it looks at is the latest commit, in a tree of its own. Null where none can be made: a run will say why. */
async function ownTree(
  folder: string,
  {
    context,
    agent,
    session,
  }: { readonly context: Context; readonly agent: NamedAgent; readonly session: Session },
): Promise<OwnTree | null> {
  try {
    const { trees } = await openCrewGround(folder, context.store, session.env);
    // Of those that were killed.
    for (const left of await trees.list(plansRun)) await trees.remove(left, left.base);
    const { commit, uncommitted } = await trees.ground('HEAD');
    const tree = await trees.make({ run: plansRun, task: `p${process.pid}`, base: commit });
    if (uncommitted.length > 0)
      session.output.say(
        `${agent.name} does not see what is not committed: ${namedFirst(uncommitted)}`,
        'warn',
      );
    return { trees, tree };
  } catch (error) {
    if (!isStaffettaError(error)) throw error;
    session.output.say(`Nothing holds ${agent.name} from changing files here: ${error.message}`, 'warn');
    return null;
  }
}

async function leaveTree({ trees, tree }: OwnTree, { name }: NamedAgent, session: Session): Promise<void> {
  const removal = await trees.remove(tree, tree.base);
  if (removal.removed) return;
  const what =
    removal.why === 'alive' ? 'something that it started still works there' : namedFirst(removal.details);
  session.output.say(
    `${name} was only to look, and left something in its own tree (${what}). Nothing of it is here; it lies in ${tree.path}. What would be lost with it: staffetta sweep --trees ${plansRun} --dry-run`,
    'warn',
  );
}

function namedFirst(paths: readonly string[]): string {
  const more = paths.length - 5;
  return `${paths.slice(0, 5).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** Written as it was proposed, and looked at like any other file. */
async function takeProposal(
  answer: string,
  { file, values, here }: Asking,
  session: Session,
): Promise<{ readonly found: FoundPlan; readonly wrong: readonly string[] }> {
  const none = { plan: undefined, crew: undefined, isProposed: false, findings: [], here };
  const plan = fencedIn(answer);
  if (plan === '') return { found: none, wrong: ['Nothing was said that could be a plan.'] };
  writeFileSync(file, `${plan}\n`);
  try {
    const found = await findPlan(file, text(values, 'crew'), session.env);
    return {
      found,
      wrong: found.findings.filter(isPlanError).map((one) => `${one.text} ${one.fix}`),
    };
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return { found: none, wrong: [error.message] };
  }
}
