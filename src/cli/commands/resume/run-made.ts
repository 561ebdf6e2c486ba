/** Runs the program that a leg was taken for. When it ends, what it did is in the task, and the task is where a person can go on with it. */
import { isStaffettaError } from '../../../core/base/error.ts';
import { programTitle } from '../../../core/resume/runtime-names.ts';
import type { TaskState } from '../../../core/task/state.ts';
import type { Address } from '../../../core/task/address.ts';
import { installedPrograms, programAfter } from '../../../desk/sessions/installed-programs.ts';
import { runLeg, type LegRan } from '../../../desk/launch/run-leg.ts';
import type { CapturedLeg } from '../../../handoff/sessions/capture-leg.ts';
import type { Context } from '../../../handoff/record/context.ts';
import type { Begun } from '../../../handoff/sessions/resume-in.ts';
import { leave } from '../../../handoff/verbs/leave.ts';
import { exits } from '../../frame/fail.ts';
import { interruptible } from '../../frame/interrupt.ts';
import { capturedWords, endWords } from '../../pages/resume-page.ts';
import type { Session } from '../../call/session.ts';
import { next } from '../../pages/words.ts';
import type { Made, Resuming } from './launch-made.ts';

interface Running extends Resuming {
  readonly begun: Begun;
  readonly made: Made;
  readonly data: Readonly<Record<string, unknown>>;
}

export async function startAndSettle(context: Context, session: Session, running: Running): Promise<number> {
  const { plan, request, data } = running;
  const { task } = plan;
  const { name } = request.runtime;
  session.output.say(`${programTitle(name)} starts on ${task}.`);
  const { ended, captured, interrupted } = await start(context, session, running);
  const isSpent = captured.outcome === 'captured' && captured.stopped === 'usage-limit';
  const left = captured.outcome === 'leg-over' ? null : await giveBack(context, running, isSpent);
  session.output.data({ ...data, ran: ended, captured: capturedData(captured) }, () => '');
  session.output.say(endWords(ended, name));
  if (isSpent) session.output.say(`${programTitle(name)} stopped at its usage limit.`);
  session.output.say(capturedWords(captured, task));
  const state = captured.outcome === 'leg-over' ? captured.state : left;
  if (state !== null) await sayWays(session, state, { request, isSpent });
  if (interrupted) return exits.interrupted;
  return ended.exit === 0 ? exits.ok : exits.failed;
}

async function start(
  context: Context,
  session: Session,
  { plan, request, begin, begun, made }: Running,
): Promise<LegRan & { readonly interrupted: boolean }> {
  const isWatched = process.stdin.isTTY && process.stdout.isTTY && !session.output.json;
  const { result: ran, interrupted } = await interruptible(
    async (interrupt) =>
      await runLeg(context, {
        held: { task: plan.task, generation: begun.generation },
        leaseMs: begin.leaseMs,
        launch: isWatched ? made.terminal : made.headless,
        home: session.home,
        env: session.env,
        setting: made.setting,
        commands: made.commands,
        output: session.output.json ? 'stderr' : 'stdout',
        interrupt,
        isWatched,
        runtime: request.runtime,
        runtimes: request.runtimes,
        folder: begin.folder,
        by: begin.by,
        losses: begun.losses,
      }),
  );
  if (ran.wasTakenAway)
    session.output.say(`The task was taken away, and ${request.runtime.name} was asked to end.`);
  return { ...ran, interrupted };
}

/**
 * Nobody works there any more: the task is on offer to those it was on offer to, with what was captured. A program that has used up what it
 * may cannot go on with it: then it is for any other, too.
 */
async function giveBack(
  context: Context,
  { plan, request, begin, begun }: Running,
  isSpent: boolean,
): Promise<TaskState | null> {
  const runtime: Address = `runtime:${request.runtime.name}`;
  const before = begin.redirects === undefined ? (plan.state.offer?.to ?? runtime) : runtime;
  const to = isSpent && before === runtime ? 'anyone' : before;
  const why = `${programTitle(request.runtime.name)} ended, and did not say what becomes of the work.`;
  const leg = { task: plan.task, generation: begun.generation, holder: begin.by };
  try {
    return (await leave(context, leg, { to, trigger: isSpent ? 'usage-limit' : 'user', why, outside: true }))
      .state;
  } catch (error) {
    // It was taken away meanwhile, or a demand of its contract stands in the way: then it lapses by itself.
    if (!isStaffettaError(error)) throw error;
    return null;
  }
}

/** What a person can do with it, each with one command. */
async function sayWays(
  { output }: Session,
  { task, status }: TaskState,
  { request, isSpent }: Pick<Resuming, 'request'> & { readonly isSpent: boolean },
): Promise<void> {
  if (status === 'submitted') return next(output, `staffetta review ${task}`);
  if (['done', 'failed', 'cancelled', 'approved'].includes(status)) return;
  if (status === 'escalated') return next(output, `why, and the ways out: staffetta show ${task}`);
  const { name } = request.runtime;
  const program = programAfter(name, await installedPrograms(request.runtimes), { isSpent }) ?? name;
  const isSame = isSpent && program === name;
  next(
    output,
    ...(isSame ? [`let it rest until the limit is over: staffetta pause ${task} --until TIME`] : []),
    `${isSame ? 'go on then' : 'go on'}: staffetta resume ${task} --in ${program}`,
    `it is done: staffetta complete ${task}`,
    `drop it: staffetta cancel ${task} --why "…"`,
  );
}

function capturedData(captured: CapturedLeg): Record<string, unknown> {
  const { outcome } = captured;
  if (outcome === 'captured')
    return { outcome, session: captured.session.id, packet: captured.sealed.state.packet };
  if (outcome === 'leg-over') return { outcome, status: captured.state.status };
  if (outcome === 'several') return { outcome, sessions: captured.sessions.map(({ id }) => id) };
  return outcome === 'refused' ? { outcome, session: captured.session.id, why: captured.why } : { outcome };
}
