/** The links from one coding agent to us, followed as the agent itself would: its settings, the hooks in them, the MCP server in them. */
import { defined } from '../../../core/base/defined.ts';
import { existsSync } from 'node:fs';
import { isStaffettaError } from '../../../core/base/error.ts';
import type { RuntimeName } from '../../../ports/runtime.ts';
import { readTextAt } from '../../../setup/edit/file-bytes.ts';
import { NotJson } from '../../../setup/edit/json-tree.ts';
import { NotToml } from '../../../setup/edit/toml-pieces.ts';
import {
  scopes,
  type AgentSetup,
  type FoundIn,
  type Homes,
  type PluginOn,
  type Wrong,
} from '../../../setup/forms/agent-setup.ts';
import { toolNames } from '../../../setup/forms/entries.ts';
import { keptTools } from '../../../setup/forms/kept-tools.ts';
import { parseSettings, type ReadSettings } from '../../../setup/forms/settings-files.ts';
import { plannedFiles } from '../../../setup/plan.ts';
import { counted } from '../../pages/words.ts';
import type { DoctorFinding } from './doctor-finding.ts';
import type { McpFinding, McpStart } from './doctor-mcp.ts';

export interface Trying {
  readonly ask: (start: McpStart) => Promise<McpFinding>;
  /** Calls a hook; says what is wrong with it. */
  readonly call: (call: string | readonly string[]) => Promise<string | undefined>;
  readonly env: NodeJS.ProcessEnv;
}

type Said = Pick<DoctorFinding, 'status' | 'text' | 'fix'>;

export async function linkFindings(
  name: RuntimeName,
  homes: Homes,
  trying: Trying,
): Promise<DoctorFinding[]> {
  const read = readAll(name, homes);
  if ('wrong' in read)
    return [
      { check: `${name}-hooks`, ...read.wrong },
      { check: `${name}-mcp`, status: 'untried', text: 'not tried: its settings cannot be read' },
    ];
  const { files } = read;
  const setup = homes.setups[name];
  const found = foundHooks(name, homes);
  const plugin = setup.plugin?.(files, homes);
  return [
    { check: `${name}-hooks`, ...(await hooksSaid(setup, { found, files, plugin, trying })) },
    {
      check: `${name}-mcp`,
      ...(await serverSaid(setup, { files, homes, plugin, trying, isSetUp: found.length > 0 })),
    },
    ...found.flatMap(({ file }) => setup.finding?.(file) ?? []),
  ];
}

/** Every file that the program reads. One that makes no sense keeps it from starting, or is passed over without a word. */
function readAll(
  name: RuntimeName,
  homes: Homes,
): { readonly files: readonly ReadSettings[] } | { readonly wrong: Said } {
  const files: ReadSettings[] = [];
  const { settings: settingsFiles, isRead = () => true } = homes.setups[name];
  for (const file of settingsFiles(homes.homes[name] ?? '', homes)) {
    try {
      const text = readTextAt(file.path);
      if (text !== null) files.push({ ...file, settings: parseSettings(file.path, text) });
    } catch (error) {
      if (!(isStaffettaError(error) || error instanceof NotJson || error instanceof NotToml)) throw error;
      const said = error.message.includes(file.path) ? error.message : `${file.path}: ${error.message}.`;
      return {
        wrong: { status: 'wrong', text: said, fix: `Put that file right; ${name} cannot read it either.` },
      };
    }
  }
  return { files: files.filter((file) => isRead(file, files, homes.root)) };
}

function foundHooks(name: RuntimeName, homes: Homes): FoundIn[] {
  const files = scopes.flatMap((scope) => plannedFiles(name, scope, homes));
  return files.flatMap((file) => {
    const hooks = file.form.hooksIn?.(file.path, readTextAt(file.path) ?? '');
    return hooks === undefined ? [] : [{ ...hooks, file }];
  });
}

interface Hooks {
  readonly found: readonly FoundIn[];
  readonly files: readonly ReadSettings[];
  readonly plugin: PluginOn | undefined;
  readonly trying: Trying;
}

async function hooksSaid(setup: AgentSetup, { found, files, plugin, trying }: Hooks): Promise<Said> {
  const [first] = found;
  if (first === undefined && plugin !== undefined) return broughtBy(plugin);
  if (first === undefined)
    return { status: 'untried', text: 'not set up', fix: 'Set it up with: staffetta init' };
  const wrong =
    wrongWith(found) ??
    (plugin === undefined ? undefined : doubled(first, plugin)) ??
    offIn(setup, files, trying.env) ??
    setup.distrusted?.(found, files) ??
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
  // Some keep a file for each.
  const together = found.filter(({ file }) => file.root === first.file.root);
  const events = together.reduce((sum, one) => sum + one.events, 0);
  return { status: 'ok', text: `${counted(events, 'event')} in ${where}` };
}

/** What a plugin brings lies where its program put it, and is not followed from here. */
function broughtBy({ path }: PluginOn): Said {
  return { status: 'untried', text: `brought by the plugin, which is on in ${path}; not tried` };
}

function doubled({ file: { path } }: FoundIn, plugin: PluginOn): Wrong {
  return {
    text: `Hooks are there twice: in ${path}, and in the plugin, which is on in ${plugin.path}.`,
    fix: `Keep one of them: ${plugin.remove}, or staffetta uninstall`,
  };
}

function wrongWith(found: readonly FoundIn[]): Wrong | undefined {
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

function offIn(setup: AgentSetup, files: readonly ReadSettings[], env: NodeJS.ProcessEnv): Wrong | undefined {
  if (env['STAFFETTA_HOOKS'] === 'off')
    return {
      text: 'Hooks are switched off by STAFFETTA_HOOKS=off in this environment.',
      fix: 'Take it out of the environment if you want them.',
    };
  const off = setup.switchedOff?.(files);
  if (off === undefined) return undefined;
  return {
    text: `Hooks are switched off by ${off.setting} in ${off.path}.`,
    fix: 'Switch them on there if you want them.',
  };
}

async function failing(found: readonly FoundIn[], { call }: Trying): Promise<Wrong | undefined> {
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
  readonly files: readonly ReadSettings[];
  readonly homes: Homes;
  readonly plugin: PluginOn | undefined;
  readonly trying: Trying;
  readonly isSetUp: boolean;
}

async function serverSaid(setup: AgentSetup, servers: Servers): Promise<Said> {
  const { files, homes, plugin, trying, isSetUp } = servers;
  const found = setup.server(files, homes.root);
  const kept = keptTools(files, setup.keepers);
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
