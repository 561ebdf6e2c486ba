import type { Contract } from '../contract.ts';
import { claimsOf } from './claims.ts';
import type { Rule } from './rule.ts';

const placeholder =
  /\b(?:tbd|tba|tbc|lorem ipsum|to be (?:determined|decided|defined|filled|added|done later)|fill (?:this |me )?in|(?:insert|your|add) (?:\w+ ){0,3}here|placeholder|coming soon|same as (?:above|before)|see above(?=\s*(?:[.,;:)]|$))|as discussed|n\/a|xxx+|foo ?bar|asdf|change ?me|example text)\b|\[(?:…|\.\.\.|insert[^\]]*|todo[^\]]*|your[^\]]*|placeholder[^\]]*)\]|<(?:insert|todo|your|fill|placeholder)[^>]*>|\{\{[^}]*\}\}|^\s*(?:\.{3}|…|-|todo\b\.?:?)\s*$/im;

/** Brackets that ask for words: those that begin so, and those that are all there is. */
const slot =
  /\[(?:describe|enter|specify|add|explain|write|state|give)\s[^\]]*\]|<(?:describe|enter|specify|explain|write|state|give|next|what|why|who)\s[^>]*>|^\s*(?:<[^<>/=]{2,80}>|\[[^[\]]{2,80}\])\.?\s*$/i;

export function hasPlaceholder(text: string): boolean {
  return placeholder.test(text) || slot.test(text);
}

export const placeholderText: Rule = {
  id: 'placeholder-text',
  title: 'No text stands in for something that should have been written',
  about: 'claims',
  weight: { strict: 'error' },
  check: ({ contract, packet }) =>
    [...contractTexts(contract), ...claimsOf(packet)]
      .filter(({ text }) => hasPlaceholder(text))
      .map(({ path, text }) => ({
        path,
        text: `"${text.trim().slice(0, 60)}" is a placeholder.`,
        fix: 'Write what is meant, or leave the field out.',
      })),
};

function contractTexts(contract: Contract): { readonly path: string; readonly text: string }[] {
  const lists = ['acceptance', 'constraints', 'nonGoals'] as const;
  return [
    { path: 'contract.goal', text: contract.goal },
    ...lists.flatMap((list) =>
      (contract[list] ?? []).map((text, i) => ({ path: `contract.${list}[${i}]`, text })),
    ),
  ];
}
