/**
 * What a signature vouches for. A checkpoint and an approval are told as an in-toto Statement v1, in a DSSE envelope:
 *
 *   statement = canonical JSON of { _type, subject, predicateType, predicate }
 *   subject   = packet, contract, workspace and journal, each by its SHA-256; the journal by the entry before this one, which binds
 *               everything before it
 *   signed    = PAE("application/vnd.in-toto+json", statement), by ed25519
 *
 * Everything in a statement stands in the entry and in what the journal adds up to before it. So only the signature and the digest of
 * the public key are stored, in a `signed` event right after what it is about; the checker makes the statement again,
 * and it cannot say anything else than the journal does.
 */
import { canonical } from '../journal/canonical.ts';
import type { Digest } from '../journal/digest.ts';
import { isSignedBy } from './ed25519.ts';
import type { Entry } from '../journal/entry.ts';
import type { Event, EventOf } from '../journal/event.ts';
import type { TaskState } from '../task/state.ts';

export const payloadType = 'application/vnd.in-toto+json';
export const statementType = 'https://in-toto.io/Statement/v1';
const predicateTypes = {
  'checkpoint-sealed': 'urn:staffetta:checkpoint:v1',
  'review-approved': 'urn:staffetta:approval:v1',
} as const;

export type Attested = keyof typeof predicateTypes;

/** An entry on its way into the journal, or from it. */
export type AttestedEntry = Pick<Entry, 'task' | 'seq' | 'prev' | 'at' | 'by' | 'events'>;

export interface Attestation {
  /** The place of the event that it is about. */
  readonly index: number;
  readonly of: Attested;
  readonly statement: string;
  readonly signed: EventOf<'signed'> | undefined;
}

type Before = Pick<TaskState, 'contract' | 'sealed' | 'packet'>;

/** What an entry attests, signed or not; `before` is what the journal adds up to without it. */
export function attestationsIn(before: Before, entry: AttestedEntry): Attestation[] {
  const found: Attestation[] = [];
  let workspace = before.sealed?.workspace ?? null;
  for (const [index, event] of entry.events.entries()) {
    if (event.type === 'checkpoint-sealed') workspace = event.workspace ?? null;
    if (!isAttested(event)) continue;
    const after = entry.events[index + 1];
    found.push({
      index,
      of: event.type,
      statement: statementOf(event, { entry, workspace, contract: before.contract }),
      signed: after?.type === 'signed' ? after : undefined,
    });
  }
  return found;
}

export function isAttested(event: Event): event is EventOf<Attested> {
  return event.type === 'checkpoint-sealed' || event.type === 'review-approved';
}

function statementOf(
  event: EventOf<Attested>,
  at: { readonly entry: AttestedEntry; readonly workspace: Digest | null; readonly contract: Digest },
): string {
  const { task, seq, prev, at: time, by } = at.entry;
  const subjects: readonly (readonly [string, Digest | null])[] = [
    ['packet', event.packet],
    ['contract', at.contract],
    ['workspace', at.workspace],
    ['journal', prev],
  ];
  const { type, v: _version, packet: _packet, ...said } = event;
  return canonical({
    _type: statementType,
    subject: subjects.flatMap(([name, digest]) =>
      digest === null ? [] : [{ name, digest: { sha256: digest.slice('sha256:'.length) } }],
    ),
    predicateType: predicateTypes[type],
    predicate: { ...said, task, seq, at: time, by },
  });
}

/** The bytes that are signed: DSSE's pre-authentication encoding. */
export function preAuthEncoding(type: string, payload: string): Uint8Array {
  const lengths = [type, payload].map((text) => Buffer.byteLength(text));
  return Buffer.from(`DSSEv1 ${lengths[0]} ${type} ${lengths[1]} ${payload}`);
}

export function isSound({ statement, signed }: Attestation, publicKey: Uint8Array): boolean {
  return (
    signed !== undefined && isSignedBy(publicKey, preAuthEncoding(payloadType, statement), signed.signature)
  );
}

export interface Envelope {
  readonly payload: string;
  readonly payloadType: string;
  readonly signatures: readonly { readonly keyid: string; readonly sig: string }[];
}

/** As other tools read it. */
export function envelopeOf(statement: string, { key, signature }: EventOf<'signed'>): Envelope {
  return {
    payload: Buffer.from(statement).toString('base64'),
    payloadType,
    signatures: [{ keyid: key, sig: signature }],
  };
}
