/**
 * Reading back what was sealed, where every microsecond counts: a history of five thousand hops is ten thousand packets and
 * entries. Bytes that match their digest are the bytes a writer sealed, and writers parse before they seal. So of
 * such bytes only the versions are looked at again; anything but today's goes the long way, which upcasts or
 * refuses. What decides about a task (`fold`, `verify`) always goes the long way.
 */
import type { Digest } from './digest.ts';
import { entryDigest, parseEntry, type Entry } from './entry.ts';
import { StaffettaError } from '../base/error.ts';
import { eventTypes } from './event.ts';

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

/** Undefined where it is no JSON, or not of today's version. */
export function sealedJson(text: () => string): unknown {
  try {
    const value = JSON.parse(text()) as { readonly v?: unknown } | null;
    return value?.v === 1 ? value : undefined;
  } catch {
    return undefined;
  }
}
