/** Which of our tools a program's settings keep from being called, and where they say so. */
import { toolNames } from './entries.ts';
import type { ReadSettings, SettingsTable } from './settings-files.ts';

export interface KeptTools {
  readonly path: string;
  readonly setting: string;
  readonly tools: readonly string[];
}

export type IsKept = (tool: string) => boolean;

export function keptTools(
  files: readonly ReadSettings[],
  keepersIn: (settings: SettingsTable) => Readonly<Record<string, IsKept>>,
): KeptTools | undefined {
  for (const { path, settings, role } of files)
    for (const [setting, isKept] of Object.entries(keepersIn(role === 'state' ? {} : settings))) {
      const tools = toolNames.filter(isKept);
      if (tools.length > 0) return { path, setting, tools };
    }
  return undefined;
}

/** Lists in the entry of a server: of tools that it has not, and of those that alone it has. */
export function listed(
  server: SettingsTable,
  without: string,
  only: string,
): Readonly<Record<string, IsKept>> {
  const [refused, granted] = [namesIn(server[without]), namesIn(server[only])];
  return {
    [without]: (tool) => refused?.includes(tool) === true,
    [only]: (tool) => granted?.includes(tool) === false,
  };
}

function namesIn(list: unknown): readonly string[] | undefined {
  return Array.isArray(list) ? list.filter((one) => typeof one === 'string') : undefined;
}

/** The name of a server stands for all its tools, and `*` for anything. */
export function hasRule(rules: unknown, tool: string): boolean {
  return (namesIn(rules) ?? []).some(
    (rule) => rule === 'mcp__staffetta' || fits(rule, `mcp__staffetta__${tool}`),
  );
}

export function fits(pattern: string, name: string): boolean {
  const words = pattern.split('*').map((word) => word.replaceAll(/[\\^$.|?+()[\]{}]/g, String.raw`\$&`));
  return new RegExp(`^${words.join('.*')}$`, 's').test(name);
}
