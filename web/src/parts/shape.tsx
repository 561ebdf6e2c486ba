/** How far work is, in a line: progress, phases, lines, checks. */
import type { Shape } from '../../../src/server/contract/contract.ts';
import { counted } from './said.ts';

export function ShapeLine({ shape }: { readonly shape: Shape }) {
  const { progress, phases, diff, checks } = shape;
  if (progress === null && phases.length === 0 && diff === null && checks.length === 0) return null;
  return (
    <span class="shape">
      {progress === null ? null : <Progress progress={progress} />}
      {phases.length === 0 ? null : <Phases phases={phases} />}
      {diff === null || diff.files === 0 ? null : <Lines diff={diff} />}
      {checks.length === 0 ? null : <Checks checks={checks} />}
    </span>
  );
}

export function Progress({
  progress: { at, of, unit },
}: {
  readonly progress: NonNullable<Shape['progress']>;
}) {
  const words = `${at.toLocaleString()}${of === null ? '' : ` of ${of.toLocaleString()}`}${unit === null ? '' : ` ${unit}`}`;
  return (
    <span class="progress">
      {of === null ? null : <progress max={Math.max(of, 1)} value={Math.min(at, of)} aria-label="Progress" />}
      {words}
    </span>
  );
}

const phaseSigns: Readonly<Record<string, string>> = {
  verified: '●',
  started: '◐',
  failed: '✕',
  'rolled-back': '↩',
};

export function Phases({ phases }: { readonly phases: Shape['phases'] }) {
  const at = phases.findLast(({ status }) => status !== null) ?? phases[0];
  const words = phases.map(({ name, status }) => `${name}: ${status ?? 'not begun'}`).join(', ');
  return (
    <span class="phases" title={words}>
      <span role="img" aria-label={words}>
        {phases.map(({ name, status }) => (
          <span key={name} class={`phase phase-${status ?? 'none'}`}>
            {phaseSigns[status ?? ''] ?? '○'}
          </span>
        ))}
      </span>{' '}
      {at?.name}
    </span>
  );
}

export function Lines({ diff: { files, added, removed } }: { readonly diff: NonNullable<Shape['diff']> }) {
  return (
    <span class="plus-minus">
      {counted(files, 'file')} <span class="plus">+{added}</span> <span class="minus">−{removed}</span>
    </span>
  );
}

const signs = { passed: '✓', failed: '✕', stale: '~', 'not-run': '○' } as const;
const outcomeWords = {
  passed: 'passed',
  failed: 'failed',
  stale: 'passed on other work',
  'not-run': 'not run',
} as const;

/** By name where they are few. */
function Checks({ checks }: { readonly checks: Shape['checks'] }) {
  const words = checks.map(({ name, outcome }) => `${name}: ${outcomeWords[outcome]}`).join('\n');
  const groups = (['failed', 'not-run', 'stale', 'passed'] as const).flatMap((outcome) => {
    const count = checks.filter((check) => check.outcome === outcome).length;
    return count === 0 ? [] : [{ outcome, count }];
  });
  return (
    <span class="checks" title={words}>
      {groups.map(({ outcome, count }) => (
        <span key={outcome} class={`check-${outcome}`}>
          {signs[outcome]} {count}
          <span class="visually-hidden"> {outcomeWords[outcome]}</span>
        </span>
      ))}
    </span>
  );
}
