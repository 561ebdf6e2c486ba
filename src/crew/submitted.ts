import type { Digest } from '../core/journal/digest.ts';
import { readPacket } from '../handoff/history/history.ts';
import type { Context } from '../handoff/record/context.ts';

/** The commit that a packet was sealed on. What is to be integrated is committed before: the gate sees to it. */
export async function submittedHead(context: Context, packet: Digest | null): Promise<string | null> {
  if (packet === null) return null;
  return (await readPacket(context, packet)).facts?.workspace?.git?.head ?? null;
}
