/**
 * Reading back what was sealed, where every microsecond counts: a history of five thousand hops is ten thousand packets and
 * entries. Bytes that match their digest are the bytes a writer sealed, and writers parse before they seal. So of
 * such bytes only the versions are looked at again; anything but today's goes the long way, which upcasts or
 * refuses. What decides about a task (`fold`, `verify`) always goes the long way.
 */
import { parseContract, type Contract } from './contract.ts';
import type { Digest } from './digest.ts';
import { entryDigest, parseEntry, type Entry } from './entry.ts';
import { StaffettaError } from './error.ts';
import { eventTypes } from './event.ts';
import { parsePacket, type Packet } from './packet.ts';
import { utf8 } from './utf8.ts';

const known: ReadonlySet<string> = new Set(eventTypes);

export function openEntry(stored: { readonly body: string; readonly digest: Digest }): Entry {
  if (entryDigest(stored.body) !== stored.digest) {
    throw new StaffettaError('corrupt', `Entry ${stored.digest} does not match its digest.`, {
      details: { entry: stored.digest },
      hint: 'Run: staffetta verify. Then restore a backup.',
    });
  }
  const entry = sealedJson(() => stored.body) as Entry | undefined;
  return entry?.events?.every(({ type, v }) => v === 1 && known.has(type)) === true
    ? entry
    : parseEntry(stored.body);
}

/** Bytes as a blob store returns them: it has compared them with their digest. */
export function openPacket(bytes: Uint8Array): Packet {
  return (sealedJson(() => utf8(bytes)) as Packet | undefined) ?? parsePacket(bytes);
}

/** Bytes as a blob store returns them. */
export function openContract(bytes: Uint8Array): Contract {
  return (sealedJson(() => utf8(bytes)) as Contract | undefined) ?? parseContract(bytes);
}

/** Undefined where it is no JSON, or not of today's version. */
function sealedJson(text: () => string): unknown {
  try {
    const value = JSON.parse(text()) as { readonly v?: unknown } | null;
    return value?.v === 1 ? value : undefined;
  } catch {
    return undefined;
  }
}
