import type { Actor, Lane } from '../task/actor.ts';
import type { Address } from '../task/address.ts';
import type { Contract } from '../contract/contract.ts';
import type { Digest } from '../journal/digest.ts';
import type { Packet } from '../packet/packet.ts';

/** What the packet is sealed for. A checkpoint is judged as if it were to be handed on. */
export type Occasion = 'checkpoint' | 'handoff' | 'submit' | 'complete';

/** The work is said to be finished: nothing is left to do, and all that was asked for must be there. */
export function isEnd(occasion: Occasion): boolean {
  return occasion === 'submit' || occasion === 'complete';
}

/** A command that was run, as recorded by the tool, never as told by an agent. */
export interface RunFact {
  readonly run: readonly string[];
  readonly exit: number | null;
  readonly at: number;
  /** The journal entry that holds it: evidence `r12` is the run in entry 12. */
  readonly entry: number;
  /** The workspace it ran on; null where it changed that itself. */
  readonly workspace: Digest | null;
}

/** What the journal holds for claims to rest on. Entry, run and decision are meant by number. */
export interface RecordFacts {
  /** The entry before the packet: what comes after it was not there to be cited. */
  readonly head: number;
  /** How many decisions were made or asked for. */
  readonly decisions: number;
  /** Of the entries that claims cite, as such or as runs, those that hold a run, by number. */
  readonly runs: ReadonlyMap<number, RunFact>;
}

export interface PhaseFact {
  readonly name: string;
  readonly status: string | null;
  /** The workspace its commands passed on; null or left out where none was looked at. */
  readonly workspace?: Digest | null;
}

/** The part of the probed workspace that rules look at. */
export interface TreeFacts {
  readonly digest: Digest;
  readonly head: string | null;
  /** Since the work began, committed or not. */
  readonly changes: readonly {
    readonly path: string;
    readonly status: string;
    /** Set where a commit holds all of it. */
    readonly committed?: true;
  }[];
}

/** What a packet says of where it stands, by which the next one is judged. */
export type ParentPacket = Pick<Packet, 'task' | 'contract' | 'generation' | 'head'>;

/**
 * All that rules may look at: nothing is fetched while they run. What could not be probed is null, and a rule that needs it
 * says nothing rather than guess.
 */
export interface Subject {
  readonly contract: Contract;
  /** Commands in it that a holder added and nobody has confirmed. */
  readonly unconfirmed: readonly (readonly string[])[];
  readonly packet: Packet;
  /** The packet before this one, and the contract in force then. */
  readonly parent: ParentPacket | null;
  readonly parentContract: Contract | null;
  readonly giver: Actor;
  readonly authors: readonly string[];
  readonly to: Address | null;
  readonly lane: Lane;
  readonly occasion: Occasion;
  /** A limit, a crash or a timeout: there is no time to mend anything. */
  readonly emergency: boolean;
  /** The workspace when the packet was sealed, and as it is now. */
  readonly sealedTree: TreeFacts | null;
  readonly tree: TreeFacts | null;
  /** Digest of the workspace in the packet that the giver received. */
  readonly receivedTree: Digest | null;
  /** Whether a path exists in the workspace now; undefined where nobody knows. */
  readonly exists: (path: string) => boolean | undefined;
  /** Whether a program can be started here; undefined where nobody knows. */
  readonly runnable: (program: string) => boolean | undefined;
  /** Commands run in this leg, oldest first. */
  readonly runs: readonly RunFact[];
  /** Left out where the packet is of another task, or of none yet. */
  readonly record?: RecordFacts;
  /** The contract's phases in order; null where one was never started. */
  readonly phases: readonly PhaseFact[];
  /** Other tasks that were taken in this folder, and what of the packet's changes is among theirs. */
  readonly beside: readonly { readonly task: string; readonly paths: readonly string[] }[];
  /** What could not be carried, as listed by capture. */
  readonly losses: readonly { readonly path: string; readonly reason: string }[];
  readonly tokens: number | null;
  readonly tokensMax: number;
  /** Names of the secret rules that fire on the packet's own text. */
  readonly secrets: readonly string[];
}
