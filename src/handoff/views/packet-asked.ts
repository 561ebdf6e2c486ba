import { isDigest, type Digest } from '../../core/journal/digest.ts';
import { openEntry } from '../../core/journal/sealed.ts';
import { StaffettaError } from '../../core/base/error.ts';
import type { TaskId } from '../../core/journal/id.ts';
import type { Certification } from '../../core/journal/event.ts';
import type { Context } from '../record/context.ts';
import { entriesOf, load } from '../record/load.ts';
import { eventIn } from '../record/record.ts';

export interface FoundPacket {
  /** Its place in the chain, from 1. 0: of the task that this one goes on from. */
  readonly number: number;
  readonly digest: Digest;
  readonly certification: Certification;
  readonly findings: Digest | null;
}

/** A packet of this task and of no other, by its digest, the beginning of it, or as the latest: a token for one task reads nothing of the rest. */
export async function packetAsked(context: Context, task: TaskId, asked: string): Promise<FoundPacket> {
  const { state } = await load(context, task);
  if (asked === 'latest') {
    const { packet, packets, sealed } = state;
    if (packet !== null && sealed !== null) return { number: packets, digest: packet, ...sealed };
    throw new StaffettaError('unknown-packet', `Task ${task} has no packet yet.`, {
      details: { task },
      hint: 'A holder seals one with checkpoint, handoff, submit or complete.',
    });
  }
  const beginning = asked.startsWith('sha256:') ? asked : `sha256:${asked}`;
  if (!isDigest(beginning) && !/^sha256:[0-9a-f]{6,63}$/.test(beginning)) {
    throw new StaffettaError('invalid-input', `${JSON.stringify(asked)} is no packet digest.`, {
      details: { task },
      hint: `Give at least six digits of one, or "latest". They are listed by: staffetta log ${task}`,
    });
  }
  let number = 0;
  for await (const stored of entriesOf(context, task, { to: state.seq })) {
    const sealed = eventIn(openEntry(stored), 'checkpoint-sealed');
    if (sealed === undefined) continue;
    number += 1;
    const { packet: digest, certification, findings = null } = sealed;
    if (digest.startsWith(beginning)) return { number, digest, certification, findings };
  }
  throw new StaffettaError('unknown-packet', `Task ${task} has no packet ${asked}.`, {
    details: { task, packet: asked },
    hint: `Its packets are listed by: staffetta log ${task}`,
  });
}
