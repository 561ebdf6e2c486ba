import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../core/transcript/step.ts';
import { mapped } from './tools.ts';

const as = (runtime: string, tool: string, args: JsonObject) => mapped({ id: 'c', tool, args }, runtime);

describe('tools of other programs', () => {
  test.each([
    ['codex', 'exec_command', { cmd: 'ls' }, 'Bash', { command: 'ls' }],
    ['codex', 'shell', { command: ['bash', '-lc', 'ls | wc'] }, 'Bash', { command: 'ls | wc' }],
    ['codex', 'shell', { command: ['echo', "it's", 'a.txt'] }, 'Bash', { command: `echo 'it'\\''s' a.txt` }],
    [
      'gemini-cli',
      'run_shell_command',
      { command: 'ls', description: 'd' },
      'Bash',
      { command: 'ls', description: 'd' },
    ],
    ['gemini-cli', 'read_file', { absolute_path: '/a', limit: 5 }, 'Read', { file_path: '/a', limit: 5 }],
    [
      'gemini-cli',
      'write_file',
      { file_path: '/a', content: 'x' },
      'Write',
      { file_path: '/a', content: 'x' },
    ],
    [
      'gemini-cli',
      'replace',
      { file_path: '/a', old_string: 'x', new_string: '' },
      'Edit',
      { file_path: '/a', old_string: 'x', new_string: '' },
    ],
    ['opencode', 'bash', { command: 'ls' }, 'Bash', { command: 'ls' }],
    ['opencode', 'read', { filePath: '/a' }, 'Read', { file_path: '/a' }],
    ['opencode', 'write', { filePath: '/a', content: '' }, 'Write', { file_path: '/a', content: '' }],
    [
      'opencode',
      'edit',
      { filePath: '/a', oldString: 'x', newString: 'y', replaceAll: true },
      'Edit',
      { file_path: '/a', old_string: 'x', new_string: 'y', replace_all: true },
    ],
  ])('%s: %s %o becomes %s', (runtime, tool, args, own, ownArgs) => {
    expect(as(runtime, tool, args)).toEqual({ tool: own, args: ownArgs, dropped: 0 });
  });

  test('an argument that has no place is counted', () => {
    expect(as('codex', 'exec_command', { cmd: 'ls', workdir: '/x', yield_time_ms: 5 })).toMatchObject({
      dropped: 2,
    });
  });

  test('a call that does not fit keeps its name and arguments', () => {
    for (const args of [{}, { cmd: 7 }, { cmd: null }, { command: 'ls' }])
      expect(as('codex', 'exec_command', args)).toEqual({ tool: 'exec_command', args, dropped: 0 });
  });

  test('a tool that is the same by name only in another program is left alone', () => {
    expect(as('claude-code', 'Bash', { command: 'ls' })).toMatchObject({ tool: 'Bash' });
    expect(as('gemini-cli', 'bash', { command: 'ls' })).toMatchObject({ tool: 'bash' });
    expect(as('__proto__', 'toString', {})).toMatchObject({ tool: 'toString' });
  });
});

test('calls of several programs are known by their names', () => {
  const call = { id: 'c', tool: 'run_shell_command', args: { command: 'ls' } };
  expect(mapped(call, 'several')).toMatchObject({ tool: 'Bash', args: { command: 'ls' } });
  expect(mapped({ ...call, tool: 'unheard_of' }, 'several').tool).toBe('unheard_of');
});
