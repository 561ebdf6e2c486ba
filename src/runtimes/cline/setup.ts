/** The files by which Cline is told of us, as 3.0.65 reads them: a hook is a script that is called as its event, and its MCP servers are the user's. */
import { dirname, join } from 'node:path';
import type { AgentSetup, FileForm } from '../../setup/forms/agent-setup.ts';
import { hookCommand, hookEvents } from '../../setup/forms/entries.ts';
import { switchedIn, mergedAt } from '../../setup/forms/found-server.ts';
import { jsonForm } from '../../setup/forms/json-form.ts';
import { NotJson } from '../../setup/edit/json-tree.ts';
import { serversFile } from './locate.ts';

const serverPath = ['mcpServers', 'staffetta'];
const mark = '# Written by staffetta init; staffetta uninstall takes it away.';

/** Any script of that name in its folder is called. Ours has a name of its own among those. */
const scriptOf = (event: string): string => `${event}.sh`;

function hookForm(event: string): FileForm {
  return {
    with: (text, { paths }) => {
      if (text !== '' && !text.includes(mark)) throw new NotJson('a script of somebody else is there');
      return `#!/bin/sh\n${mark}\n${hookCommand(paths, 'cline', event)}\n`;
    },
    without: (text) => (text.includes(mark) ? null : text),
    hooksIn: (_, text) => {
      if (!text.includes(mark)) return undefined;
      const call = text.split('\n')[2] ?? '';
      const programs = [...call.matchAll(/(?:test -[xf] )('(?:[^']|'\\'')+'|\S+)/g)].map(([, word = '']) =>
        word.replaceAll(/^'|'$/g, ''),
      );
      return { events: 1, missing: [], programs, calls: [call], idle: [], narrowed: [] };
    },
  };
}

const kindOf = (event: string): string => `cline-hook-${event}`;

export const setup: AgentSetup = {
  kinds: {
    ...Object.fromEntries(hookEvents('cline').map((event) => [kindOf(event), hookForm(event)])),
    'cline-mcp': jsonForm({ server: { path: serverPath, more: { disabled: false } } }),
  },
  files: (scope, home, { root, env, homeFolder }) => {
    const folder = scope === 'user' ? join(home, 'hooks') : join(root, '.cline', 'hooks');
    return [
      ...hookEvents('cline').map((event) => [kindOf(event), join(folder, scriptOf(event))] as const),
      // It reads no servers of a repository.
      ['cline-mcp', serversFile({ HOME: homeFolder, ...env })],
    ];
  },
  settings: (_, { env, homeFolder }) => [
    { role: 'servers', path: serversFile({ HOME: homeFolder, ...env }) },
  ],
  keepers: () => ({}),
  distrusted: (found) => {
    for (const { file } of found) {
      const here = new Set(found.filter((one) => one.file.root === file.root).map((one) => one.file.kind));
      const lacking = hookEvents('cline').filter((event) => !here.has(kindOf(event)));
      if (lacking.length > 0)
        return {
          text: `${dirname(file.path)} lacks ${lacking.map(scriptOf).join(', ')}.`,
          fix: `Write them with: staffetta init${file.root === null ? '' : ' --project'}`,
        };
    }
    return undefined;
  },
  server: (files) => {
    const found = mergedAt(files, serverPath);
    if (found?.entry['disabled'] !== true) return switchedIn(found);
    const why = `it is switched off by disabled = true in ${found.path}`;
    return { ...found, held: { why, fix: 'Switch it on there if you want it.' } };
  },
};
