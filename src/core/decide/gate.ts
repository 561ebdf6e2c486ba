import type { Sealed } from '../command.ts';
import { StaffettaError } from '../error.ts';
import { certifications, type Certification } from '../event.ts';
import type { TaskState } from '../state.ts';

/** Where a packet goes decides how far it must be trusted: to a successor or reviewer, or only into the record. */
export function refuseUnready(
  state: TaskState,
  sealed: Sealed | null,
  needed: Certification,
): StaffettaError | undefined {
  if (sealed === null || sealed.ungated === true || reaches(sealed.certification, needed)) return undefined;
  return new StaffettaError(
    'not-ready',
    `The packet of task ${state.task} is ${sealed.certification}; it must be ${needed}.`,
    {
      details: { task: state.task, certification: sealed.certification, needed },
      hint: `Mend what was found, or see it again with: staffetta lint ${state.task}`,
    },
  );
}

function reaches(certification: Certification, needed: Certification): boolean {
  return certifications.indexOf(certification) >= certifications.indexOf(needed);
}

/** The reviewer may not quietly fix the patch. */
export function refuseAuditChange(
  state: TaskState,
  sealed: Pick<Sealed, 'workspace' | 'ungated'> | null,
): StaffettaError | undefined {
  const received = state.leg?.workspace ?? null;
  if (state.leg?.lane !== 'audit' || received === null) return undefined;
  if (sealed?.workspace === received || sealed?.ungated === true) return undefined;
  return new StaffettaError(
    'audit-changed',
    sealed?.workspace === undefined
      ? `Nobody looked whether the workspace is still the one that was received for review of task ${state.task}.`
      : `The workspace is not the one that was received for review of task ${state.task}.`,
    {
      details: { task: state.task, received, found: sealed?.workspace ?? null },
      hint: 'A reviewer changes nothing: undo the changes and send the work back with findings.',
    },
  );
}
