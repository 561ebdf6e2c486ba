/** The diff of a packet, as it was stored when the packet was sealed: what a reviewer judges, whatever the folder holds now. */
import type { Digest } from '../../core/journal/digest.ts';
import { parseDiff, type ParsedDiff } from '../../core/diff/parse.ts';
import { StaffettaError } from '../../core/base/error.ts';
import type { Packet } from '../../core/packet/packet.ts';
import type { Context } from '../record/context.ts';
import { readBlob } from './history.ts';

export interface PacketDiff extends ParsedDiff {
  readonly blob: Digest;
  /** It was longer than what a packet keeps. */
  readonly short: boolean;
  /** It shows what was committed since the work began, too. */
  readonly committed: boolean;
}

/** Null where the packet was sealed without a workspace. */
export async function diffOf(context: Context, { facts }: Packet): Promise<PacketDiff | null> {
  const kept = facts?.diff;
  if (kept === undefined) return null;
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(await readBlob(context, kept.blob));
  return {
    ...parseDiff(text),
    blob: kept.blob,
    short: kept.cut === true,
    committed: kept.committed === true,
  };
}

export function noDiff(packet: Digest, { facts }: Packet): StaffettaError {
  return new StaffettaError('unknown-packet', `The packet ${packet} has no diff.`, {
    details: { packet },
    hint:
      facts?.workspace === undefined
        ? 'It was sealed where there was no workspace to look at.'
        : 'It was sealed in a hurry; what of the changed files is captured says: staffetta show --json',
  });
}
