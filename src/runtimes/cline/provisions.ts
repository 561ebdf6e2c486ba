/** What the settings of Cline 3.0.65 give: servers of `cline_mcp_settings.json`, but for those that are disabled. Tools it approves unasked, unless it is told otherwise when it is started. */
import type { Provisions } from '../../core/resume/provisions.ts';
import { dig, namesIn, readSettings } from '../settings-file.ts';
import { serversFile, type Env } from './locate.ts';

export function provisionsOf(env: Env): Provisions {
  const { files, unread } = readSettings([serversFile(env)]);
  const servers = files.flatMap(({ settings }) =>
    namesIn(settings, 'mcpServers').filter((name) => dig(settings, 'mcpServers', name, 'disabled') !== true),
  );
  return { servers, denied: [], permissions: null, unread };
}
