import type { PhaseFailure, PhaseView } from '../../handoff/verbs/phase.ts';
import { line, type Output } from '../frame/output.ts';
import { namedCommandWords } from './runs-page.ts';
import { section } from '../frame/section.ts';
import { joinCommand } from '../../core/base/command-line.ts';

export function phaseData({ phase, known }: PhaseView): Record<string, unknown> {
  return {
    ...phase,
    status: known?.status ?? null,
    ...(known?.approved === undefined ? {} : { approved: known.approved }),
    at: known?.at ?? null,
    workspace: known?.workspace ?? null,
  };
}

/** The phases in order, each with how it stands and what shows that it is done. */
export function phasesText(views: readonly PhaseView[], { paint }: Pick<Output, 'paint'>): string {
  return views
    .map(({ phase, known, failure }, i) =>
      [
        `${i + 1}. ${paint.bold(line(phase.name))}: ${failure === undefined ? phaseStanding(known, phase.human) : failureWords(failure)}`,
        section('For', phase.goal === undefined ? undefined : [phase.goal], '   '),
        section('Accepted when', phase.criteria, '   '),
        section('Verified by', phase.verify?.map(namedCommandWords), '   '),
        section('Undone by', phase.rollback?.map(namedCommandWords), '   '),
      ]
        .filter((part) => part !== '')
        .join('\n'),
    )
    .join('\n');
}

export function phaseStanding(known: PhaseView['known'], human?: true): string {
  switch (known?.status) {
    case undefined:
      return 'not started';
    case 'started':
      return 'started, not verified';
    case 'failed':
      return 'not verified now';
    case 'rolled-back':
      return 'rolled back';
    case 'verified':
      if (known.approved !== undefined) return `verified, approved by ${line(known.approved.by)}`;
      return human === true ? 'verified, waits for a person' : 'verified';
  }
}

function failureWords({ of, why }: PhaseFailure): string {
  const what = { verify: 'not verified', rollback: 'its rollback failed', earlier: 'to be verified again' };
  return `${what[of]}: ${line(why)}`;
}

function isWaiting({ phase, known }: PhaseView): boolean {
  return phase.human === true && known?.status === 'verified' && known.approved === undefined;
}

/** What to type for the first phase that is not done, in order of preference. */
export function phaseSteps(views: readonly PhaseView[], task: string): string[] {
  const open = views.find(({ phase, known }) => known?.status !== 'verified' || isWaiting({ phase, known }));
  if (open === undefined) return [];
  const { phase, known, failure } = open;
  const name = joinCommand([phase.name]);
  if (isWaiting(open)) return [`staffetta phase approve ${task} ${name}`];
  if (known === null || known.status === 'rolled-back') return [`staffetta phase start ${task} ${name}`];
  const because = (phase.verify ?? []).length === 0 ? ' --because "what shows it"' : '';
  const verify = `staffetta phase verify ${task} ${name}${because}`;
  if (known.status !== 'failed' || phase.rollback === undefined) return [verify];
  const rollback = `staffetta phase rollback ${task} ${name} --why "…"`;
  return failure?.of === 'rollback' ? [rollback, verify] : [verify, rollback];
}
