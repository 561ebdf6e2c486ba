import type { Hit } from './finding.ts';
import { claimsOf } from './claims.ts';
import { proofOf } from './proof.ts';
import type { Rule } from './rule.ts';

const checks = '(?:tests?|specs?|suite|checks?|ci|build|lint(?:er)?|type-?check(?:s|ing)?|validation)';
/** To pass something on is not to pass. */
const passes =
  'pass(?:es|ed|ing)?\\b(?!\\s+(?:an?|the|its|his|her|their|null|undefined|true|false|it|them|through|into|via|along|empty)\\b)';
const success: readonly RegExp[] = [
  `\\b${checks}\\b[^.;\\n]{0,40}\\b(?:${passes}|(?:green|succeed(?:s|ed)?|clean|ok)\\b)`,
  `\\b(?:passing|passed|green)\\s+(?:\\w+\\s+)?${checks}\\b`,
  `\\bpass(?:es|ed|ing)?\\s+(?:all|the|every)\\s+(?:\\w+\\s+)?${checks}\\b`,
  `\\b(?:everything|all(?: of (?:it|them))?|it all)(?:\\s+(?:is|are|now|again|still|finally))*\\s+(?:${passes}|green\\b)`,
  '\\b\\d+\\s+(?:passed|passing)\\b',
].map((source) => new RegExp(source, 'i'));
const negated =
  /\b(?:not|never|no|fail(?:s|ed|ing|ures?)?|until|once|should|must|will|would|if|when|before|cannot|can't|doesn't|don't|isn't|aren't|expected to|need(?:s)? to|so that|mak(?:e|ing)|get(?:ting)?|try(?:ing)?|want(?:s|ed)?|goal)\b/i;
/** Without a failure is another word for passed, where it speaks of checks. */
const noFailure =
  /\b(?:0|no|zero|without(?: any)?)\s+(?:fail(?:ing|ed)\s+(?:tests?|specs?|checks?)|(?:tests?|specs?|checks?)\s+fail(?:s|ed|ures?)?|fail(?:ures?|ed))\b/gi;
const aboutChecks = /\b(?:tests?|specs?|suite|checks?|\d+ pass(?:ed|ing))\b/i;
const share = /\b(\d+)\s*(?:\/|of|out of)\s*(\d+)\b/;

export function claimsSuccess(text: string): boolean {
  return text.split(/[.;\n]|\bbut\b/).some((sentence) => {
    const [, some, all] = share.exec(sentence) ?? [];
    if (some !== all) return false;
    const meant = aboutChecks.test(sentence) ? sentence.replaceAll(noFailure, ' tests pass ') : sentence;
    return success.some((pattern) => pattern.test(meant)) && !negated.test(meant);
  });
}

/** What is under way is said of the present too. */
const said = /^claims\.(?:summary|done|doing)\b/;

export const testsUnproven: Rule = {
  id: 'tests-unproven',
  title: '"Tests pass" is backed by a passing run after the last edit',
  about: 'facts',
  weight: { strict: 'error' },
  check: (subject): readonly Hit[] =>
    claimsOf(subject.packet)
      .filter(({ path, text }) => said.test(path) && claimsSuccess(text))
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
