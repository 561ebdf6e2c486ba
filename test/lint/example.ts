/** Examples of docs/findings.md: the part of a sound packet that matters, as a subject for the rules. */
import type { Contract } from '../../src/core/contract.ts';
import { digestOf } from '../../src/core/digest.ts';
import type { PhaseFact, RunFact, Subject } from '../../src/core/lint/subject.ts';
import type { Packet } from '../../src/core/packet.ts';
import { sound } from './fixtures.ts';

type State = 'this state' | 'an earlier state';

export interface Example {
  readonly contract?: Partial<Contract>;
  /** The contract when the last packet was sealed. */
  readonly before?: Partial<Contract>;
  readonly claims?: Packet['claims'];
  readonly artefacts?: Packet['artefacts'];
  readonly changes?: readonly string[];
  readonly files?: readonly string[];
  readonly runs?: readonly (Pick<RunFact, 'run' | 'exit'> & { readonly on: State })[];
  readonly occasion?: Subject['occasion'];
  readonly phases?: readonly (Omit<PhaseFact, 'workspace'> & { readonly on?: State })[];
  readonly losses?: Subject['losses'];
  /** What the packet itself says is missing. */
  readonly left?: Packet['losses'];
  readonly movedSince?: boolean;
  readonly lane?: 'execute' | 'audit';
  readonly received?: State;
  readonly to?: NonNullable<Subject['to']>;
  readonly why?: string;
  readonly tokens?: number;
  readonly secrets?: readonly string[];
}

const earlier = digestOf('an earlier state');

export function subjectFrom(example: Example): Subject {
  const packet: Packet = {
    ...sound.packet,
    claims: { ...sound.packet.claims, ...example.claims },
    artefacts: example.artefacts ?? sound.packet.artefacts,
    ...(example.why === undefined ? {} : { why: example.why }),
    ...(example.left === undefined ? {} : { losses: example.left }),
  };
  const contract = { ...sound.contract, ...example.contract };
  const tree = treeFrom(example);
  return {
    ...sound,
    contract,
    packet,
    parent: example.received === undefined ? null : { ...packet, generation: packet.generation - 1 },
    parentContract: example.before === undefined ? contract : { ...sound.contract, ...example.before },
    giver: { ...sound.giver, lane: example.lane ?? 'execute' },
    to: example.to ?? sound.to,
    occasion: example.occasion ?? sound.occasion,
    sealedTree: tree,
    tree: tree && { ...tree, digest: example.movedSince === true ? earlier : tree.digest },
    receivedTree: stateDigest(example.received, tree),
    exists: (path) => example.files?.includes(path) === true || sound.exists(path),
    runs:
      example.runs?.map(({ run, exit, on }, i) => ({
        run,
        exit,
        at: i,
        entry: entryOf(i),
        workspace: stateDigest(on, tree),
      })) ?? sound.runs,
    ...(example.runs === undefined || sound.record === undefined
      ? {}
      : { record: { ...sound.record, runs: new Set([6, ...example.runs.map((_, i) => entryOf(i))]) } }),
    phases:
      example.phases?.map(({ on, ...phase }) => ({ ...phase, workspace: stateDigest(on, tree) })) ??
      sound.phases,
    losses: example.losses ?? sound.losses,
    tokens: example.tokens ?? sound.tokens,
    secrets: example.secrets ?? sound.secrets,
  };
}

/** The runs of an example stand in the entries from the fifth on. */
function entryOf(run: number): number {
  return run + 5;
}

function treeFrom({ changes }: Example): Subject['sealedTree'] {
  if (changes === undefined || sound.sealedTree === null) return sound.sealedTree;
  return { ...sound.sealedTree, changes: changes.map((path) => ({ path, status: 'modified' })) };
}

function stateDigest(state: State | undefined, tree: Subject['sealedTree']): Subject['receivedTree'] {
  if (state === undefined) return null;
  return state === 'this state' ? (tree?.digest ?? null) : earlier;
}
