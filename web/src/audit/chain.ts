/**
 * The chain of a journal, computed again here from the exact bytes that the server gave, with nothing of the server's own checks.
 *
 *   digest of an entry = sha256 of `staffetta/entry/v1`, a line feed, and its body
 *   an entry names the digest of the one before it; the first names none
 *   an entry belongs to its task, has its number, and is no earlier than the one before it
 */
export interface StoredEntry {
  readonly seq: number;
  readonly digest: string;
  readonly body: string;
}

export interface Link {
  readonly seq: number;
  /** As it comes out of the bytes. */
  readonly digest: string;
  readonly at: number | null;
  /** Why it does not hold; null where it does. */
  readonly fault: string | null;
}

const prefix = 'staffetta/entry/v1\n';

export async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return `sha256:${[...hash].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}

async function entryDigest(body: string): Promise<string> {
  return await sha256(new TextEncoder().encode(`${prefix}${body}`));
}

/** One entry against the one before it; `before` is undefined for the first. `own` is what comes out of its bytes. */
function linkOf(
  task: string,
  { seq, digest, body }: StoredEntry,
  { own, before }: { readonly own: string; readonly before: Link | undefined },
): Link {
  const read = bodyOf(body);
  const at = typeof read?.['at'] === 'number' ? read['at'] : null;
  const expected = before === undefined ? 0 : before.seq + 1;
  const faults: readonly [holds: boolean, fault: string][] = [
    [own === digest, 'its bytes do not have the digest it is stored under'],
    [read !== undefined, 'its body cannot be read'],
    [read?.['task'] === task, 'it belongs to another task'],
    [read?.['seq'] === seq && seq === expected, `it is not entry ${expected}`],
    [read?.['prev'] === (before?.digest ?? null), 'it does not continue the entry before it'],
    [at !== null && at >= (before?.at ?? at), 'it is earlier than the entry before it'],
  ];
  const fault = faults.find(([holds]) => !holds)?.[1] ?? null;
  return { seq, digest: own, at, fault };
}

function bodyOf(body: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

/** A run of entries: their digests do not wait for one another. */
export async function linksOf(
  task: string,
  entries: readonly StoredEntry[],
  before: Link | undefined,
): Promise<readonly Link[]> {
  const digests = await Promise.all(entries.map(async ({ body }) => await entryDigest(body)));
  const links: Link[] = [];
  for (const [n, entry] of entries.entries())
    links.push(linkOf(task, entry, { own: digests[n] ?? '', before: links.at(-1) ?? before }));
  return links;
}

/** Canonical JSON (RFC 8785) of what JSON can hold: how a packet was written when it got its digest. */
export function canonicalText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalText).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value)
    .filter(([, one]) => one !== undefined)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, one]) => `${JSON.stringify(name)}:${canonicalText(one)}`);
  return `{${members.join(',')}}`;
}

export async function packetDigest(packet: unknown): Promise<string> {
  return await sha256(new TextEncoder().encode(canonicalText(packet)));
}
