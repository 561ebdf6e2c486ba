/** A session of a coding agent, read as it stands now, beside what the store has of it already. Nothing is changed. */
import { defined } from '../../core/base/defined.ts';
import { agentOf } from '../../core/task/agent-name.ts';
import { isExpired } from '../../core/task/lapse.ts';
import { unprovenWords } from '../../core/resume/session-version.ts';
import type { Redactor } from '../../core/redact/redactor.ts';
import type { Trigger } from '../../core/journal/event.ts';
import type { TaskId } from '../../core/journal/id.ts';
import { offeredStatuses } from '../../core/task/state.ts';
import { allUnknown } from '../../core/transcript/all-unknown.ts';
import { folderWithin } from '../../core/tree/work-folder.ts';
import { conditionOf, fullShare, type Condition } from '../../core/transcript/condition.ts';
import { legOf } from '../../core/transcript/leg-line.ts';
import { storyOf, type Story, type StoryPart } from '../../core/transcript/story.ts';
import { bareFacts } from '../../core/transcript/bare-facts.ts';
import type { Step, Transcript } from '../../core/transcript/step.ts';
import type { CapturedEnd, Cursor, Runtime, SessionCard, SessionPlace } from '../../ports/runtime.ts';
import type { Context } from '../record/context.ts';
import { unreadable, type FoundSession } from './find-session.ts';
import { bindSession, capturedBefore, type SessionInput } from '../sealing/native-session.ts';
import { earlierOf, type Earlier } from './same-session.ts';
import {
  heldByOther,
  heldIn,
  isGivenAway,
  placedId,
  taskOfLeg,
  taskOfSession,
  type Binding,
} from './session-task.ts';
import { storyParts, readersOf } from '../history/story.ts';
import { rootOf } from './work-folder.ts';

export interface SessionLook extends FoundSession, Binding {
  /** What a packet would carry if it were sealed now, as far as the readers at hand can tell it. */
  readonly story: Story;
  /** The part of it that is about the work at hand: all of it, unless the session gave that away and went on with other work. */
  readonly work: Story;
  /** The folder of the workspace that it worked in, where that is known and not the root. */
  readonly within?: string;
  /** Where it did: what it was at before, and who has that now. */
  readonly earlier?: Earlier;
  /** Only this session. */
  readonly transcript: Transcript;
  readonly condition: Condition;
  /** The file that the task has this session from, where another one holds it and not the same records. */
  readonly replaces: string | null;
  /** Records that no packet has yet. */
  readonly fresh: number;
  /** Why it cannot be read, where it cannot: then nothing of it is here (`pointer.ts`). */
  readonly pointer?: string;
  readonly seen: SeenRecords;
}

interface SeenRecords {
  readonly from: Cursor | undefined;
  readonly records: readonly Uint8Array[];
  readonly end: CapturedEnd;
  /** The redactor that has found nothing in the records (`searchedWords`). */
  readonly cleanBy?: Redactor;
}

/** As it was looked at, without reading it again: for a session that is over. Read all the same where another part of it is asked for. */
export function seenSession({
  runtime,
  card,
  seen,
  transcript,
}: Pick<SessionLook, 'seen'> & {
  readonly transcript?: Pick<Transcript, 'facts'>;
  readonly runtime: Pick<Runtime, 'name' | 'capture' | 'startedBy'>;
  readonly card: SessionPlace & { readonly folder?: string | null };
}): SessionInput {
  const session = bindSession(runtime, card, transcript?.facts.folder ?? card.folder ?? null);
  return {
    ...session,
    capture: async (from) =>
      from === seen.from
        ? {
            records: inTurn(seen.records),
            end: () => seen.end,
            ...defined({ cleanBy: seen.cleanBy }),
          }
        : await session.capture(from),
  };
}

/** As it stands when it is read. */
export function liveSession({ runtime, card, transcript }: SessionLook): SessionInput {
  return bindSession(runtime, card, transcript.facts.folder ?? card.folder);
}

async function* inTurn(records: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* records;
}

/** What a task has of sessions of other programs is read by `runtimes`, as far as those are given. */
export async function lookAtSession(
  context: Context,
  session: FoundSession,
  runtimes: readonly Runtime[],
): Promise<SessionLook> {
  return await lookWith(context, { ...session, runtimes, read: readOnce(session) });
}

async function lookWith(context: Context, found: Looked): Promise<SessionLook> {
  const { card } = found;
  const placed = await taskOfSession(context, { runtime: card.runtime, id: placedId(card) });
  const known = placed.bound === undefined ? await taskOfSession(context, card) : placed;
  const seen = await lookAs(context, found, known);
  const isOther = seen.replaces !== null && (await isThere(found, seen.replaces));
  const binding = isOther ? { bound: undefined, key: placed.key } : known;
  const look = isOther ? await lookAs(context, found, binding) : seen;
  refuseUnknown(look);
  const own = await lookAtLeg(context, found, look);
  return isWithOthers(own) ? ((await lookAtOtherWork(context, own, found.read)) ?? own) : own;
}

/** For a caller that acts without being asked: what was given away stays given, also while nobody has taken it. */
export async function lookUnasked(
  context: Context,
  session: FoundSession,
  runtimes: readonly Runtime[],
): Promise<SessionLook & { readonly given: boolean }> {
  const read = readOnce(session);
  const look = await lookWith(context, { ...session, runtimes, read });
  const { bound } = look;
  if (bound === undefined) return { ...look, given: false };
  if (isWithOthers(look)) return { ...look, given: true };
  if (!(await isGivenAway(context, bound))) return { ...look, given: false };
  const other = await lookAtOtherWork(context, look, read);
  return other === undefined ? { ...look, given: true } : { ...other, given: false };
}

/** A session that was started for a leg is one of that task's. */
async function lookAtLeg(context: Context, found: Looked, look: SessionLook): Promise<SessionLook> {
  const leg = legOf(look.transcript);
  if (leg === null) return look;
  const bound = look.bound ?? (await taskOfLeg(context, leg));
  if (bound === undefined) return look;
  const held = { key: look.key, bound: heldIn(bound, leg, look.card.id) };
  return look.bound === undefined ? await lookAs(context, found, held) : { ...look, ...held };
}

function isWithOthers({ bound, card }: SessionLook): boolean {
  if (bound === undefined) return false;
  const { leg, status } = bound.state;
  return leg === null ? !offeredStatuses.includes(status) : heldByOther(bound, agentOf(card)) !== undefined;
}

/**
 * A session goes on after its work was given away. What users have said in it since is other work, for a task of its own, which has the
 * whole session too. Undefined where nobody has said anything since.
 */
async function lookAtOtherWork(
  context: Context,
  { bound, key, runtime, card }: SessionLook,
  read: ReadSession,
): Promise<SessionLook | undefined> {
  const session = { runtime, card };
  if (bound === undefined) return undefined;
  const before = await saidBefore(context, bound.task, session);
  const look = await lookAs(context, { ...session, runtimes: [runtime], read }, { bound: undefined, key });
  const first = look.story.steps.filter(isSaid)[before];
  if (first === undefined) return undefined;
  const from = look.story.steps.indexOf(first);
  const { story } = look;
  return {
    ...look,
    work: { ...story, steps: story.steps.slice(from) },
    earlier: { whole: story, ...(await earlierOf(context, bound, card)) },
  };
}

/** How often users spoke in a session, as far as a task has it. */
export async function saidBefore(context: Context, task: TaskId, session: FoundSession): Promise<number> {
  const known = await storyParts(context, task);
  const { steps } = transcriptOf(known, session, storyOf(known, readersOf([session.runtime])));
  return steps.filter(isSaid).length;
}

export function isSaid({ source, aside }: Step): boolean {
  return source === 'user' && aside === undefined;
}

/** Records of which not one says anything here are no session that can be handed over, though all of them could be kept. */
function refuseUnknown(look: SessionLook): void {
  const why = allUnknown(look.transcript, look.fresh);
  if (why !== null) throw unreadable(look, why);
}

/** Which version wrote it, where it is none that reading is proven with. */
export function versionWords({ runtime, card, transcript }: SessionLook): string | null {
  const version = transcript.facts.version ?? card.version;
  return unprovenWords({ runtime: runtime.name, version, proven: runtime.provenVersions });
}

/** Two files with one id are two sessions; one file that was moved is one. */
async function isThere({ runtime, card }: FoundSession, path: string): Promise<boolean> {
  for await (const other of runtime.sessions()) if (other.id === card.id && other.path === path) return true;
  return false;
}

interface Looked extends FoundSession {
  readonly runtimes: readonly Runtime[];
  readonly read: ReadSession;
}

type ReadSession = (from: Cursor | undefined) => Promise<Omit<SeenRecords, 'from'>>;

/** A session as it is at one moment, no matter whose it turns out to be: each part of it is read once. */
function readOnce({ runtime, card }: FoundSession): ReadSession {
  const known = new Map<string, ReturnType<ReadSession>>();
  const read: ReadSession = async (from) => {
    const captured = await runtime.capture(card, from);
    const records: Uint8Array[] = [];
    for await (const record of captured.records) records.push(record);
    return { records, end: captured.end() };
  };
  return async (from) => {
    const name = JSON.stringify(from ?? null);
    let seen = known.get(name);
    if (seen === undefined) known.set(name, (seen = read(from)));
    // Where it no longer goes on from there, all of it was read.
    if ((await seen).end.fromStart) known.set('null', seen);
    return await seen;
  };
}

/** As a session of that task, or of none. */
export async function lookAs(
  context: Context,
  { runtimes, read, ...found }: FoundSession & Pick<Looked, 'runtimes'> & Partial<Looked>,
  binding: Binding,
): Promise<SessionLook> {
  const { runtime, card } = found;
  const packet = binding.bound?.state.packet ?? null;
  const before = await capturedBefore(context, packet, { runtime: runtime.name, id: card.id });
  const { records, end } = await (read ?? readOnce(found))(before.cursor);
  const { fromStart, omissions } = end;
  const part: StoryPart = {
    runtime: runtime.name,
    session: card.id,
    before: before.records,
    fromStart: fromStart && before.cursor !== undefined,
    records,
    omissions,
  };
  const earlier = binding.bound === undefined ? [] : await storyParts(context, binding.bound.task);
  const parts = [...earlier, part];
  const story = storyOf(parts, readersOf(runtimes));
  const transcript = transcriptOf(parts, found, story);
  const root = await rootOf(context);
  const folder = transcript.facts.folder ?? card.folder;
  const within = root === undefined || folder === null ? undefined : folderWithin(root, folder);
  const isElsewhere = before.path !== undefined && before.path !== card.path;
  return {
    ...found,
    ...binding,
    replaces: part.fromStart && isElsewhere ? (before.path ?? null) : null,
    story,
    work: story,
    ...defined({ within }),
    transcript,
    condition: conditionOf(transcript),
    fresh: records.length,
    seen: { from: before.cursor, records, end },
  };
}

/** One session as it was captured, apart from others of the same program. */
function transcriptOf(parts: readonly StoryPart[], found: FoundSession, story: Story): Transcript {
  const { runtime, card } = found;
  const own = parts.filter((part) => part.runtime === runtime.name && part.session === card.id);
  const alone = own.length === parts.length ? story : storyOf(own, readersOf([runtime]));
  const at = alone.sessions.findLastIndex(({ rewritten }) => !rewritten);
  const session = alone.sessions[at];
  if (session === undefined)
    return { facts: bareFacts(runtime.name, card.id), steps: [], omissions: [], unanswered: [] };
  return { ...session, steps: alone.steps.filter((step) => step.session === at) };
}

/** Why the work of a session has to change hands, as far as it shows; null where nothing forces it. */
export function triggerOf(
  { liveness }: Pick<SessionCard, 'liveness'>,
  { stopped, window }: Condition,
): Exclude<Trigger, 'planned' | 'user'> | null {
  if (stopped === 'usage-limit' || stopped === 'context-limit') return stopped;
  if (liveness === 'dead') return 'crash';
  if (window !== null && window.share >= fullShare) return 'context-limit';
  return null;
}

/** In the middle of a turn: what is handed over now would lack a result that is on its way. */
export function isBusy(
  {
    card,
    condition,
  }: {
    readonly card: Pick<SessionCard, 'liveness' | 'updatedAt'>;
    readonly condition: Pick<Condition, 'settled'>;
  },
  now: number,
): boolean {
  if (condition.settled || card.liveness === 'dead' || card.liveness === 'ended') return false;
  return card.liveness === 'alive' || !isExpired(card.updatedAt + quietMs, now);
}

/** A program that says nothing of whether it runs is taken to work as long as its session changes. */
const quietMs = 60_000;
