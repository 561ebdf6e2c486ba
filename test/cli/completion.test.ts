/** The scripts are read by their shells, and bash is asked what it would offer. */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { commands } from '../../src/cli/frame/commands.ts';
import { notProven } from '../faults/not-proven.ts';
import { newFolder, staffetta } from './command.ts';

function has(shell: string): boolean {
  return spawnSync(shell, ['-c', 'exit 0']).status === 0;
}

/** What bash offers for the last of these words. */
function offered(script: string, ...words: string[]): string[] {
  const line = ['staffetta', ...words].map((word) => `'${word}'`).join(' ');
  const asked = spawnSync(
    'bash',
    [
      '--norc',
      '-c',
      `source '${script}'; staffetta() { echo '{"tasks":[{"task":"t0123456789ab"}]}'; }
       COMP_WORDS=(${line}); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); _staffetta; printf '%s\\n' "\${COMPREPLY[@]}"`,
    ],
    { encoding: 'utf8' },
  );
  expect(asked.stderr).toBe('');
  return asked.stdout.split('\n').filter((word) => word !== '');
}

describe('completion', () => {
  test.for(['bash', 'zsh', 'fish'])('%s can read its script', async (shell, { skip }) => {
    const file = join(newFolder(), `staffetta.${shell}`);
    const ran = await staffetta(['completion', shell]);
    writeFileSync(file, ran.stdout);
    expect(commands.every(({ name }) => ran.stdout.includes(name))).toBe(true);
    if (!has(shell)) {
      notProven(`that ${shell} can read its completion script`, `there is no ${shell} here`);
      skip();
    }
    const read = spawnSync(shell, ['-n', file], { encoding: 'utf8' });
    expect({ status: read.status, stderr: read.stderr }).toEqual({ status: 0, stderr: '' });
  });

  test.runIf(has('bash'))('bash offers commands, options, closed sets and tasks', async () => {
    const script = join(newFolder(), 'staffetta.bash');
    writeFileSync(script, (await staffetta(['completion', 'bash'])).stdout);
    expect(offered(script, 'han')).toEqual(['handoff']);
    expect(offered(script, 'handoff', '--tri')).toEqual(['--trigger']);
    expect(offered(script, 'take', '--lane', '')).toEqual(['plan', 'execute', 'audit', 'supervise']);
    expect(offered(script, 'show', 't0')).toEqual(['t0123456789ab']);
  });

  test('a shell nobody knows is refused with those that are', async () => {
    const ran = await staffetta(['completion', 'tcsh']);
    expect(ran.status).toBe(2);
    expect(ran.stderr).toContain('One of: bash, zsh, fish');
  });
});
