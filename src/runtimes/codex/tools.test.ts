import { expect, test } from 'vitest';
import type { JsonObject } from '../../core/transcript/step.ts';
import { toOwnTool } from './tools.ts';

const own = (tool: string, args: JsonObject): unknown => {
  const mapped = toOwnTool({ id: '1', tool, args });
  return [mapped.tool, mapped.args, mapped.dropped];
};

test.each([
  ['Bash', { command: 'ls', description: 'List', timeout: 5 }, ['exec_command', { cmd: 'ls' }, 2]],
  ['run_shell_command', { command: 'ls', dir_path: '/a' }, ['exec_command', { cmd: 'ls', workdir: '/a' }, 0]],
  ['bash', { command: 'ls', workdir: '/a' }, ['exec_command', { cmd: 'ls', workdir: '/a' }, 0]],
  ['shell', { command: ['bash', '-lc', 'ls | wc'] }, ['exec_command', { cmd: 'ls | wc' }, 0]],
  ['shell', { command: ['ls', '-l'] }, ['exec_command', { cmd: 'ls -l' }, 0]],
])('%s with %j is a command of the own shell', (tool, args, expected) => {
  expect(own(tool, args)).toEqual(expected);
});

test.each([
  ['exec_command', { cmd: 'ls', yield_time_ms: 5 }],
  ['Write', { file_path: '/a', content: 'x' }],
  ['Bash', { script: 'ls' }],
])('%s with %j stays as it is', (tool, args) => {
  expect(own(tool, args)).toEqual([tool, args, 0]);
});

test('a name that the service would refuse is made one that it takes', () => {
  expect(own('web.run/x', {})).toEqual(['web_run_x', {}, 0]);
  expect(own('', {})).toEqual(['unknown', {}, 0]);
});
