/** The MCP server that a program would start under our name, as its own settings tell it. */
import { hasName, tableOf, valueIn, type ReadSettings, type SettingsTable } from './settings-files.ts';

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

export interface ServerEntry extends FoundServer {
  readonly entry: SettingsTable;
}

/** Keys of a later file take the place of those of an earlier one. */
export function mergedAt(files: readonly ReadSettings[], path: readonly string[]): ServerEntry | undefined {
  const found = files.filter(({ settings }) => valueIn(settings, path) !== undefined);
  const last = found.at(-1);
  if (last === undefined) return undefined;
  return serverEntryOf(
    last.path,
    Object.assign({}, ...found.map(({ settings }) => tableOf(valueIn(settings, path)))),
  );
}

export function serverEntryOf(path: string, value: unknown): ServerEntry {
  const entry = tableOf(value);
  const words = [entry['command'], entry['args']].flat(1).filter((word) => typeof word === 'string');
  const [command, ...args] = words;
  const env = Object.entries({ ...tableOf(entry['environment']), ...tableOf(entry['env']) }).filter(
    (pair): pair is [string, string] => typeof pair[1] === 'string',
  );
  const start = command === undefined ? null : { command, args, env: Object.fromEntries(env) };
  return { path, entry, start };
}

/** An entry that may be switched off where it stands. */
export function switchedIn(found: ServerEntry | undefined): FoundServer | undefined {
  if (found === undefined || found.entry['enabled'] !== false) return found;
  const why = `it is switched off by enabled = false in ${found.path}`;
  return { ...found, held: { why, fix: 'Switch it on there if you want it.' } };
}

/** Under which our server stands in settings. */
const name = 'staffetta';

/** A server that lists of names choose, and whose tools are called unasked where its entry says so. */
export function chosenServer(files: readonly ReadSettings[]): FoundServer | undefined {
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
