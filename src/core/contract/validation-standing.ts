/**
 * How the commands of a contract last ended, and whether that still speaks for a workspace: a result is bound to the state of the
 * workspace it was seen on, and stale on any other.
 */
import type { Contract } from './contract.ts';
import type { Digest } from '../journal/digest.ts';
import type { KnownRun, RunOutcome } from '../task/state.ts';

export type ValidationStanding = 'bound' | 'stale' | 'unknown' | 'not-run';

export interface ValidationResult {
  readonly run: readonly string[];
  readonly name: string | null;
  readonly outcome: 'passed' | 'failed' | null;
  /** `bound`: seen on exactly this workspace. `unknown`: there is no workspace to compare with. */
  readonly standing: ValidationStanding;
  readonly at: number | null;
  readonly exit: number | null;
}

/** What the contract asks for, in its order, then whatever else was run. */
export function validationResults(
  { validation = [], phases = [] }: Pick<Contract, 'validation' | 'phases'>,
  runs: readonly KnownRun[],
  workspace: Digest | null,
): ValidationResult[] {
  const asked = [...validation, ...phases.flatMap(({ verify = [] }) => verify)];
  const wanted = new Map(asked.map(({ run, name }) => [JSON.stringify(run), { run, name: name ?? null }]));
  for (const { run, name } of runs) {
    const key = JSON.stringify(run);
    if (!wanted.has(key)) wanted.set(key, { run: [...run], name });
  }
  return [...wanted].map(([key, { run, name }]) => {
    const known = runs.find((one) => JSON.stringify(one.run) === key);
    return { run, name, ...lastOf(known, workspace) };
  });
}

/** With what failed after that entry, and with what was run then for the first time: a packet tells of what had been run when it was sealed. */
export function withRunsSince(
  results: readonly ValidationResult[],
  runs: readonly KnownRun[],
  { sealedAt, workspace }: { readonly sealedAt: number; readonly workspace: Digest | null },
): ValidationResult[] {
  return results.map((result) => {
    const known = runs.find(({ run }) => JSON.stringify(run) === JSON.stringify(result.run));
    const last = latest(known?.passed ?? null, known?.failed ?? null);
    const isNews = last !== null && last.seq > sealedAt && (result.outcome === null || last.exit !== 0);
    return isNews ? { ...result, ...lastOf(known, workspace) } : result;
  });
}

function lastOf(
  known: KnownRun | undefined,
  workspace: Digest | null,
): Omit<ValidationResult, 'run' | 'name'> {
  const { passed = null, failed = null } = known ?? {};
  const last = latest(passed, failed);
  if (last === null) return { outcome: null, standing: 'not-run', at: null, exit: null };
  return {
    outcome: last === passed ? 'passed' : 'failed',
    standing: workspace === null ? 'unknown' : last.workspace === workspace ? 'bound' : 'stale',
    at: last.at,
    exit: last.exit,
  };
}

function latest(passed: RunOutcome | null, failed: RunOutcome | null): RunOutcome | null {
  if (passed === null || failed === null) return passed ?? failed;
  return failed.seq > passed.seq ? failed : passed;
}
