/**
 * What the recorded runs show of a claim that checks pass. Only the latest run of each command counts, and only on the workspace
 * as it was sealed. A claim that names a command is judged by that one alone. Any other needs that
 *   1. no command failed there,
 *   2. every command of the contract passed there,
 *   3. at least one command passed there.
 * If none of those that passed is of the kind it speaks of, the claim has to cite its run.
 */
import type { PlacedClaim } from './claims.ts';
import type { RunFact, Subject } from './subject.ts';

export type Proof =
  | { readonly shown: true }
  /** Something passed, but by its name it is nothing of the kind. */
  | { readonly shown: 'unrelated'; readonly run: RunFact }
  | { readonly shown: false; readonly why: string };

const kindsOfCheck: readonly (readonly [said: RegExp, command: RegExp])[] = [
  [/\b(?:tests?|specs?|suite)\b/i, /test|spec|jest|mocha|tap\b|tox|nox|rake|suite|behave|cypress/i],
  [/\blint(?:er|ing)?\b/i, /lint|ruff|flake8|prettier|biome|fmt|format|clippy|rubocop|vet\b/i],
  [/\btype-?check/i, /tsc|type|mypy|pyright|pyre/i],
  [/\bbuilds?\b/i, /build|tsc|compile|webpack|vite|rollup|esbuild|cargo|\bgo\b|gcc|docker/i],
];
/** Names that say nothing about what they run. */
const anyKind = /check|verif|valid|\bci\b|make|just\b|gradle|mvn|ant\b|bazel|\ball\b/i;

export function proofOf(claim: PlacedClaim, subject: Subject): Proof {
  const latest = [...new Map(subject.runs.map((run) => [keyOf(run.run), run])).values()];
  if (latest.length === 0) return { shown: false, why: 'no run was recorded' };
  const named = latest.filter(({ run }) => claim.text.includes(run.join(' ')));
  const wanted = named.length > 0 ? named.map(({ run }) => run) : wantedOf(subject);
  const failed = (named.length > 0 ? named : latest).find((run) => run.exit !== 0 && holds(run, subject));
  if (failed !== undefined)
    return { shown: false, why: `${words(failed.run)} ended with ${failed.exit ?? 'a signal'}` };
  for (const run of wanted) {
    const last = latest.find((one) => keyOf(one.run) === keyOf(run));
    if (last === undefined) return { shown: false, why: `no run of ${words(run)} was recorded` };
    if (last.exit !== 0)
      return {
        shown: false,
        why: `${words(run)} ended with ${last.exit ?? 'a signal'} when it was last run`,
      };
    if (!holds(last, subject))
      return { shown: false, why: `the workspace was changed after the last passing run of ${words(run)}` };
  }
  const passed = latest.filter((run) => run.exit === 0 && holds(run, subject));
  const [first] = passed;
  if (first === undefined) {
    return {
      shown: false,
      why: latest.some(({ exit }) => exit === 0)
        ? 'the workspace was changed after the last passing run'
        : 'no passing run was recorded',
    };
  }
  if (named.length > 0 || passed.some((run) => isCited(run, claim) || isRelated(run, claim.text)))
    return { shown: true };
  return { shown: 'unrelated', run: first };
}

function wantedOf({ contract, unconfirmed }: Subject): readonly (readonly string[])[] {
  return (contract.validation ?? [])
    .map(({ run }) => run)
    .filter((run) => !unconfirmed.some((one) => keyOf(one) === keyOf(run)));
}

function holds({ workspace }: RunFact, { sealedTree }: Subject): boolean {
  return sealedTree === null || workspace === sealedTree.digest;
}

function isCited({ entry }: RunFact, { evidence }: PlacedClaim): boolean {
  return evidence.includes(`r${entry}`) || evidence.includes(`j${entry}`);
}

function isRelated({ run }: RunFact, text: string): boolean {
  const spoken = kindsOfCheck.filter(([said]) => said.test(text));
  const command = words(run);
  return spoken.length === 0 || anyKind.test(command) || spoken.some(([, names]) => names.test(command));
}

function keyOf(run: readonly string[]): string {
  return run.join('\0');
}

function words(run: readonly string[]): string {
  return run.join(' ');
}
