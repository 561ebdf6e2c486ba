import { claimsOf } from './claims.ts';
import type { Hit } from './finding.ts';
import { missingPathsIn } from './named-paths.ts';
import type { Rule } from './rule.ts';
import type { Subject } from './subject.ts';

const asserted = /^claims\.(?:summary|done)\b/;
const ahead = /^claims\.(?:doing|remaining|next)\b/;

export const pathAbsent: Rule = {
  id: 'path-absent',
  title: 'Every file the packet names exists',
  about: 'facts',
  weight: { strict: 'error' },
  check(subject) {
    const lost = new Set(subject.losses.map(({ path }) => path));
    const artefacts = subject.packet.artefacts.flatMap(({ path }, i) =>
      lost.has(path) ? [] : absent(subject, path, `artefacts[${i}].path`),
    );
    const mentioned = claimsOf(subject.packet)
      .filter(({ path }) => asserted.test(path) || ahead.test(path))
      .flatMap((claim) =>
        missingPathsIn(claim.text, { exists: subject.exists, ahead: ahead.test(claim.path) }).flatMap(
          ({ path, sure, said }) =>
            // A name in passing may be of a file elsewhere: in a bucket, in a browser, in another project.
            absent(subject, path, claim.path).map((hit): Hit =>
              sure && said === 'there' ? hit : { ...hit, atMost: 'warning' },
            ),
        ),
      );
    return [...artefacts, ...mentioned];
  },
};

function absent(subject: Subject, path: string, at: string): Hit[] {
  if (path === '' || subject.exists(path) !== false || isChanged(subject, path)) return [];
  return [
    {
      path: at,
      text: `${path} does not exist in the workspace.`,
      fix: 'Correct the path, or take the claim out.',
    },
  ];
}

/** It was deleted, or it is the end of the path of a file that was changed. */
function isChanged({ sealedTree }: Subject, path: string): boolean {
  return (
    sealedTree?.changes.some(
      (change) => (change.path === path && change.status === 'deleted') || change.path.endsWith(`/${path}`),
    ) === true
  );
}
