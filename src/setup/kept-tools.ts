/** Which of our tools a program's settings keep from being called, and where they say so. */
import type { RuntimeName } from '../ports/runtime.ts';
import { toolNames } from './entries.ts';
import { tableOf, valueIn, type Settings } from './settings-files.ts';
import type { ReadFile } from './switched-off.ts';

export interface KeptTools {
  readonly path: string;
  readonly setting: string;
  readonly tools: readonly string[];
}

type IsKept = (tool: string) => boolean;

export function keptTools(runtime: RuntimeName, files: readonly ReadFile[]): KeptTools | undefined {
  for (const { path, settings, role } of files)
    for (const [setting, isKept] of Object.entries(keepersIn(runtime, role === 'state' ? {} : settings))) {
      const tools = toolNames.filter(isKept);
      if (tools.length > 0) return { path, setting, tools };
    }
  return undefined;
}

function keepersIn(runtime: RuntimeName, settings: Settings): Readonly<Record<string, IsKept>> {
  switch (runtime) {
    case 'claude-code':
      return { 'permissions.deny': (tool) => hasRule(valueIn(settings, ['permissions', 'deny']), tool) };
    case 'codex': {
      const server = tableOf(valueIn(settings, ['mcp_servers', 'staffetta']));
      return listed(server, 'disabled_tools', 'enabled_tools');
    }
    case 'gemini-cli': {
      const server = tableOf(valueIn(settings, ['mcpServers', 'staffetta']));
      return listed(server, 'excludeTools', 'includeTools');
    }
    case 'opencode':
      return { tools: (tool) => switchedOff(tableOf(settings['tools']), `staffetta_${tool}`) };
  }
}

function listed(server: Settings, without: string, only: string): Readonly<Record<string, IsKept>> {
  const [refused, granted] = [namesIn(server[without]), namesIn(server[only])];
  return {
    [without]: (tool) => refused?.includes(tool) === true,
    [only]: (tool) => granted?.includes(tool) === false,
  };
}

function namesIn(list: unknown): readonly string[] | undefined {
  return Array.isArray(list) ? list.filter((one) => typeof one === 'string') : undefined;
}

/** Claude Code takes the name of a server for all its tools, and `*` for anything. */
export function hasRule(rules: unknown, tool: string): boolean {
  return (namesIn(rules) ?? []).some(
    (rule) => rule === 'mcp__staffetta' || fits(rule, `mcp__staffetta__${tool}`),
  );
}

/** The last that fits decides. */
function switchedOff(tools: Settings, name: string): boolean {
  return Object.entries(tools).findLast(([pattern]) => fits(pattern, name))?.[1] === false;
}

function fits(pattern: string, name: string): boolean {
  const words = pattern.split('*').map((word) => word.replaceAll(/[\\^$.|?+()[\]{}]/g, String.raw`\$&`));
  return new RegExp(`^${words.join('.*')}$`, 's').test(name);
}
