import type { LegOrder, LegSign, PermissionQuestion, Runner } from '../../ports/runner.ts';

/** How an agent of the cases behaves. */
export type AgentManner =
  /** Says a word, and that its turn is over. */
  | 'works'
  /** Says in words that something failed, and that its turn is over as if all were well. */
  | 'fails'
  /** Says that it cannot go on. */
  | 'refuses'
  /** Is gone in its turn, with 7. */
  | 'exits'
  /** Says nothing more in its turn, not even that it is gone, and stays. */
  | 'hangs-up'
  /** Never ends its turn, and hears no request to. */
  | 'deaf'
  /** Asks whether it may run a command, runs it after a yes, and ends its turn. */
  | 'asks'
  /** Does all that a permission is for, asking where it is one that asks. */
  | 'acts'
  /** Says 20,000 words, and ends its turn when it is let go. */
  | 'floods'
  /** Between its words there is all that its way of speaking makes possible: no message, one that is too long, one of another session. */
  | 'babbles'
  /** Starts a process that leaves its group and hears no request to end, and ends its turn. */
  | 'leaves'
  /** Goes on with no session. */
  | 'forgets'
  /** Has no way of working in which it changes nothing. */
  | 'never-looks';

/** What an agent of the cases wrote down of itself. */
export interface AgentNote {
  readonly what: 'start' | 'turn' | 'answer' | 'did';
  readonly pid: number;
  /** At a start: whether it leads a group of its own, and its arguments and environment in one text. */
  readonly leads?: boolean;
  readonly given?: string;
  readonly mark?: string;
  /** In a turn: the words of it, the session, and what it was told that it may do. */
  readonly prompt?: string;
  readonly session?: string | null;
  readonly access?: string;
  /** Of an answer: `once`, `always` or `no`. Of what it did: the permission for that. */
  readonly word?: string;
}

/** A folder of its own for one case, and agents that write down what happens to them. */
export interface RunnerScratch {
  runner(manner: AgentManner): Runner;
  /** Its program is not there; null for agents that have none. */
  readonly missing: Runner | null;
  /** Questions are answered with a no, unless the case says otherwise. */
  order(more?: Partial<LegOrder>): LegOrder;
  readonly signs: readonly LegSign[];
  readonly questions: readonly PermissionQuestion[];
  /** Marks that were told before anything was started, and whether they were told to be over. `early`: no agent had begun. */
  readonly noted: readonly { readonly mark: string; readonly early: boolean; readonly ended: boolean }[];
  told(): readonly AgentNote[];
  /** Of all that the agents wrote down, those that live. */
  living(): readonly number[];
  /** Lets an agent that waits go on. */
  release(): void;
  /** What can be seen of these agents. */
  readonly has: {
    /** They are programs. */
    readonly programs: boolean;
    /** They ask. */
    readonly questions: boolean;
    /** They keep sessions. */
    readonly sessions: boolean;
    /** There may be some that cannot be held to looking. */
    readonly looseLooks: boolean;
    /** What may be heard of them that is no message. */
    readonly noise: readonly Extract<LegSign, { readonly kind: 'noise' }>['why'][];
  };
  readonly dispose: () => void;
}

export type OpenRunnerScratch = () => RunnerScratch;
