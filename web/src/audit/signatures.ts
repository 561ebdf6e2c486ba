/**
 * The signatures in a journal, checked here. What a signature is about is made again from the journal itself, as docs/journal-format.md
 * says, so that it cannot say anything else than the journal does. Of the server only the public key is taken, which is named by its digest.
 */
import { canonicalText, sha256, type StoredEntry } from './chain.ts';

export interface SignedEntry extends StoredEntry {
  readonly signed: readonly { readonly key: string; readonly publicKey: string | null }[];
}

/** Of one checkpoint or approval. */
export interface Signing {
  readonly seq: number;
  readonly of: 'checkpoint' | 'approval';
  readonly by: string;
  /** Null where it is unsigned. */
  readonly key: string | null;
  /** What is wrong with the signature; null where it fits, and where there is none. */
  readonly fault: string | null;
}

/** What the journal says before an entry, as far as signatures are about it. */
interface Standing {
  readonly contract: string | null;
  readonly workspace: string | null;
}

export const nothingYet: Standing = { contract: null, workspace: null };

type Fields = Readonly<Record<string, unknown>>;

interface Body extends Fields {
  readonly prev: string | null;
  readonly by: { readonly name: string };
  readonly events: readonly Fields[];
}

const payloadType = 'application/vnd.in-toto+json';

const attested: Readonly<Record<string, { readonly of: Signing['of']; readonly predicateType: string }>> = {
  'checkpoint-sealed': { of: 'checkpoint', predicateType: 'urn:staffetta:checkpoint:v1' },
  'review-approved': { of: 'approval', predicateType: 'urn:staffetta:approval:v1' },
};

/** The signatures of one entry, and how it leaves the journal. One whose body cannot be read has none: its chain is broken already. */
export async function signingsOf(
  { seq, body, signed }: SignedEntry,
  before: Standing,
): Promise<{ readonly signings: readonly Signing[]; readonly after: Standing }> {
  let entry: Body;
  try {
    entry = JSON.parse(body) as Body;
    if (!Array.isArray(entry.events) || typeof entry.by?.name !== 'string')
      return { signings: [], after: before };
  } catch {
    return { signings: [], after: before };
  }
  let { contract, workspace } = before;
  const signings: Signing[] = [];
  for (const [n, event] of entry.events.entries()) {
    const type = String(event['type']);
    if (type === 'task-opened' || type === 'contract-amended') contract = event['contract'] as string;
    if (type === 'task-forked' || type === 'checkpoint-sealed')
      workspace = (event['workspace'] ?? null) as string | null;
    const kind = attested[type];
    if (kind === undefined) continue;
    const { of, predicateType } = kind;
    const by = entry.by.name;
    const next = entry.events[n + 1];
    if (next?.['type'] !== 'signed') {
      signings.push({ seq, of, by, key: null, fault: null });
      continue;
    }
    const key = String(next['key']);
    const statement = statementOf(event, entry, {
      predicateType,
      subjects: { packet: event['packet'], contract: before.contract, workspace, journal: entry.prev },
    });
    const publicKey = signed.find((one) => one.key === key)?.publicKey ?? null;
    const fault = await faultOf(statement, { key, publicKey, signature: String(next['signature']) });
    signings.push({ seq, of, by, key, fault });
  }
  return { signings, after: { contract, workspace } };
}

function statementOf(
  event: Fields,
  { task, seq, at, by }: Body,
  about: { readonly predicateType: string; readonly subjects: Fields },
): string {
  const { type: _type, v: _version, packet: _packet, ...said } = event;
  return canonicalText({
    _type: 'https://in-toto.io/Statement/v1',
    subject: Object.entries(about.subjects).flatMap(([name, digest]) =>
      typeof digest === 'string' ? [{ name, digest: { sha256: digest.slice('sha256:'.length) } }] : [],
    ),
    predicateType: about.predicateType,
    predicate: { ...said, task, seq, at, by },
  });
}

async function faultOf(
  statement: string,
  {
    key,
    publicKey,
    signature,
  }: { readonly key: string; readonly publicKey: string | null; readonly signature: string },
): Promise<string | null> {
  if (publicKey === null) return 'the key that it names is missing';
  try {
    const spki = fromBase64(publicKey);
    if ((await sha256(spki)) !== key) return 'the key that came with it is another than it names';
    const opened = await crypto.subtle.importKey('spki', spki, 'Ed25519', false, ['verify']);
    const size = new TextEncoder().encode(statement).length;
    const said = `DSSEv1 ${payloadType.length} ${payloadType} ${size} ${statement}`;
    const fits = await crypto.subtle.verify(
      'Ed25519',
      opened,
      fromBase64(signature),
      new TextEncoder().encode(said),
    );
    return fits ? null : 'it is not by its key over what the journal says';
  } catch (error) {
    return error instanceof DOMException && error.name === 'NotSupportedError'
      ? 'this browser cannot check it, for it does not know Ed25519'
      : 'its key or its signature cannot be read';
  }
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
}

interface Key {
  readonly key: string;
  /** Whom the journal names as having written what it signed. */
  readonly names: readonly string[];
  readonly count: number;
}

/** The keys whose signatures fit. */
export function keysIn(signings: readonly Signing[]): readonly Key[] {
  const keys = new Map<string, Key>();
  for (const { key, by, fault } of signings) {
    if (key === null || fault !== null) continue;
    const { names, count } = keys.get(key) ?? { names: [], count: 0 };
    keys.set(key, { key, names: [...new Set([...names, by])], count: count + 1 });
  }
  return [...keys.values()];
}
