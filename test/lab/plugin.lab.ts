/** The manifests of the plugin, judged by the programs that read them. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { failure, programs, proves } from './lab.ts';
import { Machine } from './machine.ts';
import { start, type Ended } from './running.ts';

const root = join(import.meta.dirname, '../..');
const nowhere = 'http://127.0.0.1:9';

async function said(machine: Machine, program: string, ...args: readonly string[]): Promise<Ended> {
  const ended = await start({ program, args, cwd: machine.work, env: machine.env }).ended;
  if (ended.status !== 0) throw new Error(failure(`${program} ${args.join(' ')}`, ended));
  return ended;
}

test('Claude Code finds nothing wrong with the plugin and its marketplace', async (context) => {
  proves(context, { kind: 'plugin', from: 'claude-code' });
  using machine = Machine.create(programs, nowhere);
  for (const path of [join(root, 'plugin'), root])
    expect((await said(machine, 'claude', 'plugin', 'validate', '--strict', path)).stdout).toContain(
      'Validation passed',
    );
});

test('Gemini CLI finds nothing wrong with the extension', async (context) => {
  proves(context, { kind: 'plugin', from: 'gemini-cli' });
  using machine = Machine.create(programs, nowhere);
  const { stdout, stderr } = await said(
    machine,
    'gemini',
    'extensions',
    'validate',
    join(root, 'plugin/gemini-cli'),
  );
  expect(stdout + stderr).toContain('successfully validated');
});

test('Codex installs the plugin from its marketplace', async (context) => {
  proves(context, { kind: 'plugin', from: 'codex' });
  using machine = Machine.create(programs, nowhere);
  const enabled = ['--enable', 'plugins', 'plugin'];
  await said(machine, 'codex', ...enabled, 'marketplace', 'add', root);
  await said(machine, 'codex', ...enabled, 'add', 'staffetta@staffetta');
  const { stdout } = await said(machine, 'codex', ...enabled, 'list');
  expect(stdout).toMatch(/staffetta@staffetta\s+installed, enabled/);
});
