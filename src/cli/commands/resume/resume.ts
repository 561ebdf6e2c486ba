import { defined, filled } from '../../../core/base/defined.ts';
import { mkdirSync } from 'node:fs';
import { worktreeRoot } from '../../../home/locate.ts';
import { loadRuntimes } from '../../../compose/runtimes.ts';
import { joinCommand } from '../../../core/base/command-line.ts';
import { StaffettaError } from '../../../core/base/error.ts';
import { programTitle } from '../../../core/resume/runtime-names.ts';
import type { ResumeWay } from '../../../core/resume/resumable.ts';
import type { Context } from '../../../handoff/record/context.ts';
import { runtimeNamed } from '../../../handoff/sessions/resumability.ts';
import {
  beginResume,
  planResume,
  rehearse,
  type ResumePlan,
  type ResumeRequest,
} from '../../../handoff/sessions/resume-in.ts';
import type { RuntimeName } from '../../../ports/runtime.ts';
import { exits } from '../../frame/fail.ts';
import { writeCommand, writePrompt } from '../../../desk/launch/launch-files.ts';
import { noteFolder } from '../../../desk/beside.ts';
import { installedPrograms } from '../../../desk/sessions/installed-programs.ts';
import { refuseSecond } from '../../pages/orphan-words.ts';
import { heldWords, sayRedirected } from '../../call/redirect.ts';
import { goesOnLines, grownText, resumePage, workedWords } from '../../pages/resume-page.ts';
import { latestSessions } from '../../call/latest-session.ts';
import { waiting } from '../../call/waiting.ts';
import { resumeSource, type ResumeSource } from '../../call/resume-source.ts';
import type { Session } from '../../call/session.ts';
import { ownPaths } from '../../call/setup-place.ts';
import type { Invocation, Values } from '../../frame/spec.ts';
import { UsageError } from '../../frame/usage.ts';
import { briefingBudget, refuseBoth, refuseStray, text } from '../../frame/values.ts';
import { heldUntil } from '../../pages/words.ts';
import {
  launchAnswer,
  beginFrom,
  grownIn,
  make,
  placeSkillsIn,
  showOnly,
  startCommand,
  type Resuming,
} from './launch-made.ts';
import { startAndSettle } from './run-made.ts';

/** Whether the program is started from here, taken for without starting it, or only told how. */
type Mode = 'ask' | 'launch' | 'take' | 'print';

export async function run({ positionals, values }: Invocation, session: Session): Promise<number> {
  const mode = await modeOf(values, session);
  const request = await requestFrom(values, session, { mode, given: positionals[0] });
  const source = await resumeSource(session, positionals[0], { ...request, values });
  if (source.passed !== undefined) saySource(source.passed, session);
  if (source.task === null) return wouldSeal(source, session);
  const context = await session.context();
  const resuming = await plannedFrom(context, session, { task: source.task, request });
  if (session.dryRun) return await showOnly(context, session, resuming);
  if (mode === 'print') return await print(context, session, resuming);
  if (mode !== 'ask') return await begin(context, session, resuming);
  session.output.say(goesOnLines(session.output.width, resuming.plan, request));
  const { askOnce } = await import('../../contract/dialogue.ts');
  const program = programTitle(request.runtime.name);
  const goal = await askOnce(`What should ${program} do? Enter: go on where it stopped`);
  if (goal === null) throw notStarted(source.task, startCommand(resuming, session.values));
  const asked =
    goal === ''
      ? resuming
      : await plannedFrom(context, session, { task: source.task, request: { ...request, goal } });
  return await begin(context, session, asked);
}

async function modeOf(values: Values, session: Session): Promise<Mode> {
  refuseBoth(values, 'launch', 'print');
  refuseBoth(values, 'take', 'print');
  refuseBoth(values, 'take', 'launch');
  if (values['launch'] === true) return 'launch';
  if (values['take'] === true) return 'take';
  if (values['print'] === true || session.dryRun || !process.stdout.isTTY) return 'print';
  const { mayAsk } = await import('../../contract/dialogue.ts');
  return mayAsk(session) ? 'ask' : 'print';
}

/** The command that `staffetta` alone tells for the same: what is at its limit is not advised. */
async function exampleFor(
  session: Session,
  { given = '', here }: { readonly given: string | undefined; readonly here: readonly string[] },
): Promise<string> {
  const [left] =
    given === ''
      ? (await latestSessions(session.env)).map(({ command }) => command)
      : (await waiting(session)).flatMap(({ task, command }) =>
          task.startsWith(given) && command.startsWith('staffetta resume ') ? [command] : [],
        );
  const [program] = here;
  if (left !== undefined) return left;
  if (program === undefined) return joinCommand(['staffetta', 'brief', given === '' ? 'TASK' : given]);
  return joinCommand(['staffetta', 'resume', ...(given === '' ? [] : [given]), '--in', program]);
}

async function requestFrom(
  values: Values,
  session: Session,
  { mode, given }: { readonly mode: Mode; readonly given: string | undefined },
): Promise<ResumeRequest> {
  const name = text(values, 'in');
  const runtimes = await loadRuntimes(session.env);
  if (name === undefined) {
    const here = await installedPrograms(runtimes);
    const example = await exampleFor(session, { given, here });
    throw new UsageError(
      'resume needs --in: the program to go on in.',
      here.length === 0
        ? `No coding agent is installed here: install one. Without one: ${example}`
        : `E.g. ${example}. Here are: ${here.join(', ')}.`,
    );
  }
  const goal = text(values, 'goal');
  const model = text(values, 'model');
  const way = (text(values, 'history') ?? 'briefing') as ResumeWay;
  if (way !== 'briefing') refuseStray(values, ['budget'], '--history briefing');
  const budget = briefingBudget(values);
  return {
    runtime: runtimeNamed(runtimes, name as RuntimeName),
    runtimes,
    way,
    folder: worktreeRoot(process.cwd()),
    starts: (mode === 'launch' || mode === 'ask') && !session.dryRun,
    unproven: values['unproven'] === true,
    ...defined({ goal, model, budget }),
  };
}

function saySource(
  { look, movedFrom, known, task }: NonNullable<ResumeSource['passed']>,
  session: Session,
): void {
  const { output, dryRun } = session;
  const { card, condition } = look;
  if (movedFrom !== null)
    output.say(`The session worked in ${movedFrom}, which is not there; this folder is taken for it.`);
  const sealed = known ? `It is sealed in ${task ?? ''}.` : dryRun ? '' : `Sealed in ${task ?? ''}.`;
  output.say(`${workedWords(card, condition, Date.now())} ${sealed}`.trim());
  if (card.liveness === 'alive')
    output.say(
      `It is still open (process ${card.pid ?? 'unknown'}): close it, or two agents work in one folder.`,
      'warn',
    );
}

/** A session without a task, looked at only. */
function wouldSeal({ passed }: ResumeSource, session: Session): number {
  if (passed === undefined) return exits.ok;
  const { runtime, id } = passed.look.card;
  session.output.data(
    { dryRun: true, from: { runtime, id }, task: null },
    () => `Would open a task for the session ${id} of ${runtime}, seal it, and go on.`,
  );
  session.output.say('Nothing was sealed, taken or started: this was a dry run.');
  return exits.ok;
}

async function plannedFrom(
  context: Context,
  session: Session,
  { task, request }: { readonly task: ResumePlan['task']; readonly request: ResumeRequest },
): Promise<Resuming> {
  const plan = await planResume(context, task, request);
  const grown = grownIn(plan, request);
  if (grown !== undefined) session.output.say(grownText(grown), 'warn');
  return { plan, request, begin: beginFrom(session, plan, request) };
}

/** Takes nothing: what would go along, and the command that starts it. It is refused here if it would be refused there. */
async function print(context: Context, session: Session, resuming: Resuming): Promise<number> {
  const { plan, request, begin } = resuming;
  await rehearse(context, plan, begin).catch((error: unknown) => {
    throw heldWords(session, plan, { error, runtime: request.runtime.name });
  });
  const command = `${startCommand(resuming, session.values)} --launch`;
  const { checks, losses, task } = plan;
  const { name } = request.runtime;
  const data = {
    task,
    runtime: name,
    way: request.way,
    agent: begin.by.name,
    checks,
    losses,
    command,
    taken: false,
  };
  session.output.data(
    data,
    () => `${goesOnLines(session.output.width, plan, request)}\nTo start it:\n  ${command}`,
  );
  return exits.ok;
}

async function begin(context: Context, session: Session, resuming: Resuming): Promise<number> {
  const { plan, request, begin: how } = resuming;
  const { task } = plan;
  if (request.starts) await refuseSecond(context, task, how.generation);
  mkdirSync(how.into, { recursive: true, mode: 0o700 });
  const begun = await beginResume(context, plan, request, how).catch((error: unknown) => {
    throw heldWords(session, plan, { error, runtime: request.runtime.name });
  });
  noteFolder(context, task);
  sayRedirected(session, plan, how);
  const made = make(session, { ...resuming, begun });
  writePrompt(made.promptFile, made.prompt);
  writeCommand(made.commands, ownPaths());
  const placed = await placeSkillsIn(context, session, { plan, request });
  const answer = await launchAnswer(made, { ...resuming, losses: begun.losses, placed });
  const data = {
    ...answer,
    promptFile: made.promptFile,
    session: made.headless.session,
    ...filled({ repeated: begun.repeated }),
  };
  // A request that was made before has been started before.
  if (request.starts && !begun.repeated)
    return await startAndSettle(context, session, { ...resuming, begun, made, data });
  session.output.data(data, () => resumePage(answer, session));
  const until = begun.taken?.leaseUntil ?? null;
  if (until !== null) session.output.say(heldUntil(task, until));
  return exits.ok;
}

function notStarted(task: string, command: string): StaffettaError {
  return new StaffettaError('interrupted', `Nothing was started. The work is sealed in ${task}.`, {
    details: { task },
    hint: `To go on: ${command}`,
  });
}
