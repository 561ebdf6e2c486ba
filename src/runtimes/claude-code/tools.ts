/**
 * Tools of other programs that Claude Code has as well, under its own names, so that a model goes on with the tools it is offered.
 * A call that does not fit the table keeps its name: the program sends unknown names as they are.
 */
import { joinCommand } from '../../core/base/command-line.ts';
import { severalRuntimes } from '../../core/transcript/one-history.ts';
import type { Call, Json, JsonObject } from '../../core/transcript/step.ts';

interface Mapping {
  readonly tool: string;
  /** Their argument by ours. */
  readonly args: Readonly<Record<string, readonly string[]>>;
  readonly needs: readonly string[];
}

const shell = (...names: string[]): Mapping => ({
  tool: 'Bash',
  args: { command: names, description: ['description'] },
  needs: ['command'],
});
const readFile = (...names: string[]): Mapping => ({
  tool: 'Read',
  args: { file_path: names, offset: ['offset'], limit: ['limit'] },
  needs: ['file_path'],
});
const writeFile = (...names: string[]): Mapping => ({
  tool: 'Write',
  args: { file_path: names, content: ['content'] },
  needs: ['file_path', 'content'],
});
const editFile = (file: string, before: string, after: string, all: string): Mapping => ({
  tool: 'Edit',
  args: { file_path: [file], old_string: [before], new_string: [after], replace_all: [all] },
  needs: ['file_path', 'old_string', 'new_string'],
});

const mappings: Readonly<Record<string, ReadonlyMap<string, Mapping>>> = {
  codex: new Map([
    ['exec_command', shell('cmd')],
    ['shell_command', shell('command')],
    ['shell', shell('command')],
    ['local_shell', shell('command')],
  ]),
  'gemini-cli': new Map([
    ['run_shell_command', shell('command')],
    ['read_file', readFile('file_path', 'absolute_path')],
    ['write_file', writeFile('file_path')],
    ['replace', editFile('file_path', 'old_string', 'new_string', 'allow_multiple')],
  ]),
  opencode: new Map([
    ['bash', shell('command')],
    ['read', readFile('filePath')],
    ['write', writeFile('filePath')],
    ['edit', editFile('filePath', 'oldString', 'newString', 'replaceAll')],
  ]),
};

export interface Mapped {
  readonly tool: string;
  readonly args: JsonObject;
  /** Arguments that the own tool does not have. */
  readonly dropped: number;
}

/** No two programs use one name for different things, so that a name alone tells where calls of several are mixed. */
function mappingOf(tool: string, runtime: string): Mapping | undefined {
  if (runtime === severalRuntimes)
    return Object.values(mappings)
      .find((known) => known.has(tool))
      ?.get(tool);
  return Object.hasOwn(mappings, runtime) ? mappings[runtime]?.get(tool) : undefined;
}

export function mapped(call: Call, runtime: string): Mapped {
  if (call.raw !== undefined) return { tool: call.tool, args: { input: call.raw }, dropped: 0 };
  const mapping = mappingOf(call.tool, runtime);
  const asIs = { tool: call.tool, args: call.args, dropped: 0 };
  if (mapping === undefined) return asIs;
  const args: Record<string, Json> = {};
  for (const [ours, theirs] of Object.entries(mapping.args)) {
    const name = theirs.find((each) => Object.hasOwn(call.args, each));
    const value = name === undefined ? undefined : call.args[name];
    if (value !== undefined && value !== null) args[ours] = ours === 'command' ? commandOf(value) : value;
  }
  if (!mapping.needs.every((name) => typeof args[name] === 'string')) return asIs;
  return { tool: mapping.tool, args, dropped: Object.keys(call.args).length - Object.keys(args).length };
}

/** Some give a command as a list of words: the shell's own `-c` is unwrapped, other words are quoted where they must be. */
function commandOf(value: Json): Json {
  if (!Array.isArray(value) || !value.every((word) => typeof word === 'string')) return value;
  const words: readonly string[] = value;
  const [program, option, script] = words;
  if (
    words.length === 3 &&
    script !== undefined &&
    /(^|\/)(ba|z|da)?sh$/.test(program ?? '') &&
    /^-l?c$/.test(option ?? '')
  )
    return script;
  return joinCommand(words);
}
