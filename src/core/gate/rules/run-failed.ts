import type { GateRule } from '../rule.ts';
import type { RunFact } from '../subject.ts';

/** Shown beside what is said: the reader of both sees whether they fit. Citing the run among what failed says it. */
export const runFailed: GateRule = {
  id: 'run-failed',
  title: 'The commands that were run passed when they were last run',
  about: 'claims',
  check({ claims, runs }) {
    const told = new Set(
      claims
        .filter(({ path }) => /^claims\.(?:failed|blockers)/.test(path))
        .flatMap(({ evidence }) => evidence),
    );
    return lastOfEach(runs)
      .filter(({ exit, entry }) => exit !== 0 && !told.has(`r${entry}`) && !told.has(`j${entry}`))
      .map(({ run, exit, entry }) => ({
        path: `runs.r${entry}`,
        text: `${run.join(' ')} ended with ${exit ?? 'a signal'} when it was last run (r${entry}).`,
        fix: `Say what fails and why, as far as you know, with r${entry} as evidence.`,
      }));
  },
};

function lastOfEach(runs: readonly RunFact[]): RunFact[] {
  const last = new Map<string, RunFact>();
  for (const one of runs) {
    const key = one.run.join('\0');
    if (one.entry >= (last.get(key)?.entry ?? 0)) last.set(key, one);
  }
  return [...last.values()];
}
