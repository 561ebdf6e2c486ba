import { join } from 'node:path';
import { expect } from 'vitest';
import { asCode, stages, type Stage } from './stage.ts';

/** Of the commands that bring a task to another store, or words to a program. */
export const travelRows = {
  export: {
    stage: stages.handedOff,
    args: ({ task, folder }: Stage) => ['export', task, '--out', join(folder, 'task.staffetta')],
    writes: 'plain' as const,
    answers: { entries: 2, journals: [{ seq: 1 }] },
  },
  move: {
    stage: stages.held,
    args: ({ task, folder }: Stage) => ['move', task, '--to', join(folder, 'other.db'), ...asCode],
    writes: 'plain' as const,
    answers: { tasks: [{ task: expect.any(String), status: 'held', entries: 3, unchanged: false }] },
  },
  send: {
    stage: stages.held,
    args: ({ task, folder }: Stage) => ['send', task, '--file', join(folder, 'sent.staffetta')],
    writes: 'plain' as const,
    answers: { status: 'offered', sealed: true },
  },
  fetch: {
    stage: stages.sent,
    args: ({ folder }: Stage) => ['fetch', join(folder, 'task.staffetta')],
    writes: 'plain' as const,
    answers: { status: 'offered', unchanged: false },
  },
  speak: {
    args: () => ['speak', 'cline', '--session', '1795125920475_cpoi3', '--dry-run'],
    answers: { runtime: 'cline', dryRun: true },
  },
  'far-end': { args: () => ['far-end'], streams: true as const, answers: { staffetta: 'far-end' } },
  import: {
    stage: stages.exported,
    args: ({ folder }: Stage) => ['import', join(folder, 'task.staffetta')],
    writes: 'plain' as const,
    answers: { unchanged: false, tasks: [{ status: 'elsewhere', entries: 2 }] },
  },
};
