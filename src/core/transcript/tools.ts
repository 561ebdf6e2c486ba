/**
 * What a history was done with, held against what the program has that goes on with it. Tools are compared by their purpose: a file
 * that was read with a tool of its own can be read with a shell too. What is named here is a loss of means, and no loss of history.
 */
import type { ToolCall, Transcript } from './step.ts';
import type { Story } from './story.ts';

const toolPurposes = [
  'shell',
  'read-file',
  'write-file',
  'edit-file',
  'search-text',
  'find-files',
  'list-folder',
  'fetch-page',
  'search-web',
  'see-image',
  'start-agent',
  'load-skill',
  'plan',
  'ask-person',
] as const;
export type ToolPurpose = (typeof toolPurposes)[number];

/** What a program offers to its model. */
export interface Toolbox {
  /** Tools that need no settings, and what each is for; an empty list for what no other program has. */
  readonly own: Readonly<Record<string, readonly ToolPurpose[]>>;
  /** Tools that it has only for some models, with some settings or in other versions: known in a history, and not counted on to go on. */
  readonly also?: Readonly<Record<string, readonly ToolPurpose[]>>;
  /** The name under which a call is written into the program's history: that of the own tool for it, or the name it had. */
  nameOf(call: ToolCall, runtime: string): string;
  /** The MCP server that a tool of this program belongs to, by its name; null where the name tells of none. */
  serverOf(tool: string): string | null;
}

export interface MissingTool {
  readonly tool: string;
  /** The target has one for it, and its settings take it away. */
  readonly denied?: true;
  /** The program in whose sessions it was used. */
  readonly runtime: string;
  /** How often. */
  readonly calls: number;
  /** The server it belongs to, which would have to be set up there. */
  readonly server: string | null;
}

export interface ToolTarget {
  readonly name: string;
  readonly tools: Toolbox;
  /** Own tools that settings take away. */
  readonly denied?: readonly string[];
}

/** The server in a name as Claude Code and Codex write it, which a history keeps in whatever program goes on with it. */
export function carriedServer(tool: string): string | null {
  return /^mcp__(.+?)__/.exec(tool)?.[1] ?? null;
}

/** A shell can do these as well. */
const byShell: ReadonlySet<ToolPurpose> = new Set([
  'read-file',
  'write-file',
  'edit-file',
  'search-text',
  'find-files',
  'list-folder',
]);

/** Tools that the sessions of a story used and the target has not, the most used first. */
export function missingTools(
  { sessions, steps }: Pick<Story, 'sessions' | 'steps'>,
  toolboxOf: (runtime: string) => Toolbox | undefined,
  target: ToolTarget,
): MissingTool[] {
  const used = new Map<string, string>();
  const missing = new Map<string, { -readonly [name in keyof MissingTool]: MissingTool[name] }>();
  for (const { session, calls = [] } of steps) {
    const runtime = sessions[session]?.facts.runtime ?? '';
    const source = toolboxOf(runtime);
    const isSame = runtime === target.name;
    for (const call of calls) {
      // A call that no tool of this program is for, and that another made before, came with the history.
      const said = JSON.stringify([call.tool, call.args]);
      const first = used.get(said);
      if (first === undefined) used.set(said, runtime);
      else if (first !== runtime && !isKnown(source, call.tool)) continue;
      const server = source?.serverOf(call.tool) ?? null;
      // The program has its own tools wherever it runs; a server may be set up for one session, or on one machine.
      if (isSame && server === null) continue;
      const standing = isSame ? 'missing' : standingOf(call, { runtime, source, target });
      if (standing === 'there') continue;
      const key = JSON.stringify([runtime, call.tool]);
      const known = missing.get(key);
      if (known !== undefined) known.calls += 1;
      else
        missing.set(key, {
          tool: call.tool,
          ...(standing === 'denied' ? { denied: true } : {}),
          runtime,
          calls: 1,
          server,
        });
    }
  }
  return [...missing.values()].toSorted((a, b) => b.calls - a.calls || (a.tool < b.tool ? -1 : 1));
}

function isKnown(toolbox: Toolbox | undefined, tool: string): boolean {
  return (
    toolbox !== undefined && (Object.hasOwn(toolbox.own, tool) || Object.hasOwn(toolbox.also ?? {}, tool))
  );
}

/** Names under which calls are written and which the target offers to nobody, with how often. Those of servers keep theirs anyway. */
export function foreignNames(
  { facts, steps }: Pick<Transcript, 'facts' | 'steps'>,
  { tools }: ToolTarget,
): { readonly tool: string; readonly calls: number }[] {
  const counts = new Map<string, number>();
  for (const { calls = [], aside } of steps) {
    if (aside !== undefined) continue;
    for (const call of calls) {
      const tool = tools.nameOf(call, facts.runtime);
      if (isKnown(tools, tool) || tools.serverOf(tool) !== null || carriedServer(tool) !== null) continue;
      counts.set(tool, (counts.get(tool) ?? 0) + 1);
    }
  }
  return [...counts].map(([tool, calls]) => ({ tool, calls }));
}

interface Means {
  readonly runtime: string;
  readonly source: Toolbox | undefined;
  readonly target: ToolTarget;
}

/** What the target has for a call, and what it would have but for its settings. */
function standingOf(call: ToolCall, means: Means): 'there' | 'denied' | 'missing' {
  const { tools, denied = [] } = means.target;
  const left = Object.entries(tools.own).filter(([name]) => !denied.includes(name));
  if (isThere(call, means, Object.fromEntries(left))) return 'there';
  return denied.length > 0 && isThere(call, means, tools.own) ? 'denied' : 'missing';
}

function isThere(call: ToolCall, { runtime, source, target }: Means, own: Toolbox['own']): boolean {
  if (Object.hasOwn(own, target.tools.nameOf(call, runtime))) return true;
  const known: Toolbox['own'] = { ...source?.also, ...source?.own };
  const purposes = Object.hasOwn(known, call.tool) ? known[call.tool] : [];
  const has = new Set(Object.values(own).flat());
  return (
    purposes !== undefined &&
    purposes.length > 0 &&
    purposes.every((purpose) => has.has(purpose) || (byShell.has(purpose) && has.has('shell')))
  );
}
