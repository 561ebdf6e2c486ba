/** Finds out what `core/resumable` judges: the program, the session that the latest packet was made from, and the workspace. */
import { defined } from '../../core/base/defined.ts';
import type { Actor } from '../../core/task/actor.ts';
import { isStaffettaError, StaffettaError } from '../../core/base/error.ts';
import type { TaskId } from '../../core/journal/id.ts';
import type { Packet } from '../../core/packet/packet.ts';
import {
  checksOf,
  firstRefused,
  type ResumeCheck,
  type ResumeWay,
  type SeenSession,
  type SeenTree,
} from '../../core/resume/resumable.ts';
import { conditionOf } from '../../core/transcript/condition.ts';
import type { AdviceFacts } from '../../core/resume/advice.ts';
import type { WorkspaceFacts } from '../../core/tree/workspace.ts';
import { driftOf } from '../../core/tree/workspace-drift.ts';
import type { Installation, Runtime, RuntimeName, SessionCard } from '../../ports/runtime.ts';
import type { Context } from '../record/context.ts';

export interface ResumeQuestion {
  readonly task: TaskId;
  readonly runtime: Runtime;
  readonly runtimes: readonly Runtime[];
  readonly way: ResumeWay;
  readonly packet: Packet | null;
  readonly starts: boolean;
  readonly unproven: boolean;
}

export interface Resumability {
  readonly checks: readonly ResumeCheck[];
  readonly installation: Installation | null;
  /** The session that the latest packet was made from, where it is on this machine. */
  readonly card: SessionCard | null;
}

export async function proveResumable(context: Context, question: ResumeQuestion): Promise<Resumability> {
  const { runtime, runtimes, way, packet, starts, unproven } = question;
  const installation = await runtime.locate();
  const program = installation?.program ?? null;
  const seen = await seeSession(runtimes, packet);
  const sealed = packet?.facts?.workspace ?? null;
  const now = await probe(context);
  const checks = checksOf({
    task: question.task,
    runtime: runtime.name,
    way,
    starts,
    installed: installation !== null,
    program,
    version: program === null ? null : await runtime.version(),
    provenVersions: runtime.provenVersions,
    session: seen.session,
    sealed: treeOf(sealed),
    now: treeOf(now),
    differs: sealed === null || now === null ? [] : pathsThatDiffer(sealed, now),
    unproven,
  });
  return { checks, installation, card: seen.card };
}

/** The first check that refuses, with all of them beside it. */
export function refuseUnlessResumable(task: TaskId, checks: readonly ResumeCheck[]): void {
  const refused = firstRefused(checks);
  if (refused === undefined) return;
  throw new StaffettaError(refused.code ?? 'not-resumable', refused.text, {
    details: { task, checks },
    ...defined({ hint: refused.fix }),
  });
}

interface SeenBoth {
  readonly session: SeenSession | null;
  readonly card: SessionCard | null;
}

async function seeSession(runtimes: readonly Runtime[], packet: Packet | null): Promise<SeenBoth> {
  const fact = packet?.facts?.session;
  if (fact === undefined) return { session: null, card: null };
  const runtime = runtimes.find(({ name }) => name === fact.runtime);
  const card = runtime === undefined ? null : await sessionCardOf(runtime, fact);
  return { session: { runtime: fact.runtime, id: fact.id, card }, card };
}

/** Of several files with one id, the one that was captured; a program that cannot be looked at has none. */
export async function sessionCardOf(
  runtime: Runtime,
  { id, path }: { readonly id: string; readonly path?: string | undefined },
): Promise<SessionCard | null> {
  let found: SessionCard | null = null;
  try {
    for await (const card of runtime.sessions()) {
      if (card.id !== id) continue;
      if (path === undefined || card.path === path) return card;
      found ??= card;
    }
  } catch (error) {
    if (!isStaffettaError(error) && !(error instanceof Error && 'code' in error)) throw error;
  }
  return found;
}

async function probe(context: Context): Promise<WorkspaceFacts | null> {
  try {
    return (await (await context.workspace?.())?.probe()) ?? null;
  } catch (error) {
    if (isStaffettaError(error)) return null;
    throw error;
  }
}

function pathsThatDiffer(sealed: WorkspaceFacts, now: WorkspaceFacts): string[] {
  const paths = new Set([...sealed.changes, ...now.changes].map(({ path }) => path));
  return driftOf(sealed, now)
    .filter(({ fact, standing }) => standing !== 'same' && paths.has(fact))
    .map(({ fact }) => fact);
}

function treeOf(facts: WorkspaceFacts | null): SeenTree | null {
  return facts && { root: facts.root, head: facts.git?.head ?? null, digest: facts.digest };
}

/**
 * What advice needs to know of the session in which the work is: null where there was one and it cannot go on, `unknown` where
 * nobody ever captured one.
 */
export async function sessionFacts(
  context: Context,
  runtimes: readonly Runtime[],
  { packet, holder }: { readonly packet: Packet | null; readonly holder: Actor | null },
): Promise<AdviceFacts | 'unknown' | null> {
  const captured = packet?.facts?.session;
  // Nobody captured one, but the holder said in which it works.
  const fact = captured ?? { runtime: holder?.runtime, id: holder?.session ?? '' };
  const runtime = runtimes.find(({ name }) => name === fact.runtime);
  if (runtime === undefined) return 'unknown';
  const card = fact.id === '' ? null : await sessionCardOf(runtime, fact);
  if (card === null || card.pointerOnly !== null) return captured === undefined ? 'unknown' : null;
  const now = treeOf(await probe(context));
  const then = treeOf(packet?.facts?.workspace ?? null);
  const window = await windowOf(runtime, card);
  if (window === undefined) return null;
  return {
    resumable: ((await runtime.locate())?.program ?? null) !== null,
    idleMs: Math.max(0, context.clock.now() - card.updatedAt),
    contextUsed: window?.share ?? null,
    workspaceMatches: then === null || now === null || then.digest === now.digest,
    tokens: window?.used ?? null,
  };
}

/** Undefined where the session vanished while it was read. */
async function windowOf(
  runtime: Runtime,
  card: SessionCard,
): Promise<ReturnType<typeof conditionOf>['window'] | undefined> {
  try {
    const records: Uint8Array[] = [];
    for await (const record of (await runtime.capture(card)).records) records.push(Buffer.from(record));
    return conditionOf(runtime.read(records)).window;
  } catch (error) {
    if (isStaffettaError(error)) return undefined;
    throw error;
  }
}

export function runtimeNamed(runtimes: readonly Runtime[], name: RuntimeName): Runtime {
  const found = runtimes.find((one) => one.name === name);
  if (found !== undefined) return found;
  throw new StaffettaError('invalid-input', `No runtime here is called ${name}.`, {
    hint: `Known: ${runtimes.map((one) => one.name).join(', ')}.`,
  });
}
