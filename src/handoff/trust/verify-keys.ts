import type { Head } from '../../ports/journal.ts';
import type { Context } from '../record/context.ts';
import type { Fault } from './verify.ts';

/**
 * Without its key a request would be done a second time when it is repeated; with a key that leads to another entry it would never be
 * done, and be answered with what came of something else. `written` has each entry that could be read, and its key.
 */
export async function keyFaults(
  context: Context,
  { task, seq: last }: Head,
  written: ReadonlyMap<number, string | undefined>,
): Promise<Fault[]> {
  // Keys of entries that came since are for the next one who looks.
  const known = (await context.store.journal.keys(task)).filter(({ seq }) => seq <= last);
  const found = new Map(known.map(({ key, seq }) => [key, seq]));
  const faults: Fault[] = [];
  for (const [seq, key] of written) {
    if (key === undefined || found.get(key) === seq) continue;
    const text = `Entry ${seq} of task ${task} is not found by its idempotency key.`;
    faults.push({ kind: 'integrity', task, seq, text });
  }
  for (const { key, seq } of known) {
    // What cannot be read is said already.
    if (!written.has(seq) || written.get(seq) === key) continue;
    const text = `The idempotency key ${JSON.stringify(key)} of task ${task} leads to entry ${seq}, which was not written with it.`;
    faults.push({ kind: 'integrity', task, seq, text });
  }
  return faults;
}
