/** Which coding agents can be started here, and how a task is gone on with where they are. */
import { isResting } from '../../core/task/lapse.ts';
import { isRuntimeName } from '../../core/resume/runtime-names.ts';
import type { Context } from '../../handoff/record/context.ts';
import { exhaustedHere } from '../../home/exhausted-here.ts';
import type { Runtime } from '../../ports/runtime.ts';

export async function installedPrograms(runtimes: readonly Runtime[]): Promise<string[]> {
  const here: string[] = [];
  for (const runtime of runtimes)
    if (((await runtime.locate())?.program ?? null) !== null) here.push(runtime.name);
  return here;
}

/** Those that can go on now, as far as that is known; where all are at a limit, those that are installed. */
export async function usablePrograms(
  { store, clock }: Pick<Context, 'store' | 'clock'>,
  runtimes: readonly Runtime[],
): Promise<readonly string[]> {
  const here = await installedPrograms(runtimes);
  const now = clock.now();
  const until = exhaustedHere(store).until();
  const usable = here.filter((name) => !isResting(until.get(name), now));
  return usable.length === 0 ? here : usable;
}

/** The one it was in goes on best, unless it cannot now: then another that is here, and it again where there is no other. */
export function programAfter(
  name: string,
  here: readonly string[],
  { isSpent }: { readonly isSpent: boolean },
): string | undefined {
  const other = here.find((one) => one !== name);
  const own = here.includes(name) ? name : undefined;
  return isSpent ? (other ?? own) : (own ?? other);
}

/** Programs of another machine may have names that are not known here. */
export function goOnCommand(task: string, programs: readonly string[]): string {
  const program = programs.find(isRuntimeName);
  return program === undefined ? `staffetta take ${task}` : `staffetta resume ${task} --in ${program}`;
}
