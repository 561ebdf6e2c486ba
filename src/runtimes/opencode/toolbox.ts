/**
 * What the model is offered by opencode 1.18.33 without any settings, and how it names the tools of servers: `lab_ping`. Nothing but
 * the underscore tells one from a tool of another name, so whatever has one and is not its own is taken for a server's.
 */
import type { Toolbox } from '../../ports/runtime.ts';
import { ownCall } from './tools.ts';

const own: readonly string[] = ['bash'];

export const toolbox: Toolbox = {
  own,
  nameOf: (call) => ownCall(call).tool,
  serverOf: (tool) => (own.includes(tool) ? null : (/^([^_]+)_/.exec(tool)?.[1] ?? null)),
};
