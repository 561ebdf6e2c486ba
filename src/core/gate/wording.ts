/** All that the gate makes of wording. It warns, and refuses nothing: words are carried, facts decide. */
import type { Contract } from '../contract/contract.ts';
import type { GateRule } from './rule.ts';

/** A text that is nothing but a place for one. */
const placeholder = /^(?:t\.?b\.?[acd]\.?|to ?do|fixme|x{3,}|n\/?a|wip|\.{2,}|…|\?+|-+|<[^<>]{1,80}>)[.!]?$/i;
const charsMax = 100;

export const placeholderText: GateRule = {
  id: 'placeholder-text',
  title: 'No text stands in for something that should have been written',
  about: 'claims',
  check: ({ contract, claims }) =>
    [...contractTexts(contract), ...claims]
      .map(({ path, text }) => ({ path, text: text.trim() }))
      .filter(({ text }) => text.length <= charsMax && placeholder.test(text))
      .map(({ path, text }) => ({
        path,
        text: `"${text}" holds a place that was not filled in.`,
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
