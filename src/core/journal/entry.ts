/**
 * The hash chain. An entry is one atomic change of one task: one or more events by one actor at one time.
 *
 *   body   = RFC 8785 canonical JSON of the entry
 *   digest = SHA-256("staffetta/entry/v1\n" + body)
 *   prev   = digest of the entry before it, null at seq 0
 *
 * The body is stored exactly as hashed. It is valid if its digest matches, its canonical form is itself, its seq follows and
 * its prev is the digest before it. Entries of a task are numbered from 0 without gaps.
 */
import * as z from 'zod/mini';
import { Actor } from '../task/actor.ts';
import { canonical } from './canonical.ts';
import { Digest, digestOf } from './digest.ts';
import { StaffettaError } from '../base/error.ts';
import type { Event } from './event.ts';
import { TaskId } from './id.ts';
import { limits } from '../base/limits.ts';
import { parseOwn, tryParse } from '../base/parse.ts';
import { IdempotencyKey } from '../base/text.ts';
import { readEvent } from './upcast.ts';

const Envelope = z.strictObject({
  v: z.literal(1),
  task: TaskId,
  seq: z.int().check(z.minimum(0)),
  prev: z.nullable(Digest),
  at: z.int().check(z.minimum(0)),
  by: Actor,
  /** The generation the writer held, on entries that only a holder may write. */
  generation: z.optional(z.int().check(z.minimum(1))),
  key: z.optional(IdempotencyKey),
  /** Digest of the request behind `key`: the same key with another request is refused. */
  request: z.optional(Digest),
  events: z.array(z.unknown()).check(z.minLength(1), z.maxLength(limits.eventsMax)),
});

type Envelope = z.infer<typeof Envelope>;
export type Entry = Omit<Envelope, 'events'> & { readonly events: readonly Event[] };

export interface SealedEntry {
  readonly body: string;
  readonly digest: Digest;
}

/**
 * Times in a journal never go back: behind a clock that was ahead, they stand still until the others have caught up. Only the entry
 * is written so. Leases and rests are decided by what the clock of their writer says, so that one wrong clock holds up nobody else.
 */
export function entryTime(before: { readonly updatedAt: number } | undefined, now: number): number {
  return Math.max(before?.updatedAt ?? 0, now);
}

/** Keeps an entry from ever having the digest of a blob. */
export const entryDomain = 'staffetta/entry/v1\n';

export function entryDigest(body: string): Digest {
  return digestOf(entryDomain + body);
}

/** Whatever is sealed can be read back: a body that `parseEntry` would refuse is refused here, before it is stored. */
export function sealEntry(entry: Entry): SealedEntry {
  const body = canonical(parseOwn(Envelope, entry, 'entry'));
  const bytes = Buffer.byteLength(body);
  if (bytes > limits.entryBytesMax) {
    throw new StaffettaError(
      'too-large',
      `The entry would take ${bytes} bytes; the limit is ${limits.entryBytesMax}.`,
      {
        hint: 'Put long content into the transcript or an artefact, and refer to it.',
      },
    );
  }
  return { body, digest: entryDigest(body) };
}

/** Body text to entry. Checks form, not place in the chain. */
export function parseEntry(body: string): Entry {
  let raw: unknown;
  try {
    raw = JSON.parse(body);
  } catch (cause) {
    throw new StaffettaError('corrupt', 'A journal entry is not JSON.', { cause });
  }
  const envelope = readEnvelope(raw);
  return { ...envelope, events: envelope.events.map((event) => readEvent(event)) };
}

function readEnvelope(raw: unknown): Envelope {
  const parsed = tryParse(Envelope, raw);
  if (!parsed.success) {
    const version = (raw as { v?: unknown } | null)?.v;
    if (typeof version === 'number' && version > 1) {
      throw new StaffettaError('store-newer', `The journal holds an entry of version ${version}.`, {
        hint: 'Update staffetta to the version that wrote it.',
      });
    }
    throw new StaffettaError('corrupt', 'A journal entry does not have the shape of an entry.', {
      details: {
        issues: parsed.error.issues.slice(0, 3).map((issue) => `${issue.path.join('.')}: ${issue.message}`),
      },
    });
  }
  return parsed.data;
}

export interface Link {
  readonly seq: number;
  readonly digest: Digest;
}

/**
 * Everything that can be wrong with one stored entry in its place, in words; empty if it is sound. Before the first entry there is
 * nothing; where the entry before is `missing`, what it said cannot be compared, and the entry is not to blame for that.
 */
export function linkFaults(
  stored: SealedEntry & { readonly seq: number },
  before: Link | 'missing' | undefined,
): string[] {
  const faults: string[] = [];
  if (entryDigest(stored.body) !== stored.digest) faults.push('its bytes do not match its digest');
  let raw: { seq?: unknown; prev?: unknown } | null;
  try {
    raw = JSON.parse(stored.body) as { seq?: unknown; prev?: unknown } | null;
    if (canonical(raw) !== stored.body) faults.push('its bytes are not in canonical form');
  } catch {
    return [...faults, 'it is not JSON'];
  }
  const seq = before === undefined ? 0 : before === 'missing' ? stored.seq : before.seq + 1;
  if (stored.seq !== seq) faults.push(`it stands at ${stored.seq} where ${seq} was expected`);
  if (raw?.seq !== stored.seq) faults.push(`it says it is number ${String(raw?.seq)}`);
  if (before !== 'missing' && raw?.prev !== (before?.digest ?? null))
    faults.push('it does not continue the entry before it');
  return faults;
}
