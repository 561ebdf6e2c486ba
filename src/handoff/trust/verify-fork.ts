import { parseEntry, type Entry } from '../../core/journal/entry.ts';
import { isStaffettaError } from '../../core/base/error.ts';
import type { EventOf } from '../../core/journal/event.ts';
import type { Context } from '../record/context.ts';
import { eventIn } from '../record/record.ts';
import type { Fault } from './verify.ts';

/** What is wrong with the reference of a fork: the entry it names must be there, be that one, and seal that packet. */
export async function forkFaults(context: Context, entry: Entry): Promise<Fault[]> {
  const forked = eventIn(entry, 'task-forked');
  if (forked === undefined) return [];
  const { task, seq } = entry;
  const { from, packet } = forked;
  const fault = (kind: Fault['kind'], what: string): Fault[] => [
    {
      kind,
      task,
      seq,
      blob: packet,
      text: `Task ${task} was forked from entry ${from.seq} of task ${from.task}, ${what}.`,
    },
  ];
  const [found] = await context.store.journal.read(from.task, from.seq, 1);
  if (found?.seq !== from.seq) return fault('completeness', 'which is missing');
  if (found.digest !== from.digest) return fault('integrity', 'but the store holds another entry there');
  return seals(found.body, forked) ? [] : fault('integrity', `which does not seal packet ${packet}`);
}

function seals(body: string, { packet }: EventOf<'task-forked'>): boolean {
  try {
    return parseEntry(body).events.some(
      (event) => event.type === 'checkpoint-sealed' && event.packet === packet,
    );
  } catch (error) {
    // What is wrong with the entry itself is found when its own journal is checked.
    if (isStaffettaError(error)) return true;
    throw error;
  }
}
