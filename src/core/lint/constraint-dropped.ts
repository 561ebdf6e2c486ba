import type { Rule } from './rule.ts';

function normal(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

/** The words of a constraint that carry its meaning. */
function weighty(text: string): string[] {
  return normal(text)
    .split(' ')
    .filter((word) => word.length > 3 && !common.has(word));
}

const common: ReadonlySet<string> = new Set([
  'please',
  'should',
  'must',
  'have',
  'make',
  'sure',
  'that',
  'this',
  'with',
  'from',
  'only',
  'also',
  'when',
  'will',
  'them',
  'they',
  'keep',
  'need',
  'dont',
  'never',
  'always',
]);

/** Kept if the same words stand in the contract, in any order: at least four fifths of those that carry meaning. */
export function isKept(constraint: string, texts: readonly string[]): boolean {
  const wanted = weighty(constraint);
  if (wanted.length === 0) return texts.some((text) => normal(text).includes(normal(constraint)));
  return texts.some((text) => {
    const there = new Set(normal(text).split(' '));
    return wanted.filter((word) => there.has(word)).length >= wanted.length * 0.8;
  });
}

export const constraintDropped: Rule = {
  id: 'constraint-dropped',
  title: 'What a user said must hold stands in the contract',
  about: 'facts',
  weight: { strict: 'error' },
  check({ contract, userConstraints }) {
    const texts = [
      contract.goal,
      ...(contract.constraints ?? []),
      ...(contract.nonGoals ?? []),
      ...(contract.acceptance ?? []),
    ];
    return userConstraints
      .filter((constraint) => !isKept(constraint, texts))
      .map((constraint) => ({
        path: 'contract.constraints',
        text: `A user said "${constraint.slice(0, 100)}", and the contract does not.`,
        fix: 'Add it to the constraints, or have a person amend the contract.',
      }));
  },
};
