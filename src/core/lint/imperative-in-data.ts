import { asSeen } from './as-seen.ts';
import { claimsOf } from './claims.ts';
import type { Rule } from './rule.ts';

/** Words that address the reader as if they were its instructions, or try to change who may do what. */
const imperative =
  /\b(?:ignore|disregard|forget|override)\b[^.\n]{0,40}\b(?:previous|prior|above|earlier|all|any|your|the)\b[^.\n]{0,30}\b(?:instructions?|rules?|prompts?|guidelines?|constraints?|contract|policy)|\byou are now\b|\bnew (?:system )?(?:instructions?|prompt)\s*:|<\/?(?:system|assistant|developer|instructions?)>|\[\/?(?:INST|SYSTEM)\]|\bsystem\s*(?:prompt|message)\s*:|\b(?:do not|don't|never) (?:tell|inform|mention (?:this )?to|ask|alert|notify)\b[^.\n]{0,30}\b(?:user|human|person|reviewer|supervisor)|\b(?:skip|bypass|disable|turn off|auto-?approve|approve without)\b[^.\n]{0,40}\b(?:review|approval|gate|validation|tests?|checks?|hooks?|sandbox|permissions?)\b|\bexfiltrat|\bsend\b[^.\n]{0,60}(?:\b(?:credentials?|secrets?|tokens?|api keys?|ssh keys?)|\.env)\b|\bcurl\b[^\n]*\|\s*(?:ba|z)?sh\b|\brm\s+-rf\s+[/~]/i;

const others: readonly RegExp[] = [
  // to forget what was said before
  /\b(?:ignore|disregard|forget|override)\b[^.\n]{0,20}\b(?:everything|anything|all|what(?:ever)?)\b[^.\n]{0,30}\b(?:above|before|previous(?:ly)?|earlier|so far|told)\b/i,
  // to carry the environment away
  /\b(?:send|post|upload|forward|copy|report)\b[^.\n]{0,40}\b(?:env|environment(?: variables?)?)\b[^\n]{0,30}\bto\s+(?:https?:|\S+@)/i,
  // as if somebody else spoke
  /(?:^|\n)\s*(?:SYSTEM|DEVELOPER|ADMIN(?:ISTRATOR)?|ROOT)\s*:/,
  // to take a review away
  /\b(?:approvals?|reviews?|gate|sign-?off|permissions?)\b[^.\n]{0,20}\b(?:is|are|was|were|has been|have been)\s+(?:lifted|waived|suspended|(?:no longer|not) (?:needed|required|necessary))\b/i,
  /(?:^|[;:,.]\s*|\band\s+)approve\s+(?:it|this|the (?:work|changes?|packet|task|submission))\b/i,
];

export function isImperative(text: string): boolean {
  const seen = asSeen(text);
  return imperative.test(seen) || others.some((pattern) => pattern.test(seen));
}

export const imperativeInData: Rule = {
  id: 'imperative-in-data',
  title: 'Claims inform; they do not give orders to the next agent',
  about: 'claims',
  weight: { strict: 'error' },
  check: ({ packet }) =>
    [
      ...claimsOf(packet),
      ...packet.artefacts.map((artefact, i) => ({ path: `artefacts[${i}].why`, text: artefact.why ?? '' })),
    ]
      .filter(({ text }) => isImperative(text))
      .map(({ path, text }) => ({
        path,
        text: `"${text.trim().slice(0, 80)}" gives orders that only a contract may give.`,
        fix: 'Say what is; what must be done belongs to the contract, which a person owns.',
      })),
};
