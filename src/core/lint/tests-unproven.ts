import type { Hit } from './finding.ts';
import { assertionsOf } from './claims.ts';
import type { Rule } from './rule.ts';
import type { Subject } from './subject.ts';

const success =
  /\b(?:(?:all |the |every |unit |integration |e2e )*(?:tests?|specs?|suite|checks?|ci|build|lint(?:er)?|type-?check(?:s|ing)?|validation)\b[^.;\n]{0,40}\b(?:pass(?:es|ed|ing)?|green|succeed(?:s|ed)?|clean|ok)|(?:pass(?:es|ed|ing)?|green)\b[^.;\n]{0,20}\b(?:tests?|specs?|suite|checks?|ci|build))\b/i;
const negated =
  /\b(?:not|never|no|fail(?:s|ed|ing)?|until|once|should|must|will|would|if|when|before|cannot|can't|doesn't|don't|isn't|aren't|expected to|need(?:s)? to|so that|make)\b/i;

export function claimsSuccess(text: string): boolean {
  return text.split(/[.;\n]|\bbut\b/).some((sentence) => success.test(sentence) && !negated.test(sentence));
}

export const testsUnproven: Rule = {
  id: 'tests-unproven',
  title: '"Tests pass" is backed by a passing run after the last edit',
  about: 'facts',
  weight: { strict: 'error' },
  check(subject): readonly Hit[] {
    const claims = assertionsOf(subject.packet).filter(({ text }) => claimsSuccess(text));
    if (claims.length === 0 || isProven(subject)) return [];
    const last = subject.runs.findLast(({ exit }) => exit !== 0) ?? subject.runs.at(-1);
    const text =
      last === undefined
        ? 'It says that checks pass, but no run was recorded.'
        : last.exit === 0
          ? 'It says that checks pass, but the workspace was changed after the last passing run.'
          : `It says that checks pass, but the last run (${last.run.join(' ')}) ended with ${last.exit ?? 'a signal'}.`;
    return claims.map(({ path }) => ({
      path,
      text,
      fix: 'Run them on the workspace as it is: staffetta validate.',
    }));
  },
};

/** Something passed on the workspace as sealed, and nothing that was run has failed since it last passed. */
function isProven({ runs, sealedTree }: Subject): boolean {
  const last = [...new Map(runs.map((run) => [run.run.join('\0'), run])).values()];
  return (
    last.every(({ exit }) => exit === 0) &&
    last.some((run) => sealedTree === null || run.workspace === sealedTree.digest)
  );
}
