/** The kinds of files that are changed: for each, how our part comes into a text and how it goes out again. Pure; null is no file. */
import { pathToFileURL } from 'node:url';
import { trustLines, trustOf } from './codex-trust.ts';
import {
  hookElement,
  hookEvents,
  isOwnElement,
  stdioServer,
  type HookRuntime,
  type OwnPaths,
} from './entries.ts';
import { removeElements, removeMember, setElement, setMember } from './json-edit.ts';
import { markdownMarks, tomlMarks, withBlock, withoutBlock } from './marked-block.ts';

export const fileKinds = [
  'claude-hooks',
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
  /** For codex-config: the hooks.json whose hooks are trusted, as it will be; null leaves trust to the user. */
  readonly trusted: { readonly path: string; readonly text: string } | null;
  /** For codex-config: whether the MCP server belongs into this one too. */
  readonly server: boolean;
}

export function withOurs(kind: FileKind, text: string | null, wish: Wish): string {
  const now = text ?? '';
  const { paths } = wish;
  switch (kind) {
    case 'claude-hooks':
      return withHooks(now, paths, 'claude-code');
    case 'codex-hooks':
      return withHooks(now, paths, 'codex');
    case 'claude-mcp':
      return setMember(now, ['mcpServers', 'staffetta'], { type: 'stdio', ...stdioServer(paths) });
    case 'gemini-settings':
      return setMember(withHooks(now, paths, 'gemini-cli'), ['mcpServers', 'staffetta'], stdioServer(paths));
    case 'opencode-config':
      return setMember(now, ['mcp', 'staffetta'], {
        type: 'local',
        command: [paths.node, paths.command, 'mcp'],
        enabled: true,
      });
    case 'opencode-plugin':
      return pluginText(paths);
    case 'codex-config':
      return withBlock(now, codexLines(wish), tomlMarks);
    case 'agents':
      return withBlock(now, agentsLines, markdownMarks);
  }
}

/** Null where nothing is left that anybody needs. */
export function withoutOurs(kind: FileKind, text: string): string | null {
  switch (kind) {
    case 'claude-hooks':
      return leftOf(withoutHooks(text, 'claude-code'));
    case 'codex-hooks':
      return leftOf(withoutHooks(text, 'codex'));
    case 'claude-mcp':
      return leftOf(removeMember(text, ['mcpServers', 'staffetta']));
    case 'gemini-settings':
      return leftOf(removeMember(withoutHooks(text, 'gemini-cli'), ['mcpServers', 'staffetta']));
    case 'opencode-config':
      return leftOf(removeMember(text, ['mcp', 'staffetta']));
    case 'opencode-plugin':
      return text.startsWith(pluginMark) ? null : text;
    case 'codex-config':
      return leftOf(withoutBlock(text, tomlMarks, notOurTables));
    case 'agents':
      return leftOf(withoutBlock(text, markdownMarks, () => []));
  }
}

function leftOf(text: string): string | null {
  return ['', '{}', '{"hooks":{}}'].includes(text.replaceAll(/\s/g, '')) ? null : text;
}

function withHooks(text: string, paths: OwnPaths, runtime: HookRuntime): string {
  return hookEvents[runtime].reduce(
    (now, event) => setElement(now, ['hooks', event], hookElement(paths, runtime, event), isOwnElement),
    text,
  );
}

function withoutHooks(text: string, runtime: HookRuntime): string {
  return hookEvents[runtime].reduce(
    (now, event) => removeElements(now, ['hooks', event], isOwnElement),
    text,
  );
}

const serverTable = '[mcp_servers.staffetta]';

function codexLines({ paths, trusted, server }: Wish): string[] {
  const { command, args } = stdioServer(paths);
  const tables = server
    ? [serverTable, `command = ${JSON.stringify(command)}`, `args = ${JSON.stringify(args)}`]
    : [];
  const trust = trusted === null ? [] : trustLines(trustOf(trusted.path, trusted.text));
  return [...tables, ...(trust.length === 0 ? [] : [trustWords, ...trust])];
}

const trustWords =
  '# Codex runs these hooks because init was told so; it asks again when one of them changes.';

/** Codex writes its own settings too, and may put a table of its own behind ours. */
function notOurTables(lines: readonly string[]): string[] {
  let ours = true;
  return lines.filter((line) => {
    const said = line.trim();
    if (said.startsWith('[')) ours = said === serverTable || said.startsWith('[hooks.state.');
    return !ours && said !== trustWords;
  });
}

const pluginMark = '// Written by staffetta init; staffetta uninstall takes it away.';

function pluginText({ node, hook, plugin }: OwnPaths): string {
  return `${pluginMark}
import { staffetta } from ${JSON.stringify(pathToFileURL(plugin).href)};

export const Staffetta = staffetta({ node: ${JSON.stringify(node)}, hook: ${JSON.stringify(hook)} });
`;
}

/** At most six lines: they are read at every start of every agent. */
const agentsLines: readonly string[] = [
  '## Handing work over',
  'Work that changes hands goes through the staffetta tools (MCP), or the `staffetta` command where it is installed; both do the same.',
  '- A task that waits for you is shown when your session starts. Take it before you change anything: tool `take`, or `staffetta take TASK`',
  '- Say what the next agent needs when you learn it: tools `note`, `decide`, or `staffetta note TASK "…"`',
  '- Before you stop: tools `handoff` or `submit`, or `staffetta handoff TASK --to WHO --next "…"`. A person approves.',
];
