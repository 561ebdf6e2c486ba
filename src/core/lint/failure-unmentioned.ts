import { claimsOf } from './claims.ts';
import type { Rule } from './rule.ts';
import type { RunFact } from './subject.ts';

/** Commands that failed at least twice and have not passed since. */
export function stubbornFailures(runs: readonly RunFact[]): RunFact[] {
  const failing = new Map<string, { count: number; last: RunFact }>();
  for (const run of runs) {
    const key = run.run.join(' ');
    if (run.exit === 0) failing.delete(key);
    else failing.set(key, { count: (failing.get(key)?.count ?? 0) + 1, last: run });
  }
  return [...failing.values()].filter(({ count }) => count >= 2).map(({ last }) => last);
}

export const failureUnmentioned: Rule = {
  id: 'failure-unmentioned',
  title: 'A command that keeps failing is mentioned',
  about: 'facts',
  weight: { strict: 'error' },
  check({ packet, runs }) {
    const texts = claimsOf(packet).map(({ text }) => text.toLowerCase());
    return stubbornFailures(runs)
      .filter((run) => !texts.some((text) => mentions(text, run.run)))
      .map((run) => ({
        path: 'claims.failed',
        text: `${run.run.join(' ')} failed again and again, and the packet does not say so.`,
        fix: 'Say what fails and why, as far as you know: staffetta note "…" --dead-end "…", or --blocker.',
      }));
  },
};

/** The whole command, or its program and last word: agents shorten. */
function mentions(text: string, run: readonly string[]): boolean {
  const words = run.map((word) => word.toLowerCase());
  if (text.includes(words.join(' '))) return true;
  const program = (words[0] ?? '').split('/').at(-1) ?? '';
  const last = words.at(-1) ?? '';
  return program !== '' && text.includes(program) && (words.length === 1 || text.includes(last));
}
