import type { Furnishing, TreeName } from './trees.ts';
import type { RunReport } from './workspace.ts';

/**
 * The merge queue: what was approved is brought onto a branch of the run, without a checkout.
 * IN1 `integrate` merges the submitted commit into the run's branch: its parents are the head and the submitted commit, which stays as it was; its tree is what git merges them to. A run's first integration begins its branch at the base.
 * IN2 No call but `land` changes a checkout, an index, HEAD or a branch but the run's. No hook, filter or merge driver that the repository names is run.
 * IN3 A conflict moves nothing and names its files.
 * IN4 Validation runs in a tree of the very commit that is to be the head, before it is. One that fails moves nothing and is told. Afterwards its tree is gone.
 * IN5 A head that moved meanwhile is merged into again, and never written over. Of several at once each is integrated once.
 * IN6 What is integrated already is told as that, with the commit it was integrated by, and no second commit is made. So a call whose outcome is unknown is made again.
 * IN7 A branch that is checked out anywhere is not moved: that is refused.
 * IN8 The commit names task and run as trailers.
 * IN9 With `linear` the submitted commits are made anew on the head, one for each, with their authors, and then validated; a merge among them is refused.
 * IN10 `land` moves the branch of a user only forward, and where it is checked out only when that checkout is clean; then its files and index are those of the new commit.
 * IN11 `head` is the commit that the run's branch is at; null before the first integration.
 * IN12 `hold` brings a branch that lies behind a commit that was integrated, or is gone, forward to it; one that holds it is not moved, and one that went elsewhere is refused.
 */
export interface Integrate {
  integrate(order: IntegrateOrder): Promise<Integration>;
  /** By which commit of the run's branch a submitted one was integrated; null if it was not. */
  settle(run: string, submitted: string): Promise<{ readonly commit: string } | null>;
  head(run: string): Promise<string | null>;
  hold(run: string, commit: string): Promise<void>;
  /** Takes away trees of validations that were killed; the next validation does so too. */
  clear(run: string): Promise<void>;
  land(run: string, branch: string): Promise<LandOutcome>;
}

export interface IntegrateOrder extends TreeName, Furnishing {
  /** The commit that was approved. */
  readonly submitted: string;
  /** Where the run began: a commit, or what names one. */
  readonly base: string;
  /** First line of the message. */
  readonly title: string;
  readonly validation?: readonly (readonly string[])[];
  readonly linear?: boolean;
}

export type Integration =
  | {
      readonly how: 'integrated';
      readonly commit: string;
      /** The head that it was brought onto. */
      readonly onto: string;
      /** The id of the whole tree of files. */
      readonly tree: string;
      /** It was there before this call. */
      readonly already: boolean;
    }
  /** It has no commit that the head has not. */
  | { readonly how: 'empty'; readonly onto: string; readonly tree: string }
  | { readonly how: 'conflict'; readonly onto: string; readonly files: readonly string[] }
  | {
      readonly how: 'red';
      readonly onto: string;
      readonly commit: string;
      readonly failed: FailedValidation;
    };

export interface FailedValidation {
  readonly command: readonly string[];
  readonly end: RunReport['end'];
  /** The end of what it said. */
  readonly output: string;
}

export type LandOutcome =
  | { readonly landed: true; readonly from: string; readonly to: string }
  | {
      readonly landed: false;
      readonly why: 'nothing' | 'not-forward' | 'not-clean' | 'filters' | 'unknown-branch';
      readonly details: readonly string[];
    };
