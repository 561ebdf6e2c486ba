/** The files by which Codex is told of us, as 0.166.0 reads them: hooks.json, and config.toml with the trust in our hooks. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readTextAt } from '../../setup/edit/file-bytes.ts';
import type { AgentSetup, FileForm, FoundIn, EntryOwner, Wrong } from '../../setup/forms/agent-setup.ts';
import { stdioServer } from '../../setup/forms/entries.ts';
import { mergedAt, switchedIn } from '../../setup/forms/found-server.ts';
import { jsonForm } from '../../setup/forms/json-form.ts';
import { listed } from '../../setup/forms/kept-tools.ts';
import { folderTrust } from '../../setup/forms/notices.ts';
import { ownPlugin, tableOf, valueIn, type ReadSettings } from '../../setup/forms/settings-files.ts';
import { decided } from '../../setup/forms/switched-off.ts';
import { withCodex, withoutCodex, type TrustsOf } from './hook-config.ts';
import { anyTrust, disabled, trustOf, untrusted, type HookTrust } from './hook-trust.ts';

const serverPath = ['mcp_servers', 'staffetta'];

const config: FileForm = {
  with: (text, { paths, trusted }) =>
    withCodex(text, {
      server: stdioServer(paths),
      hooks: trusted?.path ?? '',
      trusts: trusted === null ? [] : trustOf(trusted.path, trusted.text),
    }),
  without: (text, owner) => withoutCodex(text, owner.hooks, trustsFor(owner)),
  leansOn: 'codex-hooks',
};

export const setup: AgentSetup = {
  kinds: { 'codex-hooks': jsonForm({ hooks: 'codex' }), 'codex-config': config },
  files: (scope, home, { root }) => [
    ['codex-hooks', join(scope === 'user' ? home : join(root, '.codex'), 'hooks.json')],
    // Trust is the user's to give, and is kept with the user.
    ['codex-config', join(home, 'config.toml')],
  ],
  settings: (home, { root }) => [
    { role: 'managed', path: '/etc/codex/config.toml' },
    { role: 'user', path: join(home, 'config.toml') },
    { role: 'local', path: join(root, '.codex', 'config.toml') },
    { role: 'hooks', path: join(home, 'hooks.json') },
    { role: 'hooks', path: join(root, '.codex', 'hooks.json') },
  ],
  isRead: ({ path, role }, files, root) =>
    (role !== 'local' && path !== join(root, '.codex', 'hooks.json')) || isTrusted(files, root),
  switchedOff: (files) =>
    decided(files, ['features', 'hooks'], false) ?? decided(files, ['features', 'codex_hooks'], false),
  keepers: (settings) => listed(tableOf(valueIn(settings, serverPath)), 'disabled_tools', 'enabled_tools'),
  server: (files) => switchedIn(mergedAt(files, serverPath)),
  plugin: (files) => {
    const user = files.find(({ role }) => role === 'user');
    const [plugin, entry] = ownPlugin(user?.settings['plugins']) ?? ['', undefined];
    const isOff = valueIn(user?.settings ?? {}, ['features', 'plugins']) === false;
    if (user === undefined || isOff || plugin === '' || tableOf(entry)['enabled'] === false) return undefined;
    return { path: user.path, remove: `codex plugin remove ${plugin}` };
  },
  distrusted,
  notices: [
    {
      kinds: ['codex-config'],
      text: 'Codex runs hooks only if their hashes are in its config.toml: they are part of what is written there.',
    },
    { kinds: ['codex-hooks'], scope: 'project', text: folderTrust },
  ],
};

/** A hooks.json that moved with its repository is trusted at its old place; what is ours in it is read where it lies now. */
function trustsFor({ hooks, now, isLongAgo }: EntryOwner): TrustsOf {
  return (path) => {
    if (existsSync(path)) return trustsAt(path);
    // Another repository of ours had one there when we came.
    if (isLongAgo === true) return anyTrust(path);
    return path === hooks && now !== undefined ? trustsAt(path, now) : trustsAt(path);
  };
}

/** Of our hooks in the file at a path, or that was there and lies elsewhere. One that is not there, or makes no sense, has none of ours. */
function trustsAt(hooks: string, now: string = hooks): readonly HookTrust[] {
  try {
    return trustOf(hooks, readTextAt(now) ?? '');
  } catch {
    return [];
  }
}

/** It reads nothing in a repository whose folder the user's config.toml does not trust. */
function isTrusted(files: readonly ReadSettings[], root: string): boolean {
  return files.some(
    ({ role, settings }) =>
      role === 'user' && valueIn(settings, ['projects', root, 'trust_level']) === 'trusted',
  );
}

function distrusted(found: readonly FoundIn[], files: readonly ReadSettings[]): Wrong | undefined {
  const user = files.find(({ role }) => role === 'user');
  const settings = user?.settings ?? {};
  const unread = found.find(({ file: { root } }) => root !== null && !isTrusted(files, root));
  if (unread !== undefined)
    return {
      text: `Codex does not read ${unread.file.path}: it does not trust the folder ${unread.file.root ?? ''}.`,
      fix: 'Start codex there once and say that you trust the folder, or set it up for the user with: staffetta init',
    };
  const trusts = found.flatMap(({ file }) => trustsAt(file.path).map((trust) => ({ trust, file })));
  const off = disabled(
    trusts.map(({ trust }) => trust),
    settings,
  );
  if (off.length > 0)
    return {
      text: `${off.map(({ event }) => event).join(', ')} of Codex was switched off: enabled = false in ${user?.path ?? 'config.toml'}.`,
      fix: `Switch it on with /hooks in codex, or write enabled = true there, under [hooks.state.${JSON.stringify(off[0]?.key)}].`,
    };
  const skipped = trusts.filter(({ trust }) => untrusted([trust], settings).length > 0);
  const [first] = skipped;
  if (first === undefined) return undefined;
  const again = first.file.root === null ? 'staffetta init' : 'staffetta init --project';
  const events = [...new Set(skipped.map(({ trust }) => trust.event))];
  return {
    text: `Codex does not trust ${events.join(', ')} of ${first.file.path} and skips them without a word.`,
    fix: `Trust them in Codex with /hooks, or write their hashes into ${user?.path ?? 'config.toml'} with: ${again}`,
  };
}
