import type { SealedRecord } from '../handoff/sealing.ts';
import { amendCommand, findingCounts, findingsText } from './findings-page.ts';
import type { Session } from './session.ts';
import { next } from './words.ts';

/** What sealing says besides the outcome, as data. */
export function sealedData({ certification, findings }: SealedRecord): Record<string, unknown> {
  return { certification, findings };
}

/** What was found in a packet that was sealed all the same. Words, for stderr. */
export function sayFound({ output }: Session, { certification, findings, state }: SealedRecord): void {
  if (findings.length === 0) return;
  const missing = certification === 'ready' ? '' : ' Before it can be handed on, the errors must be mended.';
  output.say(`The packet is ${certification}; the gate found ${findingCounts(findings)}.${missing}`);
  output.say(findingsText(findings, output.wordsWidth));
  const errors = findings.filter(({ severity }) => severity === 'error');
  const command = amendCommand(errors, state.task);
  if (command !== undefined) next(output, command);
}
