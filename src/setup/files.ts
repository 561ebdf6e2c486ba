/**
 * The kinds of files that are changed: for each, how our part comes into a text and how it goes out again. Pure; null is no file.
 * No text is returned that does not say what it said before, and ours besides: both are parsed and compared.
 */
import { pathToFileURL } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { withCodex, withoutCodex, type TrustsOf } from './codex-config.ts';
import { trustOf } from './codex-trust.ts';
import { stdioServer, type OwnPaths } from './entries.ts';
import type { JsonPath } from './edit/json-edit.ts';
import { othersInHooks, withHooks, withoutHooks } from './edit/json-hooks.ts';
import { leaves, othersInLeave, withLeave, withoutLeave } from './edit/json-leave.ts';
import { isOwnServer, withServer, withoutServer } from './edit/json-server.ts';
import { NotJson, parseTree, valueOf } from './edit/json-tree.ts';
import { markdownMarks, withBlock, withoutBlock } from './edit/marked-block.ts';

export const fileKinds = [
  'claude-hooks',
  'claude-local',
  'claude-mcp',
  'codex-hooks',
  'codex-config',
  'gemini-settings',
  'opencode-plugin',
  'opencode-config',
  'agents',
] as const;
export type FileKind = (typeof fileKinds)[number];

export interface Wish {
  readonly paths: OwnPaths;
  /** For codex-config: the hooks.json whose hooks are trusted, as it will be. */
  readonly trusted: { readonly path: string; readonly text: string } | null;
}

export function withOurs(kind: FileKind, text: string | null, wish: Wish): string {
  const now = text ?? '';
  const after = changed(kind, now, wish);
  assertSame(kind, now, after);
  return after;
}

function changed(kind: FileKind, now: string, { paths, trusted }: Wish): string {
  const starts = stdioServer(paths);
  switch (kind) {
    case 'claude-hooks':
      return withLeave(withHooks(now, paths, 'claude-code'), leaves[kind]);
    case 'claude-local':
      return withLeave(withHooks(now, paths, 'claude-code'), leaves[kind]);
    case 'codex-hooks':
      return withHooks(now, paths, 'codex');
    case 'claude-mcp':
      return withServer(now, serverPaths[kind], { more: { type: 'stdio' }, starts });
    case 'gemini-settings':
      return withServer(withHooks(now, paths, 'gemini-cli'), serverPaths[kind], {
        more: { trust: true },
        starts,
      });
    case 'opencode-config':
      return withServer(now, serverPaths[kind], {
        more: { type: 'local', enabled: true },
        starts: { command: [starts.command, ...starts.args] },
      });
    case 'opencode-plugin':
      return pluginText(paths);
    case 'codex-config':
      return withCodex(now, {
        server: starts,
        hooks: trusted?.path ?? '',
        trusts: trusted === null ? [] : trustOf(trusted.path, trusted.text),
      });
    case 'agents':
      return withBlock(now, agentsLines, markdownMarks);
  }
}

const serverPaths = {
  'claude-mcp': ['mcpServers', 'staffetta'],
  'gemini-settings': ['mcpServers', 'staffetta'],
  'opencode-config': ['mcp', 'staffetta'],
} as const satisfies Partial<Record<FileKind, JsonPath>>;

export interface Owner {
  /** For codex-config: the hooks.json whose trust goes; null for all there is. */
  readonly hooks: string | null;
  readonly trustsOf: TrustsOf;
  /** The text before us, where it is known: what was there and empty stays so. */
  readonly was: string | null;
}

/** Null where nothing is left that anybody needs. */
export function withoutOurs(kind: FileKind, text: string, owner: Owner): string | null {
  const left = leftWithout(kind, text, owner);
  return left === null || isNothing(left) ? null : left;
}

/** Null for a file that is all ours. */
export function leftWithout(kind: FileKind, text: string, owner: Owner): string | null {
  const left = stripped(kind, text, owner);
  if (left !== null) assertSame(kind, text, left);
  return left;
}

function stripped(kind: FileKind, text: string, { hooks, trustsOf, was }: Owner): string | null {
  switch (kind) {
    case 'opencode-plugin':
      return text.startsWith(pluginMark) ? null : text;
    case 'codex-config':
      return withoutCodex(text, hooks, trustsOf);
    case 'agents':
      return withoutBlock(text, markdownMarks);
    case 'claude-hooks':
    case 'claude-local':
      return withoutLeave(withoutHooks(text, was), leaves[kind], was);
    case 'codex-hooks':
      return withoutHooks(text, was);
    case 'claude-mcp':
    case 'opencode-config':
      return withoutServer(text, serverPaths[kind], was);
    case 'gemini-settings':
      return withoutServer(withoutHooks(text, was), serverPaths[kind], was);
  }
}

/** Whether a text holds nothing that a program would read. */
export function isNothing(text: string): boolean {
  return ['', '{}'].includes(text.replaceAll(/\s/g, ''));
}

/** TOML is compared where it is changed; a plugin is all ours, and Markdown means what it says. */
function assertSame(kind: FileKind, before: string, after: string): void {
  if (kind === 'opencode-plugin' || kind === 'codex-config' || kind === 'agents') return;
  if (isDeepStrictEqual(othersIn(before), othersIn(after))) return;
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

const pluginMark = '// Written by staffetta init; staffetta uninstall takes it away.';

function pluginText({ node, hook, plugin }: OwnPaths): string {
  return `${pluginMark}
import { staffetta } from ${JSON.stringify(pathToFileURL(plugin).href)};

export const Staffetta = staffetta({ node: ${JSON.stringify(node)}, hook: ${JSON.stringify(hook)} });
`;
}

/** At most six lines: they are read at every start of every agent. Of the tools first: a shell need not find the command. */
const agentsLines: readonly string[] = [
  '## Handing work over',
  'Work that changes hands goes through staffetta: the tools of its MCP server or, where a shell finds it, the command `staffetta`.',
  '- A task that waits for you is shown when your session starts. Take it before you change anything: tool `take`, or `staffetta take TASK`',
  '- Say what the next agent needs when you learn it: tools `note` and `decide`, or `staffetta note TASK "…"`, `staffetta decide TASK "…" --why "…"`',
  '- Before you stop: tool `handoff` or `submit`, or `staffetta handoff TASK --to WHO --next "…"`, `staffetta submit TASK`. A person approves.',
];
