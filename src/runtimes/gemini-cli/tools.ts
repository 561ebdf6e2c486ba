/**
 * Calls of other programs as calls of Gemini CLI's own tools, where it has the same one: then the model meets names that it is
 * offered. Only arguments with the same meaning are carried, and nothing is made up; a tool that is not listed keeps its name.
 */
import { severalRuntimes } from '../../core/transcript/one-history.ts';
import type { Call, Json, JsonObject } from '../../core/transcript/step.ts';

interface Renaming {
  readonly tool: string;
  /** Theirs to ours; the first must be there. */
  readonly args: Readonly<Record<string, string>>;
  /** What says how to wait for a call and not what it does; a call with any other argument keeps its name. */
  readonly drop?: readonly string[];
}

const shell = 'run_shell_command';

const table: Readonly<Record<string, Readonly<Record<string, Renaming>>>> = {
  'claude-code': {
    Bash: {
      tool: shell,
      args: { command: 'command', description: 'description' },
      drop: ['timeout', 'run_in_background', 'dangerouslyDisableSandbox'],
    },
    Read: { tool: 'read_file', args: { file_path: 'file_path' } },
    Write: { tool: 'write_file', args: { file_path: 'file_path', content: 'content' } },
    Edit: {
      tool: 'replace',
      args: {
        file_path: 'file_path',
        old_string: 'old_string',
        new_string: 'new_string',
        replace_all: 'allow_multiple',
      },
    },
  },
  codex: {
    exec_command: {
      tool: shell,
      args: { cmd: 'command', workdir: 'dir_path' },
      drop: [
        'yield_time_ms',
        'max_output_tokens',
        'shell',
        'login',
        'tty',
        'justification',
        'sandbox_permissions',
        'prefix_rule',
      ],
    },
    shell_command: {
      tool: shell,
      args: { command: 'command', workdir: 'dir_path' },
      drop: ['timeout_ms', 'login', 'justification', 'sandbox_permissions'],
    },
  },
  opencode: {
    bash: {
      tool: shell,
      args: { command: 'command', description: 'description', workdir: 'dir_path' },
      drop: ['timeout'],
    },
    read: { tool: 'read_file', args: { filePath: 'file_path' } },
    write: { tool: 'write_file', args: { filePath: 'file_path', content: 'content' } },
    edit: {
      tool: 'replace',
      args: {
        filePath: 'file_path',
        oldString: 'old_string',
        newString: 'new_string',
        replaceAll: 'allow_multiple',
      },
    },
  },
};

export interface NativeCall {
  readonly tool: string;
  readonly args: JsonObject;
  /** Arguments that have no place in the target's tool. */
  readonly dropped: number;
}

/** No two programs use one name for different things, so that a name alone tells where calls of several are mixed. */
function renamingOf(tool: string, runtime: string): Renaming | undefined {
  const tables = runtime === severalRuntimes ? Object.values(table) : [];
  const own = Object.hasOwn(table, runtime) ? table[runtime] : undefined;
  const known = own ?? tables.find((each) => Object.hasOwn(each, tool));
  return known !== undefined && Object.hasOwn(known, tool) ? known[tool] : undefined;
}

export function nativeCall(runtime: string, call: Call): NativeCall {
  const tool = toolName(call.tool);
  if (call.raw !== undefined) return { tool, args: { input: call.raw }, dropped: 0 };
  const renaming = renamingOf(call.tool, runtime);
  const native = renaming === undefined ? null : renamed(call.args, renaming);
  return native ?? { tool, args: call.args, dropped: 0 };
}

function renamed(args: JsonObject, { tool, args: to, drop = [] }: Renaming): NativeCall | null {
  const [needed = ''] = Object.keys(to);
  if (typeof args[needed] !== 'string') return null;
  const result: Record<string, Json> = {};
  let dropped = 0;
  for (const [name, value] of Object.entries(args)) {
    const ours = Object.hasOwn(to, name) ? to[name] : undefined;
    if (ours !== undefined) result[ours] = value;
    else if (drop.includes(name)) dropped += 1;
    else return null;
  }
  return { tool, args: result, dropped };
}

/** The model's service accepts letters, digits and `_ . -`, at most 64 of them, and no digit first. */
function toolName(name: string): string {
  const plain = name.replace(/[^A-Za-z0-9_.-]/g, '_').slice(0, 64);
  return /^[A-Za-z_]/.test(plain) ? plain : `_${plain}`.slice(0, 64);
}
