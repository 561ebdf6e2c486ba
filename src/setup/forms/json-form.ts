/** A JSON file of settings with hooks of ours, our server, or leave for it. No text is returned that does not say what it said before, and ours besides. */
import { isDeepStrictEqual } from 'node:util';
import type { RuntimeName } from '../../ports/runtime.ts';
import type { JsonPath } from '../edit/json-edit.ts';
import { othersInHooks, withHooks, withoutHooks } from '../edit/json-hooks.ts';
import { othersInLeave, withLeave, withoutLeave, type Leave } from '../edit/json-leave.ts';
import { isOwnServer, withServer, withoutServer } from '../edit/json-server.ts';
import { NotJson, parseTree, valueOf } from '../edit/json-tree.ts';
import type { FileForm } from './agent-setup.ts';
import { stdioServer } from './entries.ts';
import { hooksIn } from './found-hooks.ts';

export interface JsonParts {
  /** The agent that the hooks in it are for. */
  readonly hooks?: RuntimeName;
  readonly server?: {
    readonly path: JsonPath;
    /** Comes with a new entry only, and is the user's from then on. */
    readonly more: Readonly<Record<string, unknown>>;
    /** The command and its words in one list. */
    readonly oneList?: true;
  };
  readonly leave?: readonly Leave[];
}

export function jsonForm({ hooks, server, leave = [] }: JsonParts): FileForm {
  return {
    with: (text, { paths }) => {
      const hooked = hooks === undefined ? text : withHooks(text, paths, hooks);
      const { command, args } = stdioServer(paths);
      const starts = server?.oneList === true ? { command: [command, ...args] } : { command, args };
      const served =
        server === undefined ? hooked : withServer(hooked, server.path, { more: server.more, starts });
      return same(text, withLeave(served, leave));
    },
    without: (text, { was }) => {
      const unhooked = hooks === undefined ? text : withoutHooks(text, was);
      const unserved = server === undefined ? unhooked : withoutServer(unhooked, server.path, was);
      return same(text, withoutLeave(unserved, leave, was));
    },
    ...(hooks === undefined ? {} : { hooksIn: (_, text) => hooksIn(hooks, text) }),
  };
}

function same(before: string, after: string): string {
  if (isDeepStrictEqual(othersIn(before), othersIn(after))) return after;
  throw new NotJson('it would not say the same as before besides our part');
}

function othersIn(text: string): unknown {
  const root = text.trim() === '' ? {} : valueOf(parseTree(text));
  const { hooks, mcpServers, mcp, ...rest } = root as Record<string, unknown>;
  return {
    rest: othersInLeave(rest),
    hooks: othersInHooks(hooks),
    servers: [mcpServers, mcp].map(othersInServers),
  };
}

function othersInServers(servers: unknown): unknown {
  if (typeof servers !== 'object' || servers === null || Array.isArray(servers)) return servers ?? {};
  return Object.fromEntries(
    Object.entries(servers).filter(([name, server]) => name !== 'staffetta' || !isOwnServer(server)),
  );
}
