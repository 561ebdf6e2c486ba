/** What a session itself says of its task: a contract in the user's own words, and what the agent in it found out. */
import { goalNotStated } from '../core/missing.ts';
import type { Claims } from '../core/packet.ts';
import { draftClaims } from '../core/stated/claims.ts';
import { draftContract } from '../core/stated/draft.ts';
import { isDenied } from '../core/stated/denied.ts';
import { messageIn } from '../core/stated/prose.ts';
import type { Story } from '../core/transcript/story.ts';
import type { ContractInput } from './open.ts';

export interface SessionDraft {
  readonly contract: ContractInput;
  readonly claims: Claims;
}

export function draftOf(story: Story): SessionDraft {
  const { contract } = draftContract(story);
  const goal = contract.goal ?? firstWords(story) ?? goalNotStated;
  const constraints = contract.constraints?.filter((said) => said !== goal) ?? [];
  const { constraints: _said, ...rest } = contract;
  return {
    contract: { ...rest, goal, ...(constraints.length === 0 ? {} : { constraints }) },
    claims: draftClaims(story),
  };
}

/** What the session was opened with, where nothing in it is called a goal. */
function firstWords({ steps }: Story): string | undefined {
  const first = steps.find(({ source, text }) => source === 'user' && text.trim() !== '');
  return first === undefined ? undefined : messageIn(first.text).find(({ text }) => !isDenied(text))?.text;
}
