/**
 * Work goes on in a program that somebody chose. In this order, so that a failure leaves as little behind as possible:
 *   1. prove that it can go on there, and say what does not come along
 *   2. see that the task can be taken, without taking it
 *   3. write the history as a new session, where it is to go on with all of it; what does not read back is taken away by `write`
 *   4. take the task for the agent, and note how it went on and what was lost
 *   5. give the command; the caller that starts it keeps the lease meanwhile
 *   6. capture the session that came of it (`capture-leg.ts`)
 */
import { defined } from '../../core/base/defined.ts';
import type { Actor } from '../../core/task/actor.ts';
import { sha256Hex } from '../../core/journal/sha256.ts';
import { cut } from '../../core/base/text.ts';
import type { StandingContract } from '../../core/contract/added-terms.ts';
import type { Digest } from '../../core/journal/digest.ts';
import { isStaffettaError, StaffettaError } from '../../core/base/error.ts';
import type { TaskId } from '../../core/journal/id.ts';
import { lossReport, lossReportWords, type LossReport } from '../../core/resume/loss-report.ts';
import type { Packet } from '../../core/packet/packet.ts';
import type { Provisions } from '../../core/resume/provisions.ts';
import { historyChecks, type ResumeCheck, type ResumeWay } from '../../core/resume/resumable.ts';
import type { TaskState } from '../../core/task/state.ts';
import { loadCounter } from '../../core/tokens/count.ts';
import { oneHistory } from '../../core/transcript/one-history.ts';
import type { Transcript } from '../../core/transcript/step.ts';
import type { Story } from '../../core/transcript/story.ts';
import type { Installation, Runtime, SessionToContinue, Start, WrittenSession } from '../../ports/runtime.ts';
import { briefingOf } from '../views/brief.ts';
import { carry } from '../verbs/carry.ts';
import type { Context } from '../record/context.ts';
import { reassign } from '../verbs/direct.ts';
import { grownSince, grownWords, type Grown } from './grown.ts';
import { readCheckedPacket } from '../history/history.ts';
import { load } from '../record/load.ts';
import { promptFor } from '../views/prompt-for.ts';
import { eventIn, type Recorded } from '../record/record.ts';
import { proveResumable, refuseUnlessResumable } from './resumability.ts';
import { readersOf, readStory } from '../history/story.ts';
import { taskOfSession } from './session-task.ts';
import { accept } from '../verbs/take.ts';
import { readStanding } from '../views/standing-contract.ts';
import { goesOnIn } from './work-folder.ts';

export interface ResumeRequest {
  readonly runtime: Runtime;
  /** All that are known, for reading what the task was done in before. */
  readonly runtimes: readonly Runtime[];
  readonly way: ResumeWay;
  /** Where the work goes on. */
  readonly folder: string;
  /** Whether the program is to be started from here. */
  readonly starts: boolean;
  readonly unproven: boolean;
  readonly goal?: string;
  readonly model?: string;
  /** Tokens of the briefing; as many as are usual where it is not given. */
  readonly budget?: number;
}

export interface ResumePlan {
  readonly task: TaskId;
  readonly state: TaskState;
  readonly contract: StandingContract;
  readonly latest: { readonly packet: Packet; readonly digest: Digest } | null;
  readonly story: Story;
  /** What the settings of the program give there. */
  readonly provisions: Provisions;
  readonly checks: readonly ResumeCheck[];
  /** What users have said since in the session that the latest packet was made from; null where they said nothing. */
  readonly grown: Grown | null;
  /** Where the program is started: in the folder of the workspace that the work was done in, if that is there. */
  readonly folder: string;
  readonly installation: Installation | null;
  readonly prompt: string;
  /** Before anything was written. */
  readonly losses: LossReport;
  /** The session to go on in; only where that was asked for. */
  readonly session: SessionToContinue | null;
}

export async function planResume(
  context: Context,
  task: TaskId,
  request: ResumeRequest,
): Promise<ResumePlan> {
  const { runtime, runtimes, way, goal } = request;
  const { state, lease } = await load(context, task);
  const contract = await readStanding(context, state);
  const latest =
    state.packet === null
      ? null
      : { packet: await readCheckedPacket(context, state.packet), digest: state.packet };
  const packet = latest?.packet ?? null;
  const { checks: proven, installation, card } = await proveResumable(context, { ...request, task, packet });
  refuseUnlessResumable(task, proven);
  const story = await readStory(context, task, readersOf(runtimes));
  if (way === 'full' && story.steps.length === 0) throw noHistory(task);
  const { folder, gone } = await goesOnIn(context, request.folder, packet);
  const checks = [...proven, ...gone, ...historyChecks(writersOf(story, runtimes))];
  const from = [...new Set(story.sessions.map(({ facts }) => facts.runtime))];
  const provisions = await runtime.provisions(folder);
  const focus = defined({ goal });
  // An agent that goes on in the session itself has what was said there.
  const grown =
    way === 'session' ? null : await grownSince(context, { bound: { task, state, lease }, card, runtimes });
  const lacks = [
    ...(grown === null ? [] : [grownWords(grown)]),
    // The next agent would take the files that the packet tells of for what is there.
    ...checks.flatMap(({ check, standing, text, fix }) =>
      check === 'workspace' && standing === 'told'
        ? [`the workspace as it was: ${text} ${fix ?? ''}`.trim()]
        : [],
    ),
  ];
  const briefed = { state, contract, packet, story, lacks };
  const briefing =
    way === 'briefing'
      ? await briefingOf(context, briefed, {
          count: await loadCounter(request.model ?? runtime.name),
          target: runtime.name,
          ...focus,
          ...defined({ budget: request.budget }),
        })
      : undefined;
  return {
    task,
    state,
    contract,
    latest,
    story,
    checks,
    grown,
    folder,
    installation,
    prompt: promptFor({ way, state, contract, latest, from, lacks, briefing: briefing?.text, ...focus }),
    provisions,
    losses: lossesOf({ story, provisions }, { runtime, runtimes }, null),
    session: way === 'session' ? card : null,
  };
}

function writersOf(story: Story, runtimes: readonly Runtime[]): Parameters<typeof historyChecks>[0] {
  return story.sessions.map(({ facts: { runtime, version, session } }) => {
    const proven = runtimes.find(({ name }) => name === runtime)?.provenVersions ?? [];
    return { runtime, version: proven.length === 0 ? null : version, session, proven };
  });
}

function noHistory(task: TaskId): StaffettaError {
  return new StaffettaError(
    'not-resumable',
    `No session was captured for task ${task}: there is no history.`,
    {
      details: { task },
      hint: 'Go on with a briefing, or capture a session first: staffetta handoff --from SESSION',
    },
  );
}

function lossesOf(
  { story, provisions }: Pick<ResumePlan, 'story' | 'provisions'>,
  { runtime, runtimes }: Pick<ResumeRequest, 'runtime' | 'runtimes'>,
  written: WrittenSession | null,
): LossReport {
  return lossReport({
    story,
    target: { name: runtime.name, tools: runtime.tools, provisions },
    toolboxOf: (name) => runtimes.find((one) => one.name === name)?.tools,
    written: written?.omissions ?? null,
  });
}

export interface Begin {
  /** In whose name the agent works. */
  readonly by: Actor;
  readonly leaseMs: number;
  readonly folder: string;
  /** For a file that the program takes its history from. */
  readonly into: string;
  /** The leg that goes on, where the agent holds the task already and says so. */
  readonly generation?: number;
  readonly key?: string;
  /** The actor that wants it to go on there although the offer is to another program; only where it is. */
  readonly redirects?: Actor;
}

export interface Begun {
  readonly taken: Recorded | null;
  /** The same request was made before: nothing was taken or noted again. */
  readonly repeated: boolean;
  readonly generation: number;
  readonly start: Start;
  readonly written: WrittenSession | null;
  readonly losses: LossReport;
}

/** The session that would be written, and what would not come along; null where none would be. */
export async function rehearseHistory(
  context: Context,
  plan: ResumePlan,
  request: ResumeRequest,
  begin: Begin,
): Promise<{ readonly written: WrittenSession; readonly losses: LossReport } | null> {
  if (request.way !== 'full') return null;
  const written = await writeHistory(context, plan, request, { ...begin, rehearse: true });
  return { written, losses: lossesOf(plan, request, written) };
}

/** What `begin` would do, as far as it can be known without doing it. */
export async function rehearse(context: Context, plan: ResumePlan, begin: Begin): Promise<Recorded | null> {
  const { by, leaseMs, key, generation } = begin;
  if (generation !== undefined) return null;
  if (await redirect(context, plan, begin, { dryRun: true })) return null;
  return await accept(context, plan.task, { leaseMs }, { by, dryRun: true, ...defined({ key }) });
}

export async function beginResume(
  context: Context,
  plan: ResumePlan,
  request: ResumeRequest,
  begin: Begin,
): Promise<Begun> {
  const { task } = plan;
  const { by, leaseMs, key } = begin;
  const again = (await rehearse(context, plan, begin))?.repeated === true;
  if (again && request.way === 'full') throw writtenBefore(task);
  const written = request.way === 'full' ? await writeHistory(context, plan, request, begin) : null;
  const losses = written === null ? plan.losses : lossesOf(plan, request, written);
  if (begin.generation === undefined) await redirect(context, plan, begin);
  const taken =
    begin.generation === undefined
      ? await accept(context, task, { leaseMs }, { by, ...defined({ key }) })
      : null;
  const generation = begin.generation ?? generationIn(taken) ?? plan.state.generation;
  const text = noteOf(plan, request, { written, losses });
  const repeated = taken?.repeated === true;
  const id = key === undefined ? context.entropy.bytes(16) : idFor(`${task}/${generation} ${key}`);
  const start = startOf(plan, written, id);
  if (!repeated) {
    const bound = await bindingOf(context, request.runtime, start);
    await carry(context, { task, generation }, [{ type: 'note', text }], { by, ...bound });
  }
  return { taken, repeated, generation, start, written, losses };
}

/**
 * The offer is to another program: a caller who may direct work offers it to this one instead, on record. Only the offer that was seen:
 * if somebody has taken it since, nothing is taken away, and the caller is told.
 */
async function redirect(
  context: Context,
  { task, state: seen }: ResumePlan,
  { by: { runtime }, redirects }: Begin,
  { dryRun = false } = {},
): Promise<boolean> {
  if (redirects === undefined || runtime === undefined) return false;
  const { state } = await load(context, task);
  if (state.leg !== null || state.offer?.offer !== seen.offer?.offer) return false;
  const why = `${redirects.name} goes on with it in ${runtime}.`;
  try {
    await reassign(context, state, { to: `runtime:${runtime}`, why }, { by: redirects, dryRun });
    return true;
  } catch (error) {
    if (isStaffettaError(error, 'wrong-state')) return false;
    throw error;
  }
}

/** The note binds the session that the program is told to work in. One that chooses for itself never has this id. */
async function bindingOf(
  context: Context,
  { name }: Runtime,
  start: Start,
): Promise<{ readonly key?: string }> {
  const id = start.kind === 'new' ? start.id : start.session.id;
  const { bound, key } = await taskOfSession(context, { runtime: name, id });
  return bound === undefined ? { key } : {};
}

function generationIn(taken: Recorded | null): number | undefined {
  return taken === null ? undefined : eventIn(taken.entry, 'leg-started')?.generation;
}

/** A repeated request names the session that it named the first time. */
function idFor(text: string): Uint8Array {
  return Buffer.from(sha256Hex(text).slice(0, 32), 'hex');
}

function writtenBefore(task: TaskId): StaffettaError {
  return new StaffettaError('wrong-state', 'This request was made before, and wrote its session then.', {
    details: { task },
    hint: `The log names the session: staffetta log ${task}`,
  });
}

async function writeHistory(
  context: Context,
  { story }: ResumePlan,
  { runtime, model }: ResumeRequest,
  { folder, into, rehearse = false }: Begin & { readonly rehearse?: boolean },
): Promise<WrittenSession> {
  const history: Transcript = oneHistory(story);
  return await runtime.write(history, {
    folder,
    into,
    now: context.clock.now(),
    random: (count) => context.entropy.bytes(count),
    rehearse,
    ...defined({ model }),
  });
}

function startOf({ session }: ResumePlan, written: WrittenSession | null, id: Uint8Array): Start {
  if (written !== null) return { kind: 'continue', session: written.place };
  if (session !== null) return { kind: 'continue', session };
  return { kind: 'new', id: uuidOf(id) };
}

/** Version 4. */
function uuidOf(random: Uint8Array): string {
  const hex = [...random].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  const variant = '89ab'[(random[8] ?? 0) & 3] ?? '8';
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** A reader who wants all of it finds it in the packet. */
const noteCharsMax = 8000;

const wayWords: Readonly<Record<ResumeWay, string>> = {
  briefing: 'a new session with a briefing',
  full: 'a new session with the whole history',
  session: 'the session it was in',
};

function noteOf(
  { checks }: ResumePlan,
  { runtime, way }: ResumeRequest,
  { written, losses }: Pick<Begun, 'written' | 'losses'>,
): string {
  const told = checks.filter(({ standing }) => standing === 'told').map(({ text }) => text);
  const lost = lossReportWords(losses).map(({ what, why }) => `${what}: ${why}`);
  const lines = [
    `Goes on in ${runtime.name}: ${wayWords[way]}${written === null ? '' : ` (${written.place.id})`}.`,
    ...(told.length === 0 ? [] : ['Not proven:', ...told.map((text) => `- ${text}`)]),
    ...(lost.length === 0 ? [] : ['Not carried over:', ...lost.map((text) => `- ${text}`)]),
  ];
  return cut(lines.join('\n'), noteCharsMax);
}
