/**
 * A session that cannot be read is still somewhere. In an emergency it is handed on as a pointer: the packet names its file and says why
 * nothing of it is there.
 */
import { isStaffettaError } from '../../core/base/error.ts';
import { limits } from '../../core/base/limits.ts';
import { sessionLoss } from '../../core/packet/missing.ts';
import type { PacketWords } from '../../core/packet/packet.ts';
import { cut } from '../../core/base/text.ts';
import { bareFacts } from '../../core/transcript/bare-facts.ts';
import { conditionOf } from '../../core/transcript/condition.ts';
import type { Runtime } from '../../ports/runtime.ts';
import type { Context } from '../record/context.ts';
import type { FoundSession } from '../sessions/find-session.ts';
import { lookAtSession, type SessionLook } from '../sessions/session-look.ts';
import { placedId, taskOfSession } from '../sessions/session-task.ts';

/** The caller must look at `pointer`: only an emergency may go on with one. */
export async function lookOrPoint(
  context: Context,
  found: FoundSession,
  runtimes: readonly Runtime[],
): Promise<SessionLook> {
  const { pointerOnly } = found.card;
  if (pointerOnly !== null) return await pointed(context, found, pointerOnly);
  try {
    return await lookAtSession(context, found, runtimes);
  } catch (error) {
    if (!isStaffettaError(error, 'session-unreadable')) throw error;
    const { why } = error.details;
    return await pointed(context, found, typeof why === 'string' ? why : error.message);
  }
}

async function pointed(context: Context, found: FoundSession, pointer: string): Promise<SessionLook> {
  const { runtime, card } = found;
  const placed = await taskOfSession(context, { runtime: card.runtime, id: placedId(card) });
  const binding = placed.bound === undefined ? await taskOfSession(context, card) : placed;
  const facts = { ...bareFacts(runtime.name, card.id), version: card.version, folder: card.folder };
  const transcript = { facts, steps: [], omissions: [], unanswered: [] };
  const story = { sessions: [], steps: [], unread: [] };
  return {
    ...found,
    ...binding,
    story,
    work: story,
    transcript,
    condition: conditionOf(transcript),
    replaces: null,
    fresh: 0,
    seen: { from: undefined, records: [], end: { cursor: '', fromStart: false, omissions: [] } },
    pointer,
  };
}

/** What a packet says of a session that it has nothing of. */
export function pointing({ card }: FoundSession, why: string, words: PacketWords): PacketWords {
  const { runtime, id, path } = card;
  const loss = {
    what: sessionLoss,
    why: cut(`pointer only: ${why} It is the session ${id} of ${runtime}, in ${path}`, whyCharsMax),
  };
  return {
    ...words,
    losses: [...(words.losses ?? []).slice(0, limits.listItemsMax - 1), loss],
  };
}

const whyCharsMax = 2000;
