import type { PhaseView } from '../../handoff/verbs/phase.ts';
import { line, type Output } from '../frame/output.ts';
import { namedCommandWords } from './runs-page.ts';
import { section } from '../frame/section.ts';
import { joinCommand } from '../../core/base/command-line.ts';

export function phaseData({ phase, known }: PhaseView): Record<string, unknown> {
  return {
    ...phase,
    status: known?.status ?? null,
    at: known?.at ?? null,
    workspace: known?.workspace ?? null,
  };
}

/** The phases in order, each with how it stands and what shows that it is done. */
export function phasesText(views: readonly PhaseView[], { paint }: Pick<Output, 'paint'>): string {
  return views
    .map(({ phase, known }, i) =>
      [
        `${i + 1}. ${paint.bold(line(phase.name))}: ${phaseStanding(known)}`,
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

export function phaseStanding(known: PhaseView['known']): string {
  switch (known?.status) {
    case undefined:
      return 'not started';
    case 'started':
      return 'started, not verified';
    case 'failed':
      return 'not done when it was last verified';
    case 'rolled-back':
      return 'rolled back';
    case 'verified':
      return 'verified';
  }
}

/** What to type for the first phase that is not done. */
export function phaseStep(views: readonly PhaseView[], task: string): string | undefined {
  const open = views.find(({ known }) => known?.status !== 'verified');
  if (open === undefined) return undefined;
  const { phase, known } = open;
  const name = joinCommand([phase.name]);
  if (known === null || known.status === 'rolled-back') return `staffetta phase start ${task} ${name}`;
  const because = (phase.verify ?? []).length === 0 ? ' --because "what shows it"' : '';
  return `staffetta phase verify ${task} ${name}${because}`;
}
