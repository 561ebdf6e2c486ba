import type { GateRule } from '../rule.ts';
import type { RunFact, Subject } from '../subject.ts';

/**
 * What is said to be done may rest on a run: that one passed, on the workspace as it is, and did not fail there since. `j12` is the same
 * run as `r12`.
 */
export const runNotPassed: GateRule = {
  id: 'run-not-passed',
  title: 'A run that is evidence of something done has passed since the last edit',
  about: 'facts',
  check: (subject) =>
    subject.claims
      .filter(({ path }) => path.startsWith('claims.done'))
      .flatMap(({ path, evidence }) =>
        evidence.flatMap((id) => {
          const run = /^[jr]\d/.test(id) ? subject.record?.runs.get(Number(id.slice(1))) : undefined;
          const fault = run === undefined ? undefined : faultOf(run, subject);
          if (fault === undefined) return [];
          return [
            {
              path: `${path}.evidence`,
              text: `${id} is no proof: ${fault}.`,
              fix: 'Run it again on the workspace as it is, and name that run; or leave the evidence out.',
            },
          ];
        }),
      ),
};

function faultOf(cited: RunFact, { runs, sealedTree }: Subject): string | undefined {
  const words = cited.run.join(' ');
  if (cited.exit !== 0) return `${words} ended with ${cited.exit ?? 'a signal'}`;
  if (sealedTree === null) return undefined;
  if (cited.workspace !== sealedTree.digest) return `the workspace was changed after ${words} passed`;
  const failed = runs.find(
    ({ run, exit, entry, workspace }) =>
      exit !== 0 &&
      entry > cited.entry &&
      workspace === sealedTree.digest &&
      run.join('\0') === cited.run.join('\0'),
  );
  return failed === undefined ? undefined : `${words} failed again since (r${failed.entry})`;
}
