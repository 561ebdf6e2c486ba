/**
 * Calls of other programs as calls of opencode's own tools. One that has no counterpart keeps its name: the program replays history under
 * any name.
 */
import { severalRuntimes } from '../../core/transcript/one-history.ts';
import type { ToolCall, JsonObject } from '../../core/transcript/step.ts';
import { translateCall } from '../translate.ts';
import { agent } from './agent.ts';

export interface OwnCall {
  readonly tool: string;
  readonly input: JsonObject;
}

/** Arguments that have no counterpart are kept under their own names. */
export function ownCall({ tool, args }: Pick<ToolCall, 'tool' | 'args'>): OwnCall {
  const own = translateCall({ tool, args }, severalRuntimes, agent.tools);
  if (own === null) return { tool, input: args };
  const rest = own.left.filter((name) => !Object.hasOwn(own.args, name));
  return {
    tool: own.tool,
    input: { ...own.args, ...Object.fromEntries(rest.map((name) => [name, args[name] ?? null])) },
  };
}
