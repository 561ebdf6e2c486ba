/** Journals, held to the heads that somebody kept. */
import { counted } from '../../core/base/counted.ts';
import type { TaskId } from '../../core/journal/id.ts';
import type { SeenHead, Witness } from '../../core/trust/witness.ts';
import type { Context } from '../record/context.ts';
import type { Fault } from './verify.ts';

/** Where the journal is not the one that was seen. */
export async function witnessFaults(context: Context, witness: Witness, who: string): Promise<Fault[]> {
  const { task, seq, digest } = witness;
  const [entry] = await context.store.journal.read(task, seq, 1);
  if (entry?.seq === seq && entry.digest === digest) return [];
  if (entry?.seq === seq) {
    const text = `Entry ${seq} of task ${task} is another than the one that ${who} saw: the journal was rewritten.`;
    return [{ kind: 'integrity', task, seq, text }];
  }
  const text = `Entry ${seq} of task ${task}, which ${who} saw, is missing: the journal was cut off.`;
  return [{ kind: 'completeness', task, seq, text }];
}

function lost({ task, seq, at }: SeenHead): Fault {
  const text = `Task ${task} with its ${counted(seq + 1, 'entry', 'entries')}, which the last verification saw (${new Date(at).toISOString()}), is gone, and no sweep took it away.`;
  return { kind: 'completeness', task, seq, text };
}

/** The heads that were there when somebody last looked, kept apart from the store. */
export interface SeenHeads {
  read(): Promise<ReadonlyMap<TaskId, SeenHead>>;
  write(seen: ReadonlyMap<TaskId, SeenHead>): Promise<void>;
}

export interface LookAgain {
  readonly tasks: readonly TaskId[];
  /** These are all there are: what was seen and is not among them is gone. */
  readonly all?: boolean;
  /** Not taken as seen: something is wrong with them. */
  readonly faulty: ReadonlySet<TaskId>;
  /** Take what is there now as seen, whatever was there before: a backup was put back. */
  readonly anew: boolean;
  readonly remember: boolean;
}

/** Holds journals to what was there at the last look, and remembers what is there now. */
export async function heldToSeen(context: Context, heads: SeenHeads, look: LookAgain): Promise<Fault[]> {
  const seen = new Map(await heads.read());
  const faults: Fault[] = [];
  const asked = look.all === true ? new Set([...look.tasks, ...seen.keys()]) : look.tasks;
  for (const task of asked) {
    const before = seen.get(task);
    const head = await context.store.journal.head(task);
    if (head === undefined) {
      const isLost = before !== undefined && !look.anew && !(await context.store.upkeep.removed(task));
      if (isLost) faults.push(lost(before));
      else seen.delete(task);
      continue;
    }
    const found =
      before === undefined || look.anew
        ? []
        : await witnessFaults(
            context,
            before,
            `the last verification (${new Date(before.at).toISOString()})`,
          );
    faults.push(...found);
    if (found.length > 0 || look.faulty.has(task)) continue;
    seen.set(task, { task, seq: head.seq, digest: head.digest, at: context.clock.now() });
  }
  if (look.remember) await heads.write(seen);
  return faults;
}
