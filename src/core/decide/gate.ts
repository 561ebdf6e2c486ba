import type { Sealed } from '../task/command.ts';
import { StaffettaError } from '../base/error.ts';
import { sanitizeLine } from '../base/sanitize.ts';
import type { TaskState } from '../task/state.ts';

/**
 * What goes to a successor or reviewer is ready. In haste it is enough that it holds no secret, and nothing that the caller
 * could have said otherwise: what cannot be mended any more is told.
 */
export function refuseUnready(
  { task }: TaskState,
  sealed: Sealed | null,
  { inHaste = false }: { readonly inHaste?: boolean } = {},
): StaffettaError | undefined {
  if (sealed === null || sealed.ungated === true) return undefined;
  const { certification, mendable = false } = sealed;
  if (inHaste ? certification !== 'draft' && !mendable : certification === 'ready') return undefined;
  return new StaffettaError('not-ready', `Task ${task} is not ready.`, {
    details: { task, certification, inHaste },
    hint: 'Mend what was found, and try again.',
  });
}

/** The reviewer may not quietly fix the patch. */
export function refuseAuditChange(
  state: TaskState,
  sealed: Pick<Sealed, 'workspace' | 'hidden' | 'ungated'> | null,
): StaffettaError | undefined {
  const received = state.leg?.workspace ?? null;
  if (state.leg?.lane !== 'audit' || received === null) return undefined;
  if (sealed?.ungated === true) return undefined;
  const [hidden] = sealed?.hidden ?? [];
  if (sealed?.workspace === received && hidden !== undefined) {
    return new StaffettaError(
      'audit-changed',
      `${sanitizeLine(hidden)} was changed during the review of task ${state.task}, and so was the list that hides it from git.`,
      {
        details: { task: state.task, hidden: sealed.hidden },
        hint: 'A reviewer changes nothing: take it back, and the line in .git/info/exclude, and send the work back with findings.',
      },
    );
  }
  if (sealed?.workspace === received) return undefined;
  return new StaffettaError(
    'audit-changed',
    sealed?.workspace === undefined
      ? `Nobody looked whether the workspace is still the one that was received for review of task ${state.task}.`
      : `The workspace is not the one that was received for review of task ${state.task}.`,
    {
      details: { task: state.task, received, found: sealed?.workspace ?? null },
      hint: `A reviewer changes nothing: undo the changes, which staffetta show ${state.task} names, and send the work back with findings.`,
    },
  );
}
