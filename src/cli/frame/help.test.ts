import { describe, expect, test } from 'vitest';
import { commands } from './commands.ts';
import { showHelp } from './help.ts';
import { createOutput } from './output.ts';
import type { CommandSpec } from './spec.ts';

function help(command?: CommandSpec, env: NodeJS.ProcessEnv = {}, all = true): string {
  let said = '';
  const stream = { write: (text: string) => (said += text) !== '' } as unknown as NodeJS.WriteStream;
  const output = createOutput({ stdout: stream, stderr: stream }, { json: false, quiet: false, env });
  showHelp(command, output, { all });
  return said;
}

describe('help', () => {
  test.each(commands)('$name tells its usage, its options and how it is used', (command) => {
    const text = help(command);
    expect(text).toContain(`Usage\n  staffetta ${command.name}`);
    for (const example of command.examples) expect(text).toContain(`  ${example}\n`);
    for (const option of Object.keys(command.options ?? {})) expect(text).toContain(`--${option}`);
    for (const argument of command.arguments ?? []) expect(text).toContain(argument.name);
  });

  test.each(commands)('$name is explained in 80 columns', (command) => {
    const lines = help(command).split('\n');
    const examples = new Set(command.examples.map((example) => `  ${example}`));
    expect(lines.filter((line) => line.length > 80 && !examples.has(line))).toEqual([]);
  });

  test('the overview names every command once and fits a narrow terminal', () => {
    const text = help(undefined, { COLUMNS: '60' });
    expect(text.split('\n').filter((line) => line.length > 60)).toEqual([]);
    for (const { name } of commands) expect(text.match(new RegExp(`^ {2}${name} `, 'gm'))).toHaveLength(1);
  });

  test('the short list names fifteen commands that there are, in four groups', () => {
    const text = help(undefined, { COLUMNS: '40' }, false);
    const named = commands.filter(({ name }) => new RegExp(`^ {2}${name} `, 'm').test(text));
    expect(named).toHaveLength(15);
    expect(text.split('\n').filter((line) => line.length > 60)).toEqual([]);
    expect(text).toContain('--help --all');
  });

  test('the overview lists the exit codes', () => {
    for (const code of ['0 ok', '2 usage', '5 conflict', '9 integrity', '130 interrupted'])
      expect(help().replaceAll('\n', ' ')).toContain(code);
  });
});
