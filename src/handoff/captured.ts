/** What was captured, without its secrets: they may stand in names, link targets and digests as well as in contents. */
import { digestOf, type Digest } from '../core/digest.ts';
import { isStaffettaError } from '../core/error.ts';
import { fitting } from '../core/fitting.ts';
import { noRedactions } from '../core/redact/redactions.ts';
import type { Redacted, Redactor } from '../core/redact/redactor.ts';
import type { Loss, Manifest, WorkspaceFacts } from '../core/workspace.ts';
import type { Capture } from '../ports/workspace.ts';

/** Contents in which a redactor found nothing. Most files are the same in the next packet, and need not be searched again. */
const clean = new WeakMap<Redactor, Set<Digest>>();
const cleanMax = 20_000;

/** Null for what cannot be searched: it is left out, and the rest goes on. */
export async function searchedOrNull(
  redactor: Redactor,
  bytes: Uint8Array,
): Promise<Redacted<Uint8Array> | null> {
  const known = clean.get(redactor) ?? new Set();
  clean.set(redactor, known);
  const digest = digestOf(bytes);
  if (known.has(digest)) return { value: bytes, redactions: noRedactions };
  try {
    const searched = await redactor.bytes(bytes);
    if (searched.redactions.findings.length === 0 && known.size < cleanMax) known.add(digest);
    return searched;
  } catch (error) {
    if (isStaffettaError(error)) return null;
    throw error;
  }
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

/** A file whose name or link target holds a secret is left out: it could not be put back where it was. */
export async function withoutSecrets(redactor: Redactor, taken: Capture): Promise<Capture> {
  const facts = (await redactor.json(taken.facts)).value;
  const manifest = await redactedManifest(redactor, taken.manifest);
  return { ...taken, facts: withAllLosses(facts, manifest), manifest };
}

/** A packet shows what the capture left out, also what was looked at and then did not fit or may not be kept. */
function withAllLosses(facts: WorkspaceFacts, { losses }: Manifest): WorkspaceFacts {
  const listed = fitting(losses);
  return { ...facts, losses: listed, lossesLeft: losses.length - listed.length };
}

async function redactedManifest(redactor: Redactor, manifest: Manifest): Promise<Manifest> {
  const { entries, losses } = manifest;
  const names = [
    ...entries.flatMap(({ path, worktree }) => [path, worktree?.type === 'link' ? worktree.target : '']),
    ...losses.map(({ path }) => path),
  ];
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
