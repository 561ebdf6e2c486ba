/** The programs that are known by name; others may have any name. What is known of them is theirs to say (`src/runtimes/registry.ts`). */
import * as registry from '../../runtimes/registry.ts';
import type { Agent } from '../../runtimes/agent.ts';
import { editDistance } from '../base/suggest.ts';

type Known = (typeof registry)[keyof typeof registry];
export type RuntimeName = Known['name'];
export const programs: readonly (Agent & { readonly name: RuntimeName })[] = Object.values(registry);
export const runtimeNames: readonly RuntimeName[] = programs.map(({ name }) => name);

export function isRuntimeName(word: string): word is RuntimeName {
  return (runtimeNames as readonly string[]).includes(word);
}

/** What is known of the program of that name. */
export function programOf(name: string): Agent | undefined {
  return programs.find((one) => one.name === name);
}

/** The known one that was probably meant: an offer to a runtime that is nearly a known one would wait for ever, for nothing runs in it. */
export function slippedRuntime(name: string): RuntimeName | undefined {
  if (isRuntimeName(name)) return undefined;
  const lower = name.toLowerCase();
  return (
    programs.find(({ called }) => called.includes(lower))?.name ??
    runtimeNames.find((known) => editDistance(lower, known) <= 1)
  );
}
