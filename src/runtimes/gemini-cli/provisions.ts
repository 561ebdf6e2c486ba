/**
 * What the settings of Gemini CLI 0.61.0 give: settings.json of the user, and in `.gemini` of the folder, which counts more. Servers in
 * `mcpServers`, of which `mcp.allowed` and `mcp.excluded` choose; tools in `tools.core` and `tools.exclude`; and the mode that
 * says what needs no approval. Extensions bring servers too, and are not looked at.
 */
import { join } from 'node:path';
import type { Provisions } from '../../core/resume/provisions.ts';
import { dig, namesIn, readSettings, settingsTexts } from '../settings-file.ts';
import { toolbox } from './toolbox.ts';

export function provisionsOf(home: string | null, folder: string): Provisions {
  const paths = [...(home === null ? [] : [home]), join(folder, '.gemini')].map((base) =>
    join(base, 'settings.json'),
  );
  const { files, unread } = readSettings(paths);
  const all = files.map(({ settings }) => settings);
  const texts = (...names: readonly string[]): string[] =>
    all.flatMap((settings) => settingsTexts(settings, ...names));
  const servers = new Set(all.flatMap((settings) => namesIn(settings, 'mcpServers')));
  const allowed = texts('mcp', 'allowed');
  const excluded = new Set(texts('mcp', 'excluded'));
  // The older names of both stood above all others.
  const core = [...texts('tools', 'core'), ...texts('coreTools')].map(bare);
  const out = [...texts('tools', 'exclude'), ...texts('excludeTools')];
  const mode = all
    .map((settings) => dig(settings, 'general', 'defaultApprovalMode'))
    .findLast((value) => typeof value === 'string');
  const free = [...texts('tools', 'allowed'), ...texts('allowedTools')].length;
  const said = [
    ...(mode === undefined ? [] : [`approval mode ${mode}`]),
    ...(free === 0 ? [] : [`${free} tools or commands allowed`]),
  ];
  return {
    servers: [...servers].filter(
      (name) => (allowed.length === 0 || allowed.includes(name)) && !excluded.has(name),
    ),
    denied: [
      // With a bracket it is a part of what a tool can do.
      ...out.filter((tool) => !tool.includes('(')).map(bare),
      ...(core.length === 0 ? [] : Object.keys(toolbox.own).filter((tool) => !core.includes(tool))),
    ],
    permissions: said.length === 0 ? null : said.join(', '),
    unread,
  };
}

/** Tools go by the name of their class as well. */
function bare(tool: string): string {
  const name = tool.replace(/\(.*$/, '');
  return classes[name] ?? name;
}

const classes: Readonly<Record<string, string>> = {
  ShellTool: 'run_shell_command',
  ReadFileTool: 'read_file',
  WriteFileTool: 'write_file',
  EditTool: 'replace',
  GrepTool: 'grep_search',
  GlobTool: 'glob',
  LSTool: 'list_directory',
  WebFetchTool: 'web_fetch',
  WebSearchTool: 'google_web_search',
};
