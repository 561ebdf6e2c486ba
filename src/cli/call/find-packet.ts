import { isDigest, type Digest } from '../../core/journal/digest.ts';
import { openEntry } from '../../core/journal/sealed.ts';
import { StaffettaError } from '../../core/base/error.ts';
import type { TaskId } from '../../core/journal/id.ts';
import type { Context } from '../../handoff/record/context.ts';
import { entriesOf, load } from '../../handoff/record/load.ts';
import { eventIn } from '../../handoff/record/record.ts';
import { UsageError } from '../frame/usage.ts';

export interface FoundPacket {
  /** Its place in the chain, from 1. */
  readonly number: number;
  readonly digest: Digest;
}

/** A packet of this task by its digest, the beginning of it, or as the latest. */
export async function packetAsked(context: Context, task: TaskId, asked: string): Promise<FoundPacket> {
  const { state } = await load(context, task);
  if (asked === 'latest') {
    if (state.packet !== null) return { number: state.packets, digest: state.packet };
    throw new StaffettaError('unknown-packet', `Task ${task} has no packet yet.`, {
      details: { task },
      hint: 'A holder seals one with checkpoint, handoff, submit or complete.',
    });
  }
  const beginning = asked.startsWith('sha256:') ? asked : `sha256:${asked}`;
  if (!isDigest(beginning) && !/^sha256:[0-9a-f]{6,63}$/.test(beginning)) {
    throw new UsageError(
      `${JSON.stringify(asked)} is no packet digest.`,
      `Give at least six digits of one, or "latest". They are listed by: staffetta log ${task}`,
    );
  }
  let number = 0;
  for await (const stored of entriesOf(context, task, { to: state.seq })) {
    const sealed = eventIn(openEntry(stored), 'checkpoint-sealed');
    if (sealed === undefined) continue;
    number += 1;
    if (sealed.packet.startsWith(beginning)) return { number, digest: sealed.packet };
  }
  throw new StaffettaError('unknown-packet', `Task ${task} has no packet ${asked}.`, {
    details: { task, packet: asked },
    hint: `Its packets are listed by: staffetta log ${task}`,
  });
}
