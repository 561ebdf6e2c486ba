/** What people read of a packet: it is ready, or it is not, and why. Grades are for the journal. Only types are imported: the pages use it too. */
import type { Occasion } from '../gate/subject.ts';

export function readiness(certification: string): 'ready' | 'not ready' {
  return certification === 'ready' ? 'ready' : 'not ready';
}

const ends: Readonly<Record<Occasion, string>> = {
  checkpoint: 'handed over',
  handoff: 'handed over',
  submit: 'submitted',
  complete: 'completed',
};

export function notReadyWords(task: string, occasion: Occasion, because: readonly string[]): string {
  const head = `Task ${task} is not ready to be ${ends[occasion]}`;
  return because.length === 0 ? `${head}.` : `${head}: ${[...new Set(because)].join(' ')}`;
}
