/** The links from one coding agent to us, followed as the agent itself would: its settings, the hooks in them, the MCP server in them. */
import { defined } from '../../../core/base/defined.ts';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isStaffettaError } from '../../../core/base/error.ts';
import type { RuntimeName } from '../../../ports/runtime.ts';
import { disabled, untrusted } from '../../../setup/codex-trust.ts';
import { textAt } from '../../../setup/edit/file-bytes.ts';
import { hooksIn, type FoundHooks } from '../../../setup/found-hooks.ts';
import { serverFor } from '../../../setup/found-server.ts';
import { keptTools } from '../../../setup/kept-tools.ts';
import { NotJson } from '../../../setup/edit/json-tree.ts';
import { toolNames } from '../../../setup/entries.ts';
import { pluginOn, type PluginOn } from '../../../setup/plugin-on.ts';
import { plannedFiles, scopes, type Homes, type PlannedFile } from '../../../setup/plan.ts';
import { isTrustedByCodex, parseSettings, settingsFiles } from '../../../setup/settings-files.ts';
import { switchedOff, type ReadFile } from '../../../setup/switched-off.ts';
import { NotToml } from '../../../setup/edit/toml-pieces.ts';
import { counted } from '../../pages/words.ts';
import type { Finding } from './doctor-finding.ts';
import type { Answer, Start } from './doctor-mcp.ts';

export interface Trying {
  readonly ask: (start: Start) => Promise<Answer>;
  /** Calls a hook; says what is wrong with it. */
  readonly call: (call: string | readonly string[]) => Promise<string | undefined>;
  readonly env: NodeJS.ProcessEnv;
}

type Said = Pick<Finding, 'status' | 'text' | 'fix'>;

export async function linkFindings(name: RuntimeName, homes: Homes, trying: Trying): Promise<Finding[]> {
  const read = readAll(name, homes);
  if ('wrong' in read)
    return [
      { check: `${name}-hooks`, ...read.wrong },
      { check: `${name}-mcp`, status: 'untried', text: 'not tried: its settings cannot be read' },
    ];
  const { files } = read;
  const found = foundHooks(name, homes);
  const plugin = pluginOn(name, files, homes);
  return [
    { check: `${name}-hooks`, ...(await hooksSaid(name, { found, files, plugin, trying })) },
    {
      check: `${name}-mcp`,
      ...(await serverSaid(name, { files, homes, plugin, trying, isSetUp: found.length > 0 })),
    },
    ...pluginFinding(found),
  ];
}

/** Every file that the program reads. One that makes no sense keeps it from starting, or is passed over without a word. */
function readAll(
  name: RuntimeName,
  homes: Homes,
): { readonly files: readonly ReadFile[] } | { readonly wrong: Said } {
  const files: ReadFile[] = [];
  for (const file of settingsFiles(name, homes)) {
    try {
      const text = textAt(file.path);
      if (text !== null) files.push({ ...file, settings: parseSettings(file.path, text) });
    } catch (error) {
      if (!(isStaffettaError(error) || error instanceof NotJson || error instanceof NotToml)) throw error;
      const said = error.message.includes(file.path) ? error.message : `${file.path}: ${error.message}.`;
      return {
        wrong: { status: 'wrong', text: said, fix: `Put that file right; ${name} cannot read it either.` },
      };
    }
  }
  return { files: name === 'codex' ? files.filter((file) => isReadByCodex(file, files, homes.root)) : files };
}

function isReadByCodex({ path, role }: ReadFile, files: readonly ReadFile[], root: string): boolean {
  return (role !== 'local' && path !== join(root, '.codex', 'hooks.json')) || isTrusted(files, root);
}

function isTrusted(files: readonly ReadFile[], root: string): boolean {
  return files.some(({ role, settings }) => role === 'user' && isTrustedByCodex(settings, root));
}

interface Found extends FoundHooks {
  readonly file: PlannedFile;
}

function foundHooks(name: RuntimeName, homes: Homes): Found[] {
  const files = scopes.flatMap((scope) => plannedFiles(name, scope, homes));
  return files.flatMap((file) => {
    const hooks = hooksIn(file.kind, file.path, textAt(file.path) ?? '');
    return hooks === undefined ? [] : [{ ...hooks, file }];
  });
}

interface Hooks {
  readonly found: readonly Found[];
  readonly files: readonly ReadFile[];
  readonly plugin: PluginOn | undefined;
  readonly trying: Trying;
}

async function hooksSaid(name: RuntimeName, { found, files, plugin, trying }: Hooks): Promise<Said> {
  const [first] = found;
  if (first === undefined && plugin !== undefined) return broughtBy(plugin);
  if (first === undefined)
    return { status: 'untried', text: 'not set up', fix: 'Set it up with: staffetta init' };
  const wrong =
    wrongWith(found) ??
    (plugin === undefined ? undefined : doubled(first, plugin)) ??
    offIn(name, files, trying.env) ??
    (name === 'codex' ? distrusted(found, files) : undefined) ??
    (await failing(found, trying));
  if (wrong !== undefined) return { status: 'wrong', ...wrong };
  const where = found.map(({ file }) => file.path).join(', ');
  const [narrow] = found.flatMap(({ narrowed, file }) => narrowed.map((one) => ({ ...one, file })));
  if (narrow !== undefined)
    return {
      status: 'untried',
      text: `${narrow.event} of ${narrow.file.path} is called only where its matcher ${JSON.stringify(narrow.matcher)} fits`,
      fix: 'Take the matcher out there unless you want it so.',
    };
  return { status: 'ok', text: `${counted(first.events, 'event')} in ${where}` };
}

/** What a plugin brings lies where its program put it, and is not followed from here. */
function broughtBy({ path }: PluginOn): Said {
  return { status: 'untried', text: `brought by the plugin, which is on in ${path}; not tried` };
}

function doubled({ file: { path } }: Found, plugin: PluginOn): Wrong {
  return {
    text: `Hooks are there twice: in ${path}, and in the plugin, which is on in ${plugin.path}.`,
    fix: `Keep one of them: ${plugin.remove}, or staffetta uninstall`,
  };
}

type Wrong = Pick<Finding, 'text' | 'fix'>;

function wrongWith(found: readonly Found[]): Wrong | undefined {
  for (const { file, missing, programs, idle } of found) {
    const { path, root } = file;
    const again = root === null ? 'staffetta init' : 'staffetta init --project';
    if (missing.length > 0)
      return { text: `${path} lacks ${missing.join(', ')}.`, fix: `Write them with: ${again}` };
    const [stopped] = idle;
    if (stopped !== undefined)
      return {
        text: `${path} has ${idle.map(({ event }) => event).join(', ')}, but not so that it is run: ${stopped.why}.`,
        fix: `Take that entry out there, and write it anew with: ${again}`,
      };
    const gone = programs.find((program) => !existsSync(program));
    if (gone !== undefined)
      return {
        text: `${path} calls ${gone}, which is not there.`,
        fix: `Write the paths as they are now with: ${again}`,
      };
  }
  return undefined;
}

function offIn(name: RuntimeName, files: readonly ReadFile[], env: NodeJS.ProcessEnv): Wrong | undefined {
  if (env['STAFFETTA_HOOKS'] === 'off')
    return {
      text: 'Hooks are switched off by STAFFETTA_HOOKS=off in this environment.',
      fix: 'Take it out of the environment if you want them.',
    };
  const off = switchedOff(name, files);
  if (off === undefined) return undefined;
  return {
    text: `Hooks are switched off by ${off.setting} in ${off.path}.`,
    fix: 'Switch them on there if you want them.',
  };
}

function distrusted(found: readonly Found[], files: readonly ReadFile[]): Wrong | undefined {
  const config = files.find(({ role }) => role === 'user');
  const settings = config?.settings ?? {};
  const unread = found.find(({ file: { root } }) => root !== null && !isTrusted(files, root));
  if (unread !== undefined)
    return {
      text: `Codex does not read ${unread.file.path}: it does not trust the folder ${unread.file.root ?? ''}.`,
      fix: 'Start codex there once and say that you trust the folder, or set it up for the user with: staffetta init',
    };
  const off = found.flatMap(({ trusts }) => disabled(trusts, settings));
  if (off.length > 0)
    return {
      text: `${off.map(({ event }) => event).join(', ')} of Codex was switched off: enabled = false in ${config?.path ?? 'config.toml'}.`,
      fix: `Switch it on with /hooks in codex, or write enabled = true there, under [hooks.state.${JSON.stringify(off[0]?.key)}].`,
    };
  const skipped = found.flatMap(({ trusts, file }) =>
    untrusted(trusts, settings).map(({ event }) => ({ event, file })),
  );
  const [first] = skipped;
  if (first === undefined) return undefined;
  const again = first.file.root === null ? 'staffetta init' : 'staffetta init --project';
  const events = [...new Set(skipped.map(({ event }) => event))];
  return {
    text: `Codex does not trust ${events.join(', ')} of ${first.file.path} and skips them without a word.`,
    fix: `Trust them in Codex with /hooks, or write their hashes into ${config?.path ?? 'config.toml'} with: ${again}`,
  };
}

async function failing(found: readonly Found[], { call }: Trying): Promise<Wrong | undefined> {
  for (const { calls, file } of found)
    for (const one of calls) {
      const why = await call(one);
      if (why === undefined) continue;
      const words = typeof one === 'string' ? one : one.join(' ');
      return {
        text: `${file.path} calls ${words}, which ${why}.`,
        fix: `Run that command and see what it says, or write it anew with: ${file.root === null ? 'staffetta init' : 'staffetta init --project'}`,
      };
    }
  return undefined;
}

interface Servers {
  readonly files: readonly ReadFile[];
  readonly homes: Homes;
  readonly plugin: PluginOn | undefined;
  readonly trying: Trying;
  readonly isSetUp: boolean;
}

async function serverSaid(name: RuntimeName, servers: Servers): Promise<Said> {
  const { files, homes, plugin, trying, isSetUp } = servers;
  const found = serverFor(name, files, homes.root);
  const kept = keptTools(name, files);
  if (kept !== undefined && found !== undefined) {
    const which = kept.tools.length === toolNames.length ? 'all tools' : kept.tools.join(', ');
    return {
      status: 'wrong',
      text: `${kept.setting} in ${kept.path} keeps ${which} of the server from being called.`,
      fix: 'Change that there if they shall be called.',
    };
  }
  if (found === undefined && plugin !== undefined) return broughtBy(plugin);
  if (found === undefined)
    return {
      status: isSetUp ? 'wrong' : 'untried',
      text: isSetUp ? 'It has the hooks, but is not told of the MCP server.' : 'not set up',
      fix: 'Set it up with: staffetta init',
    };
  const { path, start, held, leave } = found;
  if (held !== undefined)
    return { status: 'wrong', text: `The server in ${path} is not started: ${held.why}.`, fix: held.fix };
  if (start === null)
    return { status: 'untried', text: `the server in ${path} is not a program on this machine` };
  const { status, text, fix } = await trying.ask({ ...start, cwd: homes.root });
  if (status === 'ok' && leave !== undefined)
    return {
      status: 'untried',
      text: `${path}: ${text}; but its tools are called only after somebody was asked, and not at all where nobody can be`,
      fix: `If they shall be called unasked: ${leave}, which staffetta init writes.`,
    };
  return { status, text: `${path}: ${text}`, ...defined({ fix }) };
}

/** opencode fetches a package from npm before it runs a first plugin, and waits for that. */
function pluginFinding(found: readonly Found[]): Finding[] {
  return found.flatMap(({ file }): Finding[] => {
    if (file.kind !== 'opencode-plugin') return [];
    const folder = dirname(dirname(file.path));
    const check = 'opencode-plugin';
    if (existsSync(join(folder, 'node_modules', '@opencode-ai', 'plugin')))
      return [{ check, status: 'ok', text: `what opencode needs for plugins is in ${folder}` }];
    return [
      {
        check,
        status: 'untried',
        text: `opencode has yet to fetch @opencode-ai/plugin into ${folder}; without a network its start waits for that, for minutes`,
        fix: 'Start opencode once with a network.',
      },
    ];
  });
}
