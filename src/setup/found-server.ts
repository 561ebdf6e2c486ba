/** The MCP server that a program would start under our name, as its own settings tell it. */
import type { RuntimeName } from '../ports/runtime.ts';
import { toolNames } from './entries.ts';
import { hasRule } from './kept-tools.ts';
import { hasName, tableOf, valueIn, type Settings } from './settings-files.ts';
import type { ReadFile } from './switched-off.ts';

export interface FoundServer {
  readonly path: string;
  /** Null where it is not a program on this machine. */
  readonly start: {
    readonly command: string;
    readonly args: readonly string[];
    readonly env: Readonly<Record<string, string>>;
  } | null;
  /** Why the program would not start it, and what to do about that. */
  readonly held?: { readonly why: string; readonly fix: string };
  /** What lets the program call its tools unasked, where that is missing. */
  readonly leave?: string;
}

const name = 'staffetta';

/** Undefined where the program is not told of one. */
export function serverFor(
  runtime: RuntimeName,
  files: readonly ReadFile[],
  root: string,
): FoundServer | undefined {
  switch (runtime) {
    case 'claude-code': {
      const found = claudeServer(files, root);
      return found === undefined || isAllowed(files)
        ? found
        : { ...found, leave: 'mcp__staffetta in permissions.allow' };
    }
    case 'codex':
      return switchedIn(mergedAt(files, ['mcp_servers', name]));
    case 'gemini-cli':
      return geminiServer(files);
    case 'opencode':
      return switchedIn(mergedAt(files, ['mcp', name]));
  }
}

interface Entry extends FoundServer {
  readonly entry: Settings;
}

/** Keys of a later file take the place of those of an earlier one. */
function mergedAt(files: readonly ReadFile[], path: readonly string[]): Entry | undefined {
  const found = files.filter(({ settings }) => valueIn(settings, path) !== undefined);
  const last = found.at(-1);
  if (last === undefined) return undefined;
  return entryOf(
    last.path,
    Object.assign({}, ...found.map(({ settings }) => tableOf(valueIn(settings, path)))),
  );
}

function entryOf(path: string, value: unknown): Entry {
  const entry = tableOf(value);
  const words = [entry['command'], entry['args']].flat(1).filter((word) => typeof word === 'string');
  const [command, ...args] = words;
  const env = Object.entries({ ...tableOf(entry['environment']), ...tableOf(entry['env']) }).filter(
    (pair): pair is [string, string] => typeof pair[1] === 'string',
  );
  const start = command === undefined ? null : { command, args, env: Object.fromEntries(env) };
  return { path, entry, start };
}

function switchedIn(found: Entry | undefined): FoundServer | undefined {
  if (found === undefined || found.entry['enabled'] !== false) return found;
  const why = `it is switched off by enabled = false in ${found.path}`;
  return { ...found, held: { why, fix: 'Switch it on there if you want it.' } };
}

/** A name in `ask` outweighs the same in `allow`. */
function isAllowed(files: readonly ReadFile[]): boolean {
  const isIn = (list: string, tool: string): boolean =>
    files.some(({ settings }) => hasRule(valueIn(settings, ['permissions', list]), tool));
  return toolNames.every((tool) => isIn('allow', tool) && !isIn('ask', tool));
}

/** What is kept for this folder alone outweighs the repository's .mcp.json, and that the user's own. */
function claudeServer(files: readonly ReadFile[], root: string): FoundServer | undefined {
  const state = files.find(({ role }) => role === 'state');
  const here = state === undefined ? {} : tableOf(valueIn(state.settings, ['projects', root]));
  const local = valueIn(here, ['mcpServers', name]);
  const shared = files.find(
    ({ role, settings }) => role === 'servers' && valueIn(settings, ['mcpServers', name]) !== undefined,
  );
  const user = state === undefined ? undefined : valueIn(state.settings, ['mcpServers', name]);
  const off = hasName(here['disabledMcpServers'], name)
    ? {
        held: {
          why: `it is switched off for this folder in ${state?.path ?? ''}`,
          fix: 'Switch it on with /mcp in Claude Code if you want it.',
        },
      }
    : {};
  if (state !== undefined && local !== undefined) return { ...entryOf(state.path, local), ...off };
  const pending = shared === undefined ? undefined : approvalMissing(files, here, root);
  // One that waits for approval is not started; the user's own is.
  if (shared !== undefined && (pending === undefined || user === undefined))
    return {
      ...entryOf(shared.path, valueIn(shared.settings, ['mcpServers', name])),
      ...(pending === undefined ? off : { held: pending }),
    };
  return state === undefined || user === undefined ? undefined : { ...entryOf(state.path, user), ...off };
}

/**
 * Claude Code starts a server of .mcp.json only if somebody approved it: in the settings of the user or the machine, or in those of a
 * repository whose folder is trusted. Seen with 2.1.325.
 */
function approvalMissing(files: readonly ReadFile[], here: Settings, root: string): FoundServer['held'] {
  const rejected = files.find(({ settings }) => hasName(settings['disabledMcpjsonServers'], name));
  if (rejected !== undefined)
    return { why: `it is rejected by disabledMcpjsonServers in ${rejected.path}`, fix: 'Take it out there.' };
  const approving = files.filter(
    ({ role, settings }) =>
      role !== 'state' &&
      role !== 'servers' &&
      (settings['enableAllProjectMcpServers'] === true || hasName(settings['enabledMcpjsonServers'], name)),
  );
  const isTrusted = here['hasTrustDialogAccepted'] === true;
  if (approving.some(({ role }) => isTrusted || role === 'user' || role === 'managed')) return undefined;
  return {
    why:
      approving.length > 0
        ? `it is approved in ${approving[0]?.path ?? ''}, but Claude Code does not trust the folder ${root} yet`
        : 'Claude Code waits for somebody to approve it',
    fix: `Start claude in ${root} once, and agree when it asks.`,
  };
}

function geminiServer(files: readonly ReadFile[]): FoundServer | undefined {
  const found = mergedAt(files, ['mcpServers', name]);
  if (found === undefined) return undefined;
  const excluding = files.find(({ settings }) => hasName(valueIn(settings, ['mcp', 'excluded']), name));
  const allowing = files.findLast(({ settings }) => Array.isArray(valueIn(settings, ['mcp', 'allowed'])));
  const isLeftOut = allowing !== undefined && !hasName(valueIn(allowing.settings, ['mcp', 'allowed']), name);
  const by =
    excluding === undefined
      ? isLeftOut
        ? `mcp.allowed in ${allowing.path} leaves it out`
        : undefined
      : `mcp.excluded in ${excluding.path} names it`;
  if (by !== undefined) return { ...found, held: { why: by, fix: 'Change that if you want it.' } };
  return found.entry['trust'] === true ? found : { ...found, leave: 'trust = true in its entry' };
}
