import { readiness } from '../../core/packet/readiness.ts';
import { finalStatuses } from '../../core/task/state.ts';
import type { SealedRecord } from '../../handoff/sealing/sealing.ts';
import { amendHints, findingCounts, findingsText } from './findings-page.ts';
import type { Session } from '../call/session.ts';
import { section } from '../frame/section.ts';
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
    section('An emergency packet. The receiver is told to ask first for what is missing', missing),
  );
}

function sayFindings({ output, actor }: Session, { certification, findings, state }: SealedRecord): void {
  if (findings.length === 0) return;
  const isOver = finalStatuses.includes(state.status);
  output.say(`The packet is ${readiness(certification)}; the gate found ${findingCounts(findings)}.`);
  output.say(findingsText(findings, output.wordsWidth));
  if (isOver) return;
  const errors = findings.filter(({ severity }) => severity === 'error');
  next(output, ...amendHints(errors, state, actor));
}
