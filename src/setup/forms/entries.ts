/** What a program is told of us: which command it calls at which event, and which MCP server it may start. */
import { shellWords } from '../../compose/shell-words.ts';
import { programOf } from '../../core/resume/runtime-names.ts';
import type { RuntimeName } from '../../ports/runtime.ts';

/** Where this installation is. Absolute paths: a program starts hooks from anywhere, and with a PATH of its own. */
export interface OwnPaths {
  readonly node: string;
  /** dist/hook/main.cjs */
  readonly hook: string;
  /** bin/staffetta.cjs */
  readonly command: string;
  /** plugin/opencode/staffetta.js */
  readonly plugin: string;
}

/** In the order in which they come in a session. */
export function hookEvents(runtime: RuntimeName): readonly string[] {
  return Object.keys(programOf(runtime)?.hooks.events ?? {});
}

/** Of the MCP server. */
export const toolNames: readonly string[] = [
  'status',
  'open',
  'take',
  'note',
  'decide',
  'seal',
  'read',
  'wait',
];

/** A hook ends by itself long before; this is for the host, should the machine stand still. */
const timeoutSeconds = 10;
/**
 * Where Node or this installation is gone since, nothing is called and nothing is said: Gemini CLI would take a command that cannot be
 * found for a refusal, and answer nothing any more. A shell of Windows has no such words.
 */
export function hookCommand({ node, hook }: OwnPaths, runtime: RuntimeName, event: string): string {
  const words = shellWords([node, hook, runtime, event]);
  if (process.platform === 'win32') return words;
  return `test -x ${shellWords([node])} && test -f ${shellWords([hook])} && ${words} || true`;
}

/** One element of the list that a program keeps for an event. */
export function hookElement(paths: OwnPaths, runtime: RuntimeName, event: string): unknown {
  const {
    named,
    timeout = 'seconds',
    endSecondsMax = timeoutSeconds,
    events,
  } = programOf(runtime)?.hooks ?? {};
  const isEnd = events?.[event] === 'session-end';
  const seconds = isEnd ? Math.min(timeoutSeconds, endSecondsMax) : timeoutSeconds;
  const one = {
    ...(named === true ? { name: 'staffetta' } : {}),
    type: 'command',
    command: hookCommand(paths, runtime, event),
    timeout: timeout === 'milliseconds' ? seconds * 1000 : seconds,
  };
  return { hooks: [one] };
}

export function stdioServer({ node, command }: OwnPaths): {
  readonly command: string;
  readonly args: readonly string[];
} {
  return { command: node, args: [command, 'mcp'] };
}
