/** The files by which opencode is told of us, as 1.18.33 reads them: a plugin, which calls the hooks, and its settings. */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { AgentSetup, FileForm, Homes } from '../../setup/forms/agent-setup.ts';
import type { OwnPaths } from '../../setup/forms/entries.ts';
import type { FoundHooks } from '../../setup/forms/found-hooks.ts';
import { mergedAt, switchedIn } from '../../setup/forms/found-server.ts';
import { jsonForm } from '../../setup/forms/json-form.ts';
import { fits } from '../../setup/forms/kept-tools.ts';
import { tableOf, type SettingsTable } from '../../setup/forms/settings-files.ts';

const pluginMark = '// Written by staffetta init; staffetta uninstall takes it away.';

const plugin: FileForm = {
  with: (_, { paths }) => pluginText(paths),
  without: (text) => (text.startsWith(pluginMark) ? null : text),
  hooksIn: (_, text) => pluginIn(text),
};

export const setup: AgentSetup = {
  kinds: {
    'opencode-plugin': plugin,
    'opencode-config': jsonForm({
      server: { path: ['mcp', 'staffetta'], more: { type: 'local', enabled: true }, oneList: true },
    }),
  },
  files: (scope, _, homes) => {
    const folder = scope === 'user' ? configFolder(homes) : homes.root;
    const plugins = scope === 'user' ? folder : join(folder, '.opencode');
    return [
      ['opencode-plugin', join(plugins, 'plugins', 'staffetta.js')],
      ['opencode-config', settingsIn(folder, homes)],
    ];
  },
  settings: (_, homes) => {
    const folder = configFolder(homes);
    const names = ['opencode.json', 'opencode.jsonc'];
    return [
      ...['config.json', ...names].map((name) => ({ role: 'user' as const, path: join(folder, name) })),
      ...names.map((name) => ({ role: 'local' as const, path: join(homes.root, name) })),
      ...names.map((name) => ({ role: 'local' as const, path: join(homes.root, '.opencode', name) })),
    ];
  },
  keepers: (settings) => ({ tools: (tool) => isOff(tableOf(settings['tools']), `staffetta_${tool}`) }),
  server: (files) => switchedIn(mergedAt(files, ['mcp', 'staffetta'])),
  finding: ({ kind, path }) => {
    if (kind !== 'opencode-plugin') return undefined;
    const folder = dirname(dirname(path));
    const check = 'opencode-plugin';
    if (existsSync(join(folder, 'node_modules', '@opencode-ai', 'plugin')))
      return { check, status: 'ok', text: `what opencode needs for plugins is in ${folder}` };
    return {
      check,
      status: 'untried',
      text: `opencode has yet to fetch @opencode-ai/plugin into ${folder}; without a network its start waits for that, for minutes`,
      fix: 'Start opencode once with a network.',
    };
  },
  notices: [
    {
      kinds: ['opencode-plugin'],
      text: 'opencode fetches @opencode-ai/plugin from npm when it finds a first plugin; without a network its next start waits for that, for minutes.',
    },
  ],
};

function configFolder({ env, homeFolder }: Homes): string {
  const config = env['XDG_CONFIG_HOME'] ?? '';
  return join(config === '' ? join(homeFolder, '.config') : config, 'opencode');
}

function settingsIn(folder: string, { exists }: Homes): string {
  const other = join(folder, 'opencode.jsonc');
  return exists(other) ? other : join(folder, 'opencode.json');
}

/** The last that fits decides. */
function isOff(tools: SettingsTable, name: string): boolean {
  return Object.entries(tools).findLast(([pattern]) => fits(pattern, name))?.[1] === false;
}

function pluginText({ node, hook, plugin: module }: OwnPaths): string {
  return `${pluginMark}
import { staffetta } from ${JSON.stringify(pathToFileURL(module).href)};

export const Staffetta = staffetta({ node: ${JSON.stringify(node)}, hook: ${JSON.stringify(hook)} });
`;
}

function pluginIn(text: string): FoundHooks | undefined {
  const found = /staffetta\(\{ node: ("(?:[^"\\]|\\.)*"), hook: ("(?:[^"\\]|\\.)*") \}\)/.exec(text);
  if (found === null) return undefined;
  const [node = '', hook = ''] = [found[1], found[2]].map((quoted) => String(JSON.parse(quoted ?? '""')));
  const imported = /from "(file:[^"]+)"/.exec(text)?.[1];
  const module = imported === undefined ? [] : [decodeURIComponent(new URL(imported).pathname)];
  return {
    events: 6,
    missing: [],
    programs: [node, hook, ...(process.platform === 'win32' ? [] : module)],
    calls: [[node, hook, 'opencode', 'session.created']],
    idle: [],
    narrowed: [],
  };
}
