import { defined } from '../../../core/base/defined.ts';
import { mkdirSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { worktreeRoot } from '../../../home/locate.ts';
import { loadRuntimes } from '../../../compose/runtimes.ts';
import type { Actor } from '../../../core/task/actor.ts';
import type { ResumeWay } from '../../../core/resume/resumable.ts';
import type { TaskState } from '../../../core/task/state.ts';
import { withLegLine } from '../../../core/transcript/leg-line.ts';
import { oneHistory } from '../../../core/transcript/one-history.ts';
import type { Story } from '../../../core/transcript/story.ts';
import type { CapturedLeg } from '../../../handoff/sessions/capture-leg.ts';
import type { Context } from '../../../handoff/record/context.ts';
import { runtimeNamed } from '../../../handoff/sessions/resumability.ts';
import {
  beginResume,
  planResume,
  rehearse,
  rehearseHistory,
  type Begin,
  type Begun,
  type ResumePlan,
  type ResumeRequest,
} from '../../../handoff/sessions/resume-in.ts';
import { placeSkills } from '../../../handoff/sealing/skills.ts';
import type { Launch, Prompt, RuntimeName, SessionPlace, Start } from '../../../ports/runtime.ts';
import { actorFrom } from '../../call/actor.ts';
import { exits } from '../../frame/fail.ts';
import { interruptible } from '../../frame/interrupt.ts';
import {
  commandsFolder,
  promptFolder,
  promptPath,
  writeCommand,
  writePrompt,
} from '../../../desk/launch/launch-files.ts';
import { legSetting } from '../../../desk/launch/leg-environment.ts';
import { runLeg, type LegRan } from '../../../desk/launch/run-leg.ts';
import { shellLine } from '../../pages/launch-words.ts';
import { leaseFrom } from '../../call/lease.ts';
import { refuseSecond } from '../../pages/orphan-words.ts';
import { heldWords, redirecting, sayRedirected } from '../../call/redirect.ts';
import {
  capturedWords,
  endWords,
  grownText,
  resumePage,
  type ResumeAnswer,
} from '../../pages/resume-page.ts';
import type { Session } from '../../call/session.ts';
import { ownPaths } from '../../call/setup-place.ts';
import type { Invocation, Values } from '../../frame/spec.ts';
import { UsageError } from '../../frame/usage.ts';
import { briefingBudget, count, refuseStray, text, texts } from '../../frame/values.ts';
import { counted, heldUntil, next } from '../../pages/words.ts';

export async function run({ positionals, values }: Invocation, session: Session): Promise<number> {
  const request = await requestFrom(values, session);
  const task = await session.task(positionals[0]);
  const context = await session.context();
  const plan = await planResume(context, task, request);
  const begin = beginFrom(session, plan, request);
  const grown = grownIn(plan, request);
  if (grown !== undefined) session.output.say(grownText(grown), 'warn');
  if (session.dryRun) return await showOnly(context, session, { plan, request, begin });
  if (request.starts) await refuseSecond(context, task, begin.generation);
  mkdirSync(begin.into, { recursive: true, mode: 0o700 });
  const begun = await beginResume(context, plan, request, begin).catch((error: unknown) => {
    throw heldWords(session, plan, { error, runtime: request.runtime.name });
  });
  sayRedirected(session, plan, begin);
  const made = make(session, { plan, request, begin, begun });
  writePrompt(made.promptFile, made.prompt);
  writeCommand(made.commands, ownPaths());
  const placed = await placedIn(context, session, { plan, request });
  const answer = await answerOf(made, { plan, request, begin, losses: begun.losses, placed });
  const data = {
    ...answer,
    promptFile: made.promptFile,
    session: made.headless.session,
    ...(begun.repeated ? { repeated: true } : {}),
  };
  // A request that was made before has been started before.
  if (!request.starts || begun.repeated) {
    session.output.data(data, () => resumePage(answer, session));
    const until = begun.taken?.leaseUntil ?? null;
    if (until !== null) session.output.say(heldUntil(task, until));
    return exits.ok;
  }
  session.output.say(resumePage(answer, session));
  const { ended, captured, interrupted } = await start(context, session, {
    plan,
    request,
    begin,
    begun,
    made,
  });
  session.output.data({ ...data, ran: ended, captured: capturedData(captured) }, () => '');
  session.output.say(endWords(ended, request.runtime.name));
  session.output.say(capturedWords(captured, task));
  if (captured.outcome !== 'leg-over')
    next(
      session.output,
      `staffetta show ${task}`,
      captured.outcome === 'captured'
        ? `staffetta handoff --from ${request.runtime.name}:${captured.session.id} --to WHO`
        : `staffetta handoff ${task} --as ${begin.by.name} --to WHO`,
    );
  if (interrupted) return exits.interrupted;
  return ended.exit === 0 ? exits.ok : exits.failed;
}

async function requestFrom(values: Values, session: Session): Promise<ResumeRequest> {
  const name = text(values, 'in');
  if (name === undefined)
    throw new UsageError('resume needs --in: the program to go on in.', 'E.g. --in codex, --in gemini-cli');
  const runtimes = await loadRuntimes(session.env);
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
    starts: values['launch'] === true && !session.dryRun,
    unproven: values['unproven'] === true,
    ...defined({ goal, model, budget }),
  };
}

function grownIn({ grown }: ResumePlan, { runtime }: ResumeRequest): ResumeAnswer['grown'] {
  if (grown === null) return undefined;
  const command = `staffetta handoff --from ${grown.runtime}:${grown.session} --to ${runtime.name}`;
  return { ...grown, command };
}

interface Resuming {
  readonly plan: ResumePlan;
  readonly request: ResumeRequest;
  readonly begin: Begin;
}

function beginFrom(session: Session, { state, folder }: ResumePlan, { runtime }: ResumeRequest): Begin {
  const { values } = session;
  const by = agentFor(session, state, runtime.name);
  const key = text(values, 'idempotency-key');
  const asked = count(values, 'generation');
  const redirects = redirecting(session, state, by);
  return {
    by,
    ...defined({ redirects }),
    leaseMs: leaseFrom(values),
    folder: resolve(folder),
    into: promptFolder(session.home),
    // That this generation holds the task was looked at when the task was named.
    ...(asked !== undefined && state.leg?.holder.name === by.name ? { generation: asked } : {}),
    ...defined({ key }),
  };
}

/** The agent that will work there: as it is called, as the offer calls it, or by its program. The caller that starts it is its parent. */
function agentFor(session: Session, { offer, leg }: TaskState, runtime: RuntimeName): Actor {
  const caller = actorFrom({ as: undefined, lane: undefined, runtime: undefined }, session.env);
  const offered = offer?.to.startsWith('agent:') === true ? offer.to.slice('agent:'.length) : undefined;
  const again = ['generation', 'idempotency-key'].some((option) => session.values[option] !== undefined);
  const holder = again ? leg?.holder.name : undefined;
  const name = text(session.values, 'as') ?? holder ?? offered ?? runtime;
  const lane = text(session.values, 'lane') as Actor['lane'];
  const spawned = caller.kind === 'agent' && caller.name !== name;
  return {
    name,
    kind: 'agent',
    runtime,
    ...defined({ lane }),
    ...(spawned ? { lineage: [caller.name, ...(caller.lineage ?? [])] } : {}),
  };
}

interface Made {
  readonly generation: number;
  readonly prompt: string;
  readonly promptFile: string;
  /** The folder with the command for the agent. */
  readonly commands: string;
  readonly terminal: Launch;
  readonly headless: Launch;
  readonly setting: ReturnType<typeof legSetting>;
  readonly lines: ResumeAnswer['commands'];
}

/** Both commands, for somebody at a terminal and for nobody. */
function make(
  session: Session,
  { plan, request, begin, begun }: Resuming & { readonly begun: Pick<Begun, 'generation' | 'start'> },
): Made {
  const { runtime, model } = request;
  const { generation } = begun;
  const prompt = withLegLine(plan.prompt, { task: plan.task, generation });
  const promptFile = promptPath(session.home, plan.task, generation);
  const commands = commandsFolder(session.home);
  const launched = (start: Start, prompt: Prompt): Launch =>
    runtime.launch(start, prompt, {
      folder: begin.folder,
      program: plan.installation?.program ?? null,
      extra: texts(session.values, 'arg') ?? [],
      ...defined({ model }),
    });
  const terminal = launched(begun.start, { kind: 'terminal', file: promptFile });
  const headless = launched(begun.start, { kind: 'headless', text: prompt });
  const setting = legSetting({
    task: plan.task,
    generation,
    agent: begin.by,
    lane: plan.state.offer?.lane ?? plan.state.leg?.lane ?? 'execute',
    store: session.store,
  });
  const line = (launch: Launch): string =>
    shellLine(launch, { ...setting, ...launch.env }, { env: session.env, promptFile, commands });
  return {
    generation,
    prompt,
    promptFile,
    commands,
    terminal,
    headless,
    setting,
    lines: { terminal: line(terminal), headless: line(headless) },
  };
}

/** Undefined where nobody agreed to it. */
async function placedIn(
  context: Context,
  { values, dryRun }: Session,
  { plan, request }: Pick<Resuming, 'plan' | 'request'>,
): Promise<ResumeAnswer['placed']> {
  if (values['with-skills'] !== true) return undefined;
  return await placeSkills(context, plan.latest?.packet ?? null, { runtime: request.runtime.name, dryRun });
}

async function answerOf(
  made: Pick<Made, 'generation' | 'lines'>,
  { plan, request, begin, losses, placed }: Resuming & Pick<Begun, 'losses'> & Pick<ResumeAnswer, 'placed'>,
): Promise<ResumeAnswer> {
  return {
    task: plan.task,
    runtime: request.runtime.name,
    leg: `${plan.task}/${made.generation}`,
    way: request.way,
    agent: begin.by.name,
    checks: plan.checks,
    losses,
    ...defined({ placed }),
    ...(plan.grown === null ? {} : { grown: grownIn(plan, request) }),
    ...(begin.redirects === undefined ? {} : { redirectedFrom: plan.state.offer?.to }),
    hazards: {
      terminal: await request.runtime.hazards('terminal'),
      headless: await request.runtime.hazards('headless'),
    },
    commands: made.lines,
  };
}

/** What would be taken, told and started; nothing is. A session that would be written has no name yet. */
async function showOnly(context: Context, session: Session, resuming: Resuming): Promise<number> {
  const { plan, request, begin } = resuming;
  const taken = await rehearse(context, plan, begin);
  sayRedirected(session, plan, begin);
  const expected = plan.state.generation + (begin.redirects === undefined ? 0 : 1);
  const generation = taken?.state.generation ?? begin.generation ?? expected;
  const history = await rehearseHistory(context, plan, request, begin);
  const place = history?.written.place ?? null;
  const made = make(session, { ...resuming, begun: { generation, start: startShown(plan, place) } });
  const placed = await placedIn(context, session, resuming);
  const answer = await answerOf(made, { ...resuming, losses: history?.losses ?? plan.losses, placed });
  const shown = place === null ? answer : { ...answer, commands: unnamed(answer.commands, place) };
  const would =
    place === null
      ? null
      : { steps: carriedIn(plan.story), path: unnamedIn(place.path, place), id: newSession };
  session.output.data(
    { ...shown, prompt: made.prompt, dryRun: true, ...(would === null ? {} : { wouldWrite: would }) },
    () => [resumePage(shown, session), '', made.prompt].join('\n'),
  );
  if (would !== null)
    session.output.say(
      `Would write a new session of ${request.runtime.name} with ${counted(would.steps, 'step')} to ${would.path}, read it back and compare. ${newSession} stands for its id, which is made then.`,
    );
  session.output.say('Nothing was taken, written or started: this was a dry run.');
  return exits.ok;
}

/** What a program added is not written, and neither is what was left behind. */
function carriedIn(story: Story): number {
  return oneHistory(story).steps.filter(
    ({ source, aside, mark }) => aside === undefined && (source !== 'system' || mark === 'compaction'),
  ).length;
}

/** Stands for the id of a session that is not there yet. */
const newSession = 'NEW-SESSION-ID';

function startShown({ session }: ResumePlan, written: SessionPlace | null): Start {
  const goesOn = written ?? session;
  return goesOn === null
    ? { kind: 'new', id: '00000000-0000-4000-8000-000000000000' }
    : { kind: 'continue', session: goesOn };
}

function unnamed(
  { terminal, headless }: ResumeAnswer['commands'],
  place: SessionPlace,
): ResumeAnswer['commands'] {
  return { terminal: unnamedIn(terminal, place), headless: unnamedIn(headless, place) };
}

/** A file may be named after the whole id, or after its beginning and the time. */
function unnamedIn(text: string, { id, path }: SessionPlace): string {
  const name = basename(path);
  const named = name.includes(id)
    ? name.replaceAll(id, newSession)
    : name.replaceAll(id.slice(0, 8), newSession);
  return text.replaceAll(name, named).replaceAll(id, newSession);
}

async function start(
  context: Context,
  session: Session,
  { plan, request, begin, begun, made }: Resuming & { readonly begun: Begun; readonly made: Made },
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

function capturedData(captured: CapturedLeg): Record<string, unknown> {
  const { outcome } = captured;
  if (outcome === 'captured')
    return { outcome, session: captured.session.id, packet: captured.sealed.state.packet };
  if (outcome === 'leg-over') return { outcome, status: captured.state.status };
  if (outcome === 'several') return { outcome, sessions: captured.sessions.map(({ id }) => id) };
  return outcome === 'refused' ? { outcome, session: captured.session.id, why: captured.why } : { outcome };
}
