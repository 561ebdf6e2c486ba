import { isStaffettaError } from '../../core/base/error.ts';
import type { Status } from '../../core/task/state.ts';
import type { Held } from '../../handoff/verbs/carry.ts';
import type { Context } from '../../handoff/record/context.ts';
import { load } from '../../handoff/record/load.ts';

/** Statuses in which a holder leaves its task; a holder that did so may say its last words. */
const left: ReadonlySet<Status> = new Set(['offered', 'submitted', 'approved', 'done', 'failed']);

/** Once the leg is over and not by its holder: two would change one workspace. */
export function takenAway(context: Context, { task }: Held, lost: AbortSignal): AbortSignal {
  const taken = new AbortController();
  const look = async (): Promise<void> => {
    try {
      const { state } = await load(context, task);
      if (!left.has(state.status)) taken.abort();
    } catch (error) {
      if (!isStaffettaError(error)) throw error;
    }
  };
  lost.addEventListener('abort', () => void look());
  return taken.signal;
}
