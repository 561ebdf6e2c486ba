/** The tool of each program that runs a command in a shell, and how it is called. */
import type { RuntimeName } from '../../../src/ports/runtime.ts';
import { field, list } from './json.ts';

interface Shell {
  readonly tool: string;
  args(command: string): Readonly<Record<string, unknown>>;
  /** Undefined where it is no call of this tool. */
  command(args: unknown): unknown;
}

const described = (tool: string): Shell => ({
  tool,
  args: (command) => ({ command, description: 'Runs a command of the lab' }),
  command: (args) => field(args, 'command'),
});

export const shells: Readonly<Record<RuntimeName, Shell>> = {
  'claude-code': described('Bash'),
  cline: {
    tool: 'run_commands',
    args: (command) => ({ commands: [command] }),
    command: (args) => list(field(args, 'commands'))[0],
  },
  codex: { tool: 'exec_command', args: (cmd) => ({ cmd }), command: (args) => field(args, 'cmd') },
  'copilot-cli': described('bash'),
  'gemini-cli': described('run_shell_command'),
  opencode: described('bash'),
  'qwen-code': described('run_shell_command'),
};

/** The shell among the tools on offer. */
export function shellIn(tools: readonly string[]): Shell | undefined {
  return Object.values(shells).find(({ tool }) => tools.includes(tool));
}
