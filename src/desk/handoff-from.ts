/**
 * A session is handed over, for every edge: it is found, it may be, and what it says of its task is drafted; then what was said of the
 * contract beside it is agreed, its task is opened or taken in its name, and its packet goes out.
 */
import { existsSync, realpathSync } from 'node:fs';
import { isAbsolute, relative, sep } from 'node:path';
import { joinCommand } from '../core/base/command-line.ts';
import { defined } from '../core/base/defined.ts';
import { isStaffettaError, StaffettaError } from '../core/base/error.ts';
import { sanitizeLine } from '../core/base/sanitize.ts';
import type { Trigger } from '../core/journal/event.ts';
import type { TaskId } from '../core/journal/id.ts';
import { isEmergency } from '../core/packet/emergency.ts';
import type { PacketWords } from '../core/packet/packet.ts';
import type { Actor } from '../core/task/actor.ts';
import { agentOf } from '../core/task/agent-name.ts';
import type { TaskState } from '../core/task/state.ts';
import type { Context } from '../handoff/record/context.ts';
import { lookOrPoint } from '../handoff/sealing/pointer.ts';
import type { SealedRecord } from '../handoff/sealing/sealing.ts';
import { searchedWords } from '../handoff/sealing/searched-words.ts';
import { sessionDraft, type SessionDraft } from '../handoff/sessions/draft-session.ts';
import { findSession, unreadable } from '../handoff/sessions/find-session.ts';
import {
  adoptSession,
  handoffSession,
  type Adopted,
  type SessionHandoff,
} from '../handoff/sessions/from-session.ts';
import { isBusy, triggerOf, type SessionLook } from '../handoff/sessions/session-look.ts';
import { heldByOther } from '../handoff/sessions/session-task.ts';
import { amend } from '../handoff/verbs/amend.ts';
import type { Held } from '../handoff/verbs/carry.ts';
import type { ContractInput } from '../handoff/verbs/open.ts';
import type { Runtime, SessionCard } from '../ports/runtime.ts';
import {
  agreedUnder,
  amendmentWith,
  changesIt,
  withPart,
  type Agreed,
  type ContractGiven,
} from './agree-first.ts';

export interface SessionToHandOver {
  readonly look: SessionLook;
  /** The folder that it worked in, if that is gone and this one is taken for it. */
  readonly movedFrom: string | null;
}

/** `given` names a session, or is `latest`. One that worked elsewhere is refused: its packet would tell of the wrong files. */
export async function lookForHandoff(
  context: Context,
  runtimes: readonly Runtime[],
  { given, folder }: { readonly given: string; readonly folder: string },
): Promise<SessionToHandOver> {
  const found = await findSession(runtimes, { given, folder, pointers: true });
  const movedFrom = movedFolder(found.card, folder);
  return { look: await lookOrPoint(context, found, runtimes), movedFrom };
}

/** A folder that is gone was moved, or is of another machine. */
function movedFolder({ folder, id, runtime }: SessionCard, root: string): string | null {
  if (folder === null) return null;
  const [there, here] = [folder, root].map((path) => (existsSync(path) ? realpathSync(path) : undefined));
  if (there === undefined || here === undefined) return folder === root ? null : folder;
  if (isWithin(here, there) || isWithin(there, here)) return null;
  throw new StaffettaError(
    'workspace-moved',
    `The session ${id} worked in ${sanitizeLine(folder)}, and this is ${sanitizeLine(root)}: its packet would tell of the wrong files.`,
    {
      details: { session: id, runtime, folder, root },
      hint: `Go there first: ${joinCommand(['cd', folder])} && staffetta handoff --from ${runtime}:${id} …`,
    },
  );
}

function isWithin(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return !isAbsolute(way) && way.split(sep)[0] !== '..';
}

export function triggerFor({ card, condition }: SessionLook, asked: Trigger | undefined): Trigger {
  return asked ?? triggerOf(card, condition) ?? 'planned';
}

/** Only in an emergency a session goes out that cannot be read, or that is at work. */
export function refuseUnfit(look: SessionLook, trigger: Trigger): void {
  if (isEmergency(trigger)) return;
  if (look.pointer !== undefined) throw unreadable(look, look.pointer);
  if (trigger === 'user' || !isBusy(look, Date.now())) return;
  const { card, condition } = look;
  const doing =
    condition.turn === 'tool'
      ? `waits for ${condition.calls.map(({ tool }) => tool).join(', ')}`
      : 'works on an answer';
  throw new StaffettaError(
    'session-busy',
    `The session ${card.id} is in the middle of a turn: it ${sanitizeLine(doing)}.`,
    {
      details: { runtime: card.runtime, session: card.id, pid: card.pid },
      hint: 'Wait until it has answered. To take it as it is: --trigger user. If it hangs: --trigger timeout.',
    },
  );
}

export interface DraftedSession extends SessionDraft {
  /** With its words searched for secrets. */
  readonly look: SessionLook;
}

/** Whatever is shown of a session is searched first, also where it has a task. */
export async function draftSession(context: Context, look: SessionLook): Promise<DraftedSession> {
  const { bound: _bound, ...unbound } = look;
  const searched = await searchedWords(context, unbound);
  return {
    ...sessionDraft(searched.work, searched),
    look: { ...look, ...defined({ seen: searched.seen }), work: searched.work },
  };
}

export interface PreparedHandoff extends Pick<SessionDraft, 'evidence'> {
  /** With its words searched for secrets. */
  readonly look: SessionLook;
  readonly trigger: Trigger;
  readonly contract: ContractInput;
  readonly words: PacketWords;
  /** What of them was said by the giver. */
  readonly spoken: PacketWords;
  /** What was said of the contract. */
  readonly given: ContractGiven;
  /** Where the session has a task: what was agreed for it, and is amended by what was said. */
  readonly agreed?: Agreed;
}

/** What the session says of its task, and beside it what the giver says. */
export async function prepareHandoff(
  context: Context,
  seen: SessionLook,
  { given, words: spoken, trigger }: Pick<PreparedHandoff, 'given' | 'words' | 'trigger'>,
  { by, state }: { readonly by: Actor; readonly state: TaskState | undefined },
): Promise<PreparedHandoff> {
  const { look, ...draft } = await draftSession(context, seen);
  const agreed = state === undefined ? undefined : await agreedUnder(context, state, by);
  const evidence = Object.fromEntries(
    Object.entries(draft.evidence).filter(([field]) => agreed === undefined && !Object.hasOwn(given, field)),
  );
  return {
    look,
    trigger,
    contract: agreed === undefined ? { ...draft.contract, ...given } : withPart(agreed, given),
    words: { ...spoken, claims: { ...draft.claims, ...spoken.claims } },
    spoken,
    given,
    evidence,
    ...defined({ agreed }),
  };
}

/** How the task stands that the session is bound to; refused at once where another holds it. */
export function boundState({ bound, card }: SessionLook): TaskState | undefined {
  const other = bound === undefined ? undefined : heldByOther(bound, agentOf(card));
  if (other !== undefined) throw other;
  return bound?.state;
}

/** Told as it happens: what comes after may be refused. */
export interface HandoverTold {
  readonly amended: (task: TaskId, fields: readonly string[], refused?: StaffettaError) => void;
  readonly adopted: (adopted: Adopted) => void;
}

export interface Handover extends HandoverTold {
  readonly by: Actor;
  /** The leg of a caller that gives the session to a task of its own. */
  readonly own?: Held | undefined;
  readonly aim: Omit<SessionHandoff, 'trigger' | 'words' | 'spoken' | 'outside'>;
  readonly dryRun: boolean;
}

export interface HandedOver {
  /** Of the contract: what is amended, or would be. */
  readonly amends: readonly string[];
  /** Undefined in a dry run. */
  readonly recorded?: SealedRecord;
}

export async function handOver(
  context: Context,
  prepared: PreparedHandoff,
  { by, own, aim, dryRun, ...told }: Handover,
): Promise<HandedOver> {
  const { look, contract, words, spoken, trigger } = prepared;
  const amends = await amendFirst(context, prepared, { by, dryRun, ...told });
  const adopted =
    own === undefined
      ? await adoptSession(context, look, () => contract, { dryRun })
      : { task: own.task, generation: own.generation, by, opened: false, backTo: null };
  // What only the agent in the session could have done is not in the hand of a person who ends its leg.
  const outside = own === undefined && by.kind === 'human' ? { outside: true } : {};
  const handoff: SessionHandoff = { ...aim, spoken, trigger, words, ...outside };
  if (dryRun) {
    const isHeld = own !== undefined || (look.bound?.state.leg ?? null) !== null;
    // What has to be opened or taken first was tried so far; what is held already can be tried to its end.
    if (isHeld && amends.length === 0) await handoffSession(context, look, adopted, handoff, { dryRun });
    return { amends };
  }
  told.adopted(adopted);
  return { amends, recorded: await handoffSession(context, look, adopted, handoff) };
}

/**
 * The contract of a session's task was agreed, so what is said of it amends it as `amend` does, in the name of the caller. In an emergency
 * the packet goes out even if the caller may not amend.
 */
async function amendFirst(
  context: Context,
  { look: { card }, trigger, agreed, given }: PreparedHandoff,
  { by, dryRun, amended }: Pick<Handover, 'by' | 'dryRun' | 'amended'>,
): Promise<readonly string[]> {
  if (agreed === undefined || !changesIt(agreed, given)) return [];
  const { task, generation, leg } = agreed.state;
  const why = `Said when the session ${card.id} of ${card.runtime} was handed over.`;
  const amendment = {
    ...amendmentWith(given, why),
    ...(leg?.holder.name === by.name ? { generation } : {}),
  };
  const fields = Object.keys(given);
  try {
    await amend(context, task, amendment, { by, dryRun });
  } catch (error) {
    if (!isStaffettaError(error) || !isEmergency(trigger)) throw error;
    amended(task, fields, error);
    return [];
  }
  if (!dryRun) amended(task, fields);
  return fields;
}
