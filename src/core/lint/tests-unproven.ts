import type { Hit } from './finding.ts';
import { assertionsOf } from './claims.ts';
import { proofOf } from './proof.ts';
import type { Rule } from './rule.ts';

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
  check: (subject): readonly Hit[] =>
    assertionsOf(subject.packet)
      .filter(({ text }) => claimsSuccess(text))
      .flatMap((claim): Hit[] => {
        const proof = proofOf(claim, subject);
        if (proof.shown === true) return [];
        if (proof.shown === 'unrelated') {
          return [
            {
              path: claim.path,
              text: `It says that checks pass, but what passed is ${proof.run.run.join(' ')}.`,
              fix: `Name the run that shows it as evidence, as in "… [r${proof.run.entry}]", or say what passed.`,
              atMost: 'warning',
            },
          ];
        }
        return [
          {
            path: claim.path,
            text: `It says that checks pass, but ${proof.why}.`,
            fix: 'Run them on the workspace as it is: staffetta validate.',
          },
        ];
      }),
};
