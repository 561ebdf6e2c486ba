/**
 * Which of its own tools Codex has for a call of another program. It has a shell and nothing else of the kind: files are read with
 * commands, and whether there is an `apply_patch` depends on the model. Other calls keep their names; the model reads them as history.
 */
import { defined } from '../../core/base/defined.ts';
import type { Call, JsonObject } from '../../core/transcript/step.ts';

export const shellTool = 'exec_command';

const shells = new Set([
  'Bash',
  'bash',
  'run_shell_command',
  'shell',
  'shell_command',
  'local_shell',
  'container.exec',
]);
/** What others call the folder a command runs in. */
const folderNames = ['workdir', 'working_directory', 'dir_path', 'directory', 'cwd'];
const commandNames = ['command', 'cmd'];

export interface Mapped {
  readonly tool: string;
  readonly args: JsonObject;
  readonly raw?: string;
  /** Options of the call that the own tool does not have. */
  readonly dropped: number;
}

export function toOwnTool(call: Call): Mapped {
  const command = shells.has(call.tool) && call.raw === undefined ? commandIn(call.args) : null;
  if (command === null) {
    const raw = call.raw === undefined ? {} : { raw: call.raw };
    return { tool: nameFor(call.tool), args: call.args, ...raw, dropped: 0 };
  }
  const folder = folderNames.map((name) => call.args[name]).find((value) => typeof value === 'string');
  const args: JsonObject = { cmd: command, ...defined({ workdir: folder }) };
  return {
    tool: shellTool,
    args,
    dropped: Object.keys(call.args).filter(
      (name) => !commandNames.includes(name) && !(folderNames.includes(name) && folder === call.args[name]),
    ).length,
  };
}

/** A command as a text, also where it was given as the words that start a shell. */
function commandIn(args: JsonObject): string | null {
  for (const name of commandNames) {
    const value = args[name];
    if (typeof value === 'string') return value;
    if (!Array.isArray(value)) continue;
    const [, option, script] = value as readonly unknown[];
    if (value.length === 3 && (option === '-lc' || option === '-c') && typeof script === 'string')
      return script;
  }
  return null;
}

/** The service takes letters, digits, `_` and `-`, and 64 of them. */
export function nameFor(tool: string): string {
  const name = tool.replaceAll(/[^A-Za-z0-9_-]/g, '_').slice(0, 64);
  return name === '' ? 'unknown' : name;
}
