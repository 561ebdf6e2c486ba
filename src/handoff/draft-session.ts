/** What a session itself says of its task: a contract in the user's own words, and what the agent in it found out. */
import type { Claims } from '../core/packet.ts';
import { cut } from '../core/text.ts';
import { sanitize } from '../core/sanitize.ts';
import type { Story } from '../core/transcript/story.ts';
import type { ContractInput } from './open.ts';

export interface SessionDraft {
  readonly contract: ContractInput;
  readonly claims: Claims;
}

const goalCharsMax = 4000;

export function draftOf(story: Story): SessionDraft {
  const first = story.steps.find(({ source, text }) => source === 'user' && text.trim() !== '');
  const goal = first === undefined ? notStated : cut(sanitize(first.text.trim()), goalCharsMax);
  return { contract: { goal }, claims: {} };
}

export const notStated = 'The session does not say what it was for: ask whoever started it.';
