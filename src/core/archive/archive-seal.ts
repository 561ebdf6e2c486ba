/**
 * Who exported: the last line of an export, a DSSE envelope over an in-toto statement that names where the export's chain came to. Each
 * line carries the digest of its payload and the chain covers the lines, so one signature covers every byte before it.
 */
import * as z from 'zod/mini';
import { Actor } from '../task/actor.ts';
import { unsound, type ArchiveHeader } from './archive.ts';
import { payloadType, preAuthEncoding, statementType } from '../trust/attestation.ts';
import { canonical } from '../journal/canonical.ts';
import { Digest, digestOf } from '../journal/digest.ts';
import { isSignedBy } from '../trust/ed25519.ts';

export type Exporter = Pick<Actor, 'kind' | 'name'>;

export interface SealedBy {
  readonly by: Exporter;
  /** The digest of the public key. */
  readonly key: Digest;
}

/** What is vouched for. */
export interface ArchiveEnd {
  readonly header: Pick<ArchiveHeader, 'task' | 'head'>;
  readonly records: number;
  readonly chain: Digest;
}

const predicateType = 'urn:staffetta:export:v1';

export function sealStatement(
  { header: { task, head }, records, chain }: ArchiveEnd,
  { kind, name }: Exporter,
): string {
  return canonical({
    _type: statementType,
    subject: [subject('export', chain), subject('journal', head.digest)],
    predicateType,
    predicate: { task, seq: head.seq, records, by: { kind, name } },
  });
}

function subject(name: string, digest: Digest): object {
  return { name, digest: { sha256: digest.slice('sha256:'.length) } };
}

export function sealBytes(statement: string): Uint8Array {
  return preAuthEncoding(payloadType, statement);
}

export function sealLine(
  statement: string,
  { publicKey, signature }: { readonly publicKey: Uint8Array; readonly signature: string },
): string {
  return canonical({
    payload: Buffer.from(statement).toString('base64'),
    payloadType,
    signatures: [{ keyid: digestOf(publicKey), sig: signature }],
    publicKey: Buffer.from(publicKey).toString('base64'),
  });
}

const SealLine = z.strictObject({
  payload: z.string(),
  payloadType: z.literal(payloadType),
  signatures: z
    .array(z.strictObject({ keyid: Digest, sig: z.string() }))
    .check(z.minLength(1), z.maxLength(1)),
  publicKey: z.string(),
});

const Statement = z.object({ predicate: z.object({ by: z.pick(Actor, { kind: true, name: true }) }) });

/** Refused unless it is a signature over exactly this export, by the key that it carries. */
export function readSeal(line: string, ended: ArchiveEnd): SealedBy {
  const seal = SealLine.safeParse(parsed(line));
  const [made] = seal.data?.signatures ?? [];
  if (seal.data === undefined || made === undefined)
    throw unsound('something else than a signature follows its end');
  const statement = Buffer.from(seal.data.payload, 'base64').toString();
  const said = Statement.safeParse(parsed(statement));
  if (!said.success || sealStatement(ended, said.data.predicate.by) !== statement)
    throw unsound('its signature is about another export');
  const publicKey = Buffer.from(seal.data.publicKey, 'base64');
  if (digestOf(publicKey) !== made.keyid || !isSignedBy(publicKey, sealBytes(statement), made.sig))
    throw unsound('its signature is not by the key that it names');
  return { by: said.data.predicate.by, key: made.keyid };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
