/** Our hooks in a file of settings, as they are. */
import type { RuntimeName } from '../../ports/runtime.ts';
import { hookEvents } from './entries.ts';
import { ownHandlers, type OwnHandler } from '../edit/json-hooks.ts';

export interface FoundHooks {
  readonly events: number;
  /** Events that are wanted and have none. */
  readonly missing: readonly string[];
  /** The files that they start. */
  readonly programs: readonly string[];
  /** What is called, one for each way in which it is called: a line for the shell, or words. */
  readonly calls: readonly (string | readonly string[])[];
  /** Events for which no handler is run though there is one, and why not. */
  readonly idle: readonly { readonly event: string; readonly why: string }[];
  /** Events for which one is run only where a matcher fits. */
  readonly narrowed: readonly { readonly event: string; readonly matcher: string }[];
}

/** Undefined where there is nothing of ours. */
export function hooksIn(runtime: RuntimeName, text: string): FoundHooks | undefined {
  const wanted = hookEvents(runtime);
  const found = ownHandlers(text).filter(({ event }) => wanted.includes(event));
  if (found.length === 0) return undefined;
  const missing = wanted.filter((event) => !found.some((one) => one.event === event));
  const run = found.filter((one) => idleBecause(one) === undefined);
  const isRun = (event: string): boolean => run.some((one) => one.event === event);
  const isWhole = (event: string): boolean =>
    run.some((one) => one.event === event && narrowing(one) === undefined);
  const commands = found.map(({ event, handler }) => ({ event, command: String(handler['command']) }));
  const ways = new Map(commands.map(({ event, command }) => [command.replace(event, ''), command]));
  return {
    events: wanted.length - missing.length,
    missing,
    programs: [...new Set(commands.flatMap(({ command }) => filesIn(command)))],
    calls: [...ways.values()],
    idle: found.flatMap((one) => {
      const why = isRun(one.event) ? undefined : idleBecause(one);
      return why === undefined ? [] : [{ event: one.event, why }];
    }),
    narrowed: run.flatMap((one) => {
      const matcher = isWhole(one.event) ? undefined : narrowing(one);
      return matcher === undefined ? [] : [{ event: one.event, matcher }];
    }),
  };
}

/** What an event is matched against, where that is a closed list; others are matched against names of tools or agents. */
const occasions: Readonly<Record<string, readonly string[]>> = {
  SessionStart: ['startup', 'resume', 'clear', 'compact'],
  PreCompact: ['manual', 'auto'],
};
/** Programs ignore a matcher at these. */
const unmatched: ReadonlySet<string> = new Set(['UserPromptSubmit', 'Stop', 'BeforeAgent', 'AfterAgent']);

function idleBecause(handler: OwnHandler): string | undefined {
  const type = handler.handler['type'];
  if (type !== 'command') return `its type is ${JSON.stringify(type ?? null)}, not "command"`;
  const matcher = narrowing(handler);
  const isNewGreeted = handler.event !== 'SessionStart' || matcher === undefined || fits(matcher, 'startup');
  return isNewGreeted ? undefined : `its matcher ${JSON.stringify(matcher)} leaves out sessions that start`;
}

/** The matcher, where it leaves something out. */
function narrowing({ event, matcher }: OwnHandler): string | undefined {
  if (typeof matcher !== 'string' || ['', '*', '.*'].includes(matcher) || unmatched.has(event))
    return undefined;
  return occasions[event]?.every((occasion) => fits(matcher, occasion)) === true ? undefined : matcher;
}

function fits(matcher: string, name: string): boolean {
  try {
    return new RegExp(`^(?:${matcher})$`).test(name);
  } catch {
    return matcher === name;
  }
}

/** The words of a command that are paths. */
function filesIn(command: string): string[] {
  return [...command.matchAll(/'((?:[^']|'\\'')+)'|"([^"]+)"|(\S+)/g)]
    .map((match) => (match[1] ?? match[2] ?? match[3] ?? '').replaceAll(`'\\''`, "'"))
    .filter((word) => /^(\/|[A-Za-z]:[\\/])/.test(word));
}
