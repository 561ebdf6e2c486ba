/** What was made ready for a packet, looked through for secrets that were recognised in another part of it. */
import type { Digest } from '../../core/journal/digest.ts';
import type { Chunk, PacketWords, SessionFact, SubagentFact } from '../../core/packet/packet.ts';
import type { Redactions } from '../../core/redact/redactions.ts';
import type { Material } from './gather.ts';
import type { OpenPacked } from '../../ports/workspace.ts';
import type { KeptSkills } from './keep-skills.ts';
import type { Keeper } from './keeper.ts';

export type CapturedTree = Pick<Material, 'facts' | 'losses' | 'content'> & {
  readonly missing?: string;
  /** How to open those of the contents that are containers. */
  readonly packed?: ReadonlyMap<Digest, OpenPacked>;
};

export interface Reasoning extends Pick<Material, 'conversation'> {
  readonly chunks: readonly Chunk[];
  readonly session?: SessionFact;
  /** Where in the workspace the work is done, if that is not its root. */
  readonly folder?: string;
  /** Theirs are the last chunks. */
  readonly subagents?: readonly SubagentFact[];
  /** What of them could not be captured. */
  readonly losses?: NonNullable<PacketWords['losses']>;
}

export interface Passed {
  readonly keeper: Keeper;
  readonly words: PacketWords;
  readonly clean: Material['clean'];
  readonly reasoning: Reasoning;
  readonly workspace: CapturedTree;
  readonly kept: KeptSkills;
  /** What was taken out of words and transcript, and of the workspace. */
  readonly said: readonly Redactions[];
  readonly inWorkspace: readonly Redactions[];
}

/** The values to look for everywhere; none where none of them is left anywhere. */
export async function seenElsewhere(passed: Passed): Promise<readonly string[]> {
  const { keeper, words, reasoning, workspace, said, inWorkspace } = passed;
  const all = [...said, ...inWorkspace];
  if (all.every(({ findings }) => findings.length === 0)) return [];
  const { finderOf, spellingBytesMax, valuesIn } = await import('../../core/redact/learned.ts');
  const values = valuesIn(all);
  if (values.length === 0) return [];
  const holds = finderOf(values);
  if (holds(Buffer.from(JSON.stringify([words, workspace.facts])))) return values;
  let tail: Uint8Array = new Uint8Array();
  // A value may go over the end of a piece.
  for await (const bytes of readBack(keeper, reasoning.chunks)) {
    if (holds(Buffer.concat([tail, bytes]))) return values;
    tail = bytes.subarray(-spellingBytesMax);
  }
  const pieces = new Set<Digest>(reasoning.chunks.map(({ blob }) => blob));
  for (const digest of keeper.digests) {
    if (pieces.has(digest)) continue;
    const bytes = (await keeper.read(digest)) ?? new Uint8Array();
    if (holds(bytes)) return values;
    for (const part of workspace.packed?.get(digest)?.(bytes) ?? [])
      if (part !== null && holds(part)) return values;
  }
  return [];
}

/** In a dry run what is beyond the first megabytes is not there any more. */
export async function* readBack(keeper: Keeper, chunks: readonly Chunk[]): AsyncGenerator<Uint8Array> {
  for (const { blob } of chunks) {
    const bytes = await keeper.read(blob);
    if (bytes !== undefined) yield bytes;
  }
}
