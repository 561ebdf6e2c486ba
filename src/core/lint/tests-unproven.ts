import type { Hit } from './finding.ts';
import { claimsSuccess } from './claimed-success.ts';
import { claimsOf } from './claims.ts';
import { proofOf } from './proof.ts';
import type { Rule } from './rule.ts';

/** What is under way is said of the present too. */
const said = /^claims\.(?:summary|done|doing)\b/;

export const testsUnproven: Rule = {
  id: 'tests-unproven',
  title: '"Tests pass" is backed by a passing run after the last edit',
  about: 'facts',
  weight: { strict: 'error' },
  check(subject): readonly Hit[] {
    const commands = (subject.contract.validation ?? []).map(({ run }) => run.join(' '));
    return claimsOf(subject.packet)
      .filter(({ path, text }) => said.test(path) && claimsSuccess(text, commands))
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
      });
  },
};
