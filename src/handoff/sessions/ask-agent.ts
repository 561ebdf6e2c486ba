/**
 * Asks the agent of a session for a summary of its own, through its own program, in a copy of the session: the session itself is not
 * touched. The answer is read and checked as what it is, the words of an agent. Nothing depends on it: where the program is missing,
 * fails or says nothing that can be used, there is a reason instead of a summary.
 */
import { isStaffettaError } from '../../core/base/error.ts';
import { checkStatements, readStatements, withOwnSummary } from '../../core/reasoning/own-summary.ts';
import { ownSummaryPrompt } from '../../core/reasoning/own-summary-prompt.ts';
import type { Story } from '../../core/transcript/story.ts';
import type { Launch } from '../../ports/runtime.ts';
import type { FoundSession } from './find-session.ts';
import type { SessionLook } from './session-look.ts';

/** Starts a program as it was launched, and gives what it printed, or why there is nothing. */
export type PutQuestion = (launch: Launch) => Promise<AgentAnswer>;
export type AgentAnswer = { readonly said: string } | { readonly failed: string };

export interface AskedSession extends FoundSession {
  /** Under the names that its steps will have in the packet. */
  readonly story: Pick<Story, 'steps' | 'sessions' | 'repeated'>;
  /** Where it worked, where that is known. */
  readonly folder: string | null;
}

/** As it was looked at. */
export function askedSession(look: SessionLook, story: Story): AskedSession {
  const { runtime, card, transcript } = look;
  return { runtime, card, story, folder: transcript.facts.folder ?? card.folder };
}

/** What came of it. */
export type AskOutcome =
  /** So many statements, and those of which every citation holds. */
  { readonly statements: number; readonly held: number } | { readonly none: string };

export interface AskedAgent {
  readonly outcome: AskOutcome;
  /** The summary of the claims, with what the agent said; undefined where neither it nor anybody else said something. */
  readonly summary: string | undefined;
}

export interface Question {
  /** What somebody else said in summary. */
  readonly summary?: string | undefined;
  readonly put: PutQuestion;
}

export async function askAgent(
  { runtime, card, story, folder }: AskedSession,
  { summary, put }: Question,
): Promise<AskedAgent> {
  const nothing = (none: string): AskedAgent => ({ outcome: { none }, summary });
  const program = (await runtime.locate())?.program ?? null;
  if (program === null) return nothing('Its program is not here.');
  if (folder === null) return nothing('Nothing says in which folder the session worked.');
  const text = ownSummaryPrompt(story);
  let launch: Launch;
  try {
    launch = runtime.launch(
      { kind: 'continue', session: card, fork: true },
      { kind: 'headless', text, output: 'text' },
      { folder, program, extra: runtime.asking.args },
    );
  } catch (error) {
    if (!isStaffettaError(error)) throw error;
    return nothing(error.message);
  }
  const answer = await put({ ...launch, env: { ...launch.env, ...runtime.asking.env } });
  if ('failed' in answer) return nothing(answer.failed);
  const statements = readStatements(answer.said);
  if (statements.length === 0) return nothing('Its answer has no statement in the form that was asked for.');
  const held = checkStatements(story, statements).filter(({ amiss }) => amiss.length === 0).length;
  return {
    outcome: { statements: statements.length, held },
    summary: withOwnSummary(summary, statements),
  };
}
