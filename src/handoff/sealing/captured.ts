/** What was captured, without its secrets: they may stand in names, link targets and digests as well as in contents. */
import { digestOf } from '../../core/journal/digest.ts';
import { isStaffettaError } from '../../core/base/error.ts';
import { fitting } from '../../core/base/fitting.ts';
import { noRedactions, type Redactions } from '../../core/redact/redactions.ts';
import type { Redacted, Redactor } from '../../core/redact/redactor.ts';
import type { Loss, Manifest, WorkspaceFacts } from '../../core/tree/workspace.ts';
import type { PacketWords } from '../../core/packet/packet.ts';
import type { Capture, OpenPacked } from '../../ports/workspace.ts';
import { textsIn } from '../record/redacted.ts';

/** Contents in which a redactor found nothing. Most files are the same in the next packet, and need not be searched again. */
const clean = new WeakMap<Redactor, Set<string>>();
const cleanMax = 20_000;

export interface Searched extends Redacted<Uint8Array> {
  /** What was found in the parts of a container, if it is one. */
  readonly inside: readonly Redactions[];
  /** Some part of it could not be opened. */
  readonly isClosed: boolean;
}

/** Null for what cannot be searched: it is left out, and the rest goes on. */
export async function searchedOrNull(
  redactor: Redactor,
  bytes: Uint8Array,
  open?: OpenPacked,
): Promise<Searched | null> {
  const known = clean.get(redactor) ?? new Set();
  clean.set(redactor, known);
  const name = `${open === undefined ? '' : 'packed '}${digestOf(bytes)}`;
  if (bytes.length === 0 || known.has(name))
    return { value: bytes, redactions: noRedactions, inside: [], isClosed: false };
  try {
    const searched = await redactor.bytes(bytes);
    // Where a secret could be overwritten in place, it is no longer in the part.
    const packed = open === undefined ? unpacked : await searchedInside(redactor, open(searched.value));
    const isClean = [searched.redactions, ...packed.inside].every(({ findings }) => findings.length === 0);
    if (isClean && !packed.isClosed && known.size < cleanMax) known.add(name);
    return { ...searched, ...packed };
  } catch (error) {
    if (isStaffettaError(error)) return null;
    throw error;
  }
}

const unpacked = { inside: [], isClosed: false } as const;

async function searchedInside(
  redactor: Redactor,
  parts: Iterable<Uint8Array | null>,
): Promise<Pick<Searched, 'inside' | 'isClosed'>> {
  const inside: Redactions[] = [];
  let isClosed = false;
  for (const part of parts) {
    if (part === null) isClosed = true;
    else {
      const { redactions } = await redactor.bytes(part);
      if (redactions.findings.length > 0) inside.push(redactions);
    }
  }
  return { inside, isClosed };
}

/** A diff names both sides of a file by the digest of the whole content: with all but the secret known, that is as good as it. */
export function withoutIds(diff: Uint8Array): Uint8Array {
  const text = Buffer.from(diff).toString('latin1');
  return Buffer.from(
    text.replaceAll(/^index [0-9a-f]{40,64}\.\.[0-9a-f]{40,64}/gm, (line) =>
      line.replaceAll(/[0-9a-f]{40,64}/g, (id) => '0'.repeat(id.length)),
    ),
    'latin1',
  );
}

/** What comes in with a call and goes into a packet or beside it, but for contents. */
export interface AtBorder {
  readonly words: PacketWords;
  readonly capture: Capture | null;
  /** Texts of the call that are recorded beside the packet. */
  readonly besides: readonly string[];
}

export interface Crossed extends Pick<AtBorder, 'words' | 'capture'> {
  /** What was taken out of the words. */
  readonly said: Redactions;
  /** Texts in which nothing was found: they need not be searched again when they are recorded. */
  readonly clean: ReadonlySet<string>;
}

/** One search over all of it. There is nearly never anything to be found; where there is, it matters what it stands in. */
export async function crossBorder(
  redactor: Redactor,
  { words, capture, besides }: AtBorder,
): Promise<Crossed> {
  const whole = [words, capture?.facts, capture === null ? [] : namesIn(capture.manifest), besides];
  const { redactions } = await redactor.json(whole);
  if (redactions.findings.length === 0)
    return {
      words,
      capture: capture && { ...capture, facts: withAllLosses(capture.facts, capture.manifest) },
      said: redactions,
      clean: new Set([...textsIn(words), ...besides]),
    };
  const said = await redactor.json(words);
  return {
    words: said.value,
    capture: capture && (await captureWithoutSecrets(redactor, capture)),
    said: said.redactions,
    clean: new Set(),
  };
}

/** A file whose name or link target holds a secret is left out: it could not be put back where it was. */
async function captureWithoutSecrets(redactor: Redactor, taken: Capture): Promise<Capture> {
  const facts = (await redactor.json(taken.facts)).value;
  const manifest = await redactedManifest(redactor, taken.manifest);
  return { ...taken, facts: withAllLosses(facts, manifest), manifest };
}

/** A packet shows what the capture left out, also what was looked at and then did not fit or may not be kept. */
function withAllLosses(facts: WorkspaceFacts, { losses }: Manifest): WorkspaceFacts {
  const listed = fitting(losses);
  return { ...facts, losses: listed, lossesLeft: losses.length - listed.length };
}

/** Of each entry its path and where it leads, if it is a link; then those of the losses. */
function namesIn({ entries, losses }: Manifest): string[] {
  return [
    ...entries.flatMap(({ path, worktree }) => [path, worktree?.type === 'link' ? worktree.target : '']),
    ...losses.map(({ path }) => path),
  ];
}

async function redactedManifest(redactor: Redactor, manifest: Manifest): Promise<Manifest> {
  const { entries, losses } = manifest;
  const names = namesIn(manifest);
  const { value: clean, redactions } = await redactor.json(names);
  if (redactions.findings.length === 0) return manifest;
  const isClean = (n: number): boolean =>
    clean[2 * n] === names[2 * n] && clean[2 * n + 1] === names[2 * n + 1];
  const left: Loss[] = entries.flatMap((_, n) =>
    isClean(n) ? [] : [{ path: clean[2 * n] ?? '.', reason: 'secret-name' as const }],
  );
  return {
    ...manifest,
    entries: entries.filter((_, n) => isClean(n)),
    losses: [
      ...losses.map((loss, n) => ({ ...loss, path: clean[2 * entries.length + n] ?? loss.path })),
      ...left,
    ],
  };
}
