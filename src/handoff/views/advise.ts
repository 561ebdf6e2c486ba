/** Resume or switch, asked about a task as it stands. Nothing is recorded. */
import type { Lane } from '../../core/task/actor.ts';
import {
  advise,
  contextOverloaded,
  sessionStaleMs,
  type Advice,
  type AdviceFacts,
} from '../../core/resume/advice.ts';
import type { Certification, Trigger } from '../../core/journal/event.ts';
import { writeHandoff } from '../../core/files/handoff-markdown.ts';
import type { TaskId } from '../../core/journal/id.ts';
import type { Finding } from '../../core/gate/finding.ts';
import type { TaskState } from '../../core/task/state.ts';
import type { Digest } from '../../core/journal/digest.ts';
import type { Context } from '../record/context.ts';
import type { PacketInput } from '../sealing/gather.ts';
import { readContract, readCheckedPacket } from '../history/history.ts';
import { draftPacket, judgeLatest } from '../sealing/judge.ts';
import { load } from '../record/load.ts';
import type { Runtime } from '../../ports/runtime.ts';
import type { Call } from '../record/record.ts';
import type { SealedPacket } from '../sealing/seal.ts';
import { sessionFacts } from '../sessions/resumability.ts';

/** English and code come to about this many characters a token. */
const charsPerToken = 4;

export interface AdviceRequest {
  /** Null: stay where it is, in another lane perhaps. */
  readonly runtime: string | null;
  readonly lane?: Lane;
  readonly trigger?: Trigger;
  /** What the packet would say. Without it the latest one is judged. */
  readonly draft?: PacketInput;
  /** Programs whose sessions may be looked at. Without them nothing is known of the session. */
  readonly runtimes?: readonly Runtime[];
}

/** `none`: there was one, and it cannot go on here. `unknown`: no session was ever captured, or nobody looked. */
export type SessionWord = 'unknown' | 'none' | 'fresh' | 'stale' | 'overloaded';

export interface TaskAdvice extends Advice {
  readonly from: { readonly runtime: string | null; readonly lane: Lane };
  readonly to: { readonly runtime: string | null; readonly lane: Lane };
  /** Which packet was judged; null for a draft. */
  readonly packet: Digest | null;
  readonly certification: Certification;
  readonly findings: readonly Finding[];
  /** How the session stands that the latest packet was made from. */
  readonly session: SessionWord;
  readonly sessionFacts: AdviceFacts | null;
}

export async function adviseOn(
  context: Context,
  task: TaskId,
  request: AdviceRequest,
  call: Call,
): Promise<TaskAdvice> {
  const { state } = await load(context, task);
  const { trigger = 'planned', draft, runtimes = [] } = request;
  const drafted =
    draft === undefined && state.packet !== null
      ? null
      : await draftPacket(context, task, { ...draft, trigger }, call);
  const judged =
    drafted === null
      ? await judgeLatest(context, task)
      : { packet: null, certification: drafted.certification, findings: drafted.findings };
  const from = await whereItIs(context, state);
  const to = { runtime: request.runtime ?? from.runtime, lane: request.lane ?? from.lane };
  // Nobody knows its name, but it stays the same.
  const same = request.runtime === null ? (from.runtime ?? 'this runtime') : undefined;
  const packet = state.packet === null ? null : await readCheckedPacket(context, state.packet);
  const session = await sessionFacts(context, runtimes, { packet, holder: state.leg?.holder ?? null });
  const advice = advise({
    from: { runtime: same ?? from.runtime, lane: from.lane },
    to: { runtime: same ?? to.runtime ?? '', lane: to.lane },
    session,
    certification: judged.certification,
    trigger,
    briefingTokens: await briefingTokens(context, state, drafted),
  });
  return {
    ...advice,
    from,
    to,
    ...judged,
    session: wordFor(session),
    sessionFacts: session === 'unknown' ? null : session,
  };
}

function wordFor(session: AdviceFacts | 'unknown' | null): SessionWord {
  if (session === 'unknown') return 'unknown';
  if (session?.resumable !== true) return 'none';
  if (session.contextUsed !== null && session.contextUsed >= contextOverloaded) return 'overloaded';
  return session.idleMs >= sessionStaleMs ? 'stale' : 'fresh';
}

/** By the leg that holds it, else by the author of the latest packet. */
async function whereItIs(
  context: Context,
  { leg, packet }: TaskState,
): Promise<{ readonly runtime: string | null; readonly lane: Lane }> {
  if (leg !== null) return { runtime: leg.holder.runtime ?? null, lane: leg.lane };
  if (packet === null) return { runtime: null, lane: 'execute' };
  const { from } = await readCheckedPacket(context, packet);
  return { runtime: from.runtime ?? null, lane: from.lane ?? 'execute' };
}

/** What a receiver reads first: the packet as HANDOFF.md, as it would be or as it was sealed last. */
async function briefingTokens(
  context: Context,
  { packet: latest }: TaskState,
  drafted: SealedPacket | null,
): Promise<number | null> {
  const digest = drafted?.digest ?? latest;
  if (digest === null) return null;
  const packet = drafted?.packet ?? (await readCheckedPacket(context, digest));
  const text = writeHandoff(packet, await readContract(context, packet.contract), digest);
  return Math.ceil(text.length / charsPerToken);
}
