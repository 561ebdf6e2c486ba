/**
 * The program's own tools by what they do, with the names of their arguments, and what other programs call the same. A call
 * that has no counterpart keeps its name: the program replays history under any name.
 */
import { joinCommand } from '../../core/base/command-line.ts';
import type { Call, Json, JsonObject } from '../../core/transcript/step.ts';

interface Tool {
  readonly name: string;
  /** Ours ← what others call it, the first that is there. */
  readonly args: Readonly<Record<string, readonly string[]>>;
  /** Without these the call is not the same, and keeps its name. */
  readonly needs: readonly string[];
}

const path = ['filePath', 'file_path', 'path', 'absolute_path'];
const shell: Tool = {
  name: 'bash',
  args: {
    command: ['command', 'cmd', 'script'],
    description: ['description', 'justification'],
    workdir: ['workdir', 'cwd', 'dir_path', 'directory'],
  },
  needs: ['command'],
};
const read: Tool = {
  name: 'read',
  args: { filePath: path, offset: ['offset'], limit: ['limit'] },
  needs: ['filePath'],
};
const write: Tool = {
  name: 'write',
  args: { filePath: path, content: ['content', 'contents', 'text'] },
  needs: ['filePath', 'content'],
};
const edit: Tool = {
  name: 'edit',
  args: {
    filePath: path,
    oldString: ['oldString', 'old_string', 'old_str'],
    newString: ['newString', 'new_string', 'new_str'],
    replaceAll: ['replaceAll', 'replace_all'],
  },
  needs: ['filePath', 'oldString', 'newString'],
};

const others: ReadonlyMap<string, Tool> = new Map([
  ...['bash', 'Bash', 'exec_command', 'shell', 'shell_command', 'local_shell', 'run_shell_command'].map(
    (name) => [name, shell] as const,
  ),
  ...['read', 'Read', 'read_file'].map((name) => [name, read] as const),
  ...['write', 'Write', 'write_file'].map((name) => [name, write] as const),
  ...['edit', 'Edit', 'replace'].map((name) => [name, edit] as const),
]);

export interface OwnCall {
  readonly tool: string;
  readonly input: JsonObject;
}

/** Arguments that have no counterpart are kept under their own names. */
export function ownCall({ tool, args }: Pick<Call, 'tool' | 'args'>): OwnCall {
  const own = others.get(tool);
  if (own === undefined) return { tool, input: args };
  const used = new Set<string>();
  const input: [string, Json][] = [];
  for (const [name, names] of Object.entries(own.args)) {
    const found = names.find((other) => Object.hasOwn(args, other));
    const value = found === undefined ? undefined : args[found];
    if (found === undefined || value === undefined) continue;
    used.add(found);
    input.push([name, name === 'command' ? commandText(value) : value]);
  }
  const rest = Object.entries(args).filter(([name]) => !used.has(name) && !Object.hasOwn(own.args, name));
  const whole = Object.fromEntries([...input, ...rest]);
  const fits = own.needs.every((name) => typeof whole[name] === 'string');
  return fits ? { tool: own.name, input: whole } : { tool, input: args };
}

/** Some programs keep a command as a list: `["bash","-lc","ls"]`, or its words. */
function commandText(value: Json): Json {
  if (!Array.isArray(value)) return value;
  const words = value.map(String);
  const [first = '', flag = ''] = words;
  if (/(?:^|\/)(?:ba|z|da)?sh$/.test(first) && /^-[a-z]*c$/.test(flag) && words.length === 3) {
    return words[2] ?? '';
  }
  return joinCommand(words);
}
