import type { Certification } from '../core/event.ts';
import { finalStatuses } from '../core/state.ts';
import type { SealedRecord } from '../handoff/sealing.ts';
import { amendHints, findingCounts, findingsText } from './findings-page.ts';
import type { Session } from './session.ts';
import { section } from './section.ts';
import { next } from './words.ts';

/** What sealing says besides the outcome, as data. */
export function sealedData({ certification, findings, missing }: SealedRecord): Record<string, unknown> {
  return { certification, findings, missing };
}

/** What was found in a packet that was sealed all the same, and what it lacks. Words, for stderr. */
export function sayFound(session: Session, sealed: SealedRecord): void {
  sayFindings(session, sealed);
  const { missing } = sealed;
  if (missing.length === 0) return;
  session.output.say(
    section('An emergency packet. Whoever takes it is told to ask first for what is missing', missing),
  );
}

function sayFindings(
  { output, actor }: Session,
  { certification, findings, missing: lacks, state }: SealedRecord,
): void {
  if (findings.length === 0) return;
  // In an emergency it goes on as it is, unless it may hold a secret.
  const travels = certification === 'ready' || (lacks.length > 0 && certification !== 'draft');
  const isOver = finalStatuses.includes(state.status);
  const missing = travels || isOver ? '' : ' Before it can be handed on, the errors must be mended.';
  output.say(
    `The packet is ${standingOf(certification)}; the gate found ${findingCounts(findings)}.${missing}`,
  );
  output.say(findingsText(findings, output.wordsWidth));
  if (isOver) return;
  const errors = findings.filter(({ severity }) => severity === 'error');
  next(output, ...amendHints(errors, state, actor));
}

/** Certifications are ranks, and their names do not say which is the last. */
export function standingOf(certification: Certification): string {
  return certification === 'ready' ? certification : `${certification}, not ready`;
}
