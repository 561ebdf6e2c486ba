import type { Sealed } from '../command.ts';
import { StaffettaError } from '../error.ts';
import { certifications, type Certification } from '../event.ts';
import { sanitizeLine } from '../sanitize.ts';
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
    `The packet of task ${state.task} is only ${sealed.certification}; it must be ${needed}.`,
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
