/** A packet for people and for tools that only read files. The same packet gives the same bytes (P11). */
import type { Digest } from '../core/digest.ts';
import { writeHandoff } from '../core/handoff-markdown.ts';
import type { TaskId } from '../core/id.ts';
import { progressFile, type ProgressFile } from '../core/progress-file.ts';
import type { Context } from './context.ts';
import { readCheckedPacket, readContract } from './history.ts';
import { noPacket } from './judge.ts';
import { load } from './load.ts';

export interface Brief {
  readonly packet: Digest;
  readonly handoff: string;
  /** Null for an earlier packet: a task stands as it stands now. */
  readonly progress: ProgressFile | null;
}

export async function brief(
  context: Context,
  task: TaskId,
  options: { readonly packet?: Digest } = {},
): Promise<Brief> {
  const { state } = await load(context, task);
  const digest = options.packet ?? state.packet;
  if (digest === null) throw noPacket(task);
  const packet = await readCheckedPacket(context, digest);
  return {
    packet: digest,
    handoff: writeHandoff(packet, await readContract(context, packet.contract), digest),
    progress:
      digest === state.packet
        ? progressFile({ ...state, packet: digest }, await readContract(context, state.contract), packet)
        : null,
  };
}
