import { StaffettaError } from '../base/error.ts';
import { isFinal, type TaskState } from '../task/state.ts';

/** A journal that breaks one of these was not written by `decide`: it is damaged or forged. */
export function law(holds: boolean, sentence: string): asserts holds {
  if (!holds) throw new StaffettaError('corrupt', `The journal breaks a law: ${sentence}`);
}

export function lawNotFinal(state: TaskState): void {
  law(!isFinal(state), `nothing happens to a task that is ${state.status}.`);
}
