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

/** The program that somebody names: by its name, or as people call it. */
export function programMeant(word: string): RuntimeName | undefined {
  const lower = word.toLowerCase();
  return programs.find(({ name, called }) => name === lower || called.includes(lower))?.name;
}

/** As it is written for people. */
export function programTitle(name: string): string {
  return programOf(name)?.title ?? name;
}

/** The known one that was probably meant: an offer to a runtime that is nearly a known one would wait for ever, for nothing runs in it. */
export function slippedRuntime(name: string): RuntimeName | undefined {
  if (programMeant(name) !== undefined) return undefined;
  const words = programs.flatMap(({ name: known, called }) => [
    known,
    ...called.filter((one) => one.length > 4),
  ]);
  const near = words.find((word) => editDistance(name.toLowerCase(), word) <= 1);
  return near === undefined ? undefined : programMeant(near);
}
