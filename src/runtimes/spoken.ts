/** What every program refuses of a prompt, and of a session to go on with (RT11, RT12). */
import { isAbsolute } from 'node:path';
import { StaffettaError } from '../core/base/error.ts';
import type { SessionToContinue } from '../ports/runtime.ts';

export function refuseEmpty(text: string): string {
  if (text.trim() !== '') return text;
  throw refusal('The prompt is empty.', 'Say what to do next.');
}

/** Words that begin with a slash would be taken for a command of the program. */
export function unslashed(prompt: string): string {
  return refuseEmpty(prompt).trimStart().startsWith('/') ? `Prompt: ${prompt}` : prompt;
}

/** Where a person sits at the terminal, the prompt is in a file, and this is all that an argument says. */
export function readFirst(file: string): string {
  if (!isAbsolute(file))
    throw refusal(`The file ${file} is no absolute path.`, 'Give the whole path of the file.');
  return `Read the file ${file} and go on from what it says.`;
}

/** None of the programs copes with two writers; only one of them notices. */
export function refuseAlive({ id, liveness, pid }: SessionToContinue): void {
  if (liveness !== 'alive') return;
  const who = pid === null || pid === undefined ? 'A process' : `Process ${pid}`;
  throw new StaffettaError('held', `${who} still holds the session ${id}.`, {
    hint: 'Let it end first, or go on in a new session with a briefing.',
    details: { session: id, pid: pid ?? null },
  });
}

export function refusal(message: string, hint: string): StaffettaError {
  return new StaffettaError('invalid-input', message, { hint });
}
