/** What a session itself says of its task: a contract in the user's own words, and what the agent in it found out. */
import type { Claims } from '../core/packet.ts';
import { draftContract } from '../core/stated/draft.ts';
import type { Story } from '../core/transcript/story.ts';
import type { ContractInput } from './open.ts';

export interface SessionDraft {
  readonly contract: ContractInput;
  readonly claims: Claims;
}

export function draftOf(story: Story): SessionDraft {
  const { contract } = draftContract(story);
  return { contract: { ...contract, goal: contract.goal ?? notStated }, claims: {} };
}

export const notStated = 'The session does not say what it was for: ask whoever started it.';
