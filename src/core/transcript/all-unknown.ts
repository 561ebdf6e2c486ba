import type { Transcript } from './step.ts';

export const unknownKinds: ReadonlySet<string> = new Set([
  'unknown-record',
  'unreadable-record',
  'unknown-item',
  'unknown-message',
  'record-unknown',
  'message-unknown',
]);

/** Why no more than a pointer can be given, where none of the records of a session says anything here; else null. */
export function allUnknown(
  { steps, omissions }: Pick<Transcript, 'steps' | 'omissions'>,
  records: number,
): string | null {
  if (records === 0 || steps.length > 0 || !omissions.some(({ kind }) => unknownKinds.has(kind))) return null;
  return records === 1
    ? 'its only record is of a kind that is not known here.'
    : `its ${records} records are of kinds that are not known here.`;
}
