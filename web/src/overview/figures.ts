import type { FiguresAnswer } from '../../../src/server/contract/contract-looks.ts';
import { span } from '../parts/clock.ts';
import { counted, spentWords } from '../parts/said.ts';

/** One thing that the store counts now, as `/metrics` does. */
interface Figure {
  readonly text: string;
  /** Somebody should look at it. */
  readonly isBad: boolean;
  /** The task of the run that it is about. */
  readonly run?: string;
}

export function figuresOf(figures: FiguresAnswer): Figure[] {
  const { lapsed, dead, unheard, conflicts, runs } = figures;
  const stuck: readonly (readonly [count: number, text: string])[] = [
    [lapsed, `${counted(lapsed, 'holder')} fell silent`],
    [dead, `${counted(dead, 'task')} used up all attempts`],
    [unheard, `${counted(unheard, 'offer')} called for again and again in vain`],
  ];
  return [
    { text: waiting(figures), isBad: false },
    ...stuck.filter(([count]) => count > 0).map(([, text]) => ({ text, isBad: true })),
    ...(conflicts === 0
      ? []
      : [
          {
            text: `${counted(conflicts, 'write')} had to be tried again, since the server started`,
            isBad: false,
          },
        ]),
    ...runs.map((run) => ({ text: runWords(run), isBad: run.isStalled, run: run.task })),
  ];
}

function waiting({ offers, oldestOfferMs }: FiguresAnswer): string {
  const lanes = Object.entries(offers);
  const all = lanes.reduce((sum, [, count]) => sum + count, 0);
  if (all === 0) return 'Nothing waits to be taken';
  const by = lanes.map(([lane, count]) => `${count} in ${lane}`).join(', ');
  return `${counted(all, 'task')} can be taken (${by}), the oldest for ${span(oldestOfferMs ?? 0)}`;
}

function runWords({
  run,
  working,
  parallel,
  ready,
  queue,
  needing,
  isStalled,
  spent,
}: FiguresAnswer['runs'][number]): string {
  const parts = [
    `${working} of ${counted(parallel, 'slot')} used`,
    ...(ready === 0 ? [] : [`${ready} could start`]),
    ...(queue === 0 ? [] : [`${queue} to integrate`]),
    ...(needing === 0 ? [] : [`${needing} ${needing === 1 ? 'needs' : 'need'} you`]),
    ...(spentWords(spent) === '' ? [] : [spentWords(spent)]),
    ...(isStalled ? ['waits for somebody outside'] : []),
  ];
  return `Run ${run}: ${parts.join(', ')}`;
}
