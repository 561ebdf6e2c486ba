import { openEntry } from '../../core/journal/sealed.ts';
import type { Context } from '../record/context.ts';
import { entryPages, resolveTask } from '../record/load.ts';
import { readBlobs } from './history.ts';

/** What a leg kept for a program. */
export interface KeptState {
  /** The entry that holds it. */
  readonly seq: number;
  readonly generation: number;
  readonly at: number;
  readonly bytes: Uint8Array;
}

/** What the legs of a task kept for a program after an entry, in order, a page of the journal at a time. */
export async function* keptStates(
  context: Context,
  given: string,
  { program, after }: { readonly program: string; readonly after: number },
): AsyncGenerator<KeptState> {
  const task = await resolveTask(context, given);
  for await (const page of entryPages(context, task, { from: after + 1 })) {
    const kept = page.flatMap((stored) => {
      const { seq, generation = 0, at, events } = openEntry(stored);
      return events.flatMap((event) =>
        event.type === 'state-kept' && event.program === program
          ? [{ seq, generation, at, state: event.state }]
          : [],
      );
    });
    const bytes = await readBlobs(
      context,
      kept.map(({ state }) => state),
    );
    for (const [i, { seq, generation, at }] of kept.entries())
      yield { seq, generation, at, bytes: bytes[i] ?? new Uint8Array() };
  }
}
