/** The manifests of the plugin, judged by the programs that read them. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { agents } from './agents/all.ts';
import { answerHere, toldOf } from './hooked.ts';
import { failure, programs, proves } from './lab.ts';
import { Machine } from './machine.ts';
import { FakeModel } from './model/fake-model.ts';
import { start, type Ended } from './running.ts';

const root = join(import.meta.dirname, '../..');
const nowhere = 'http://127.0.0.1:9';

async function said(machine: Machine, program: string, ...args: readonly string[]): Promise<Ended> {
  const ended = await start({ program, args, cwd: machine.work, env: machine.env }).ended;
  if (ended.status !== 0) throw new Error(failure(`${program} ${args.join(' ')}`, ended));
  return ended;
}

/** The package as npm installs it, in the work of the machine. */
function installed(machine: Machine): string {
  const path = join(machine.work, 'node_modules/staffetta');
  mkdirSync(path, { recursive: true });
  const args = ['pack', '--silent', '--ignore-scripts', '--pack-destination', machine.root];
  const packed = execFileSync('npm', args, {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const archive = join(machine.root, packed.trim());
  execFileSync('tar', ['-xzf', archive, '--strip-components', '1', '-C', path]);
  return path;
}

test('Claude Code finds nothing wrong with the plugin of the package, and installs it', async (context) => {
  proves(context, { kind: 'plugin', from: 'claude-code' });
  using machine = Machine.create(programs, nowhere);
  const path = installed(machine);
  for (const judged of [join(path, 'plugin'), path])
    expect((await said(machine, 'claude', 'plugin', 'validate', '--strict', judged)).stdout).toContain(
      'Validation passed',
    );
  await said(machine, 'claude', 'plugin', 'marketplace', 'add', path);
  await said(machine, 'claude', 'plugin', 'install', 'staffetta@staffetta');
  const { stdout } = await said(machine, 'claude', 'plugin', 'list');
  expect(stdout).toMatch(/staffetta@staffetta[\s\S]*enabled/);
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

test('Codex installs the plugin of the package', async (context) => {
  proves(context, { kind: 'plugin', from: 'codex' });
  using machine = Machine.create(programs, nowhere);
  const enabled = ['--enable', 'plugins', 'plugin'];
  await said(machine, 'codex', ...enabled, 'marketplace', 'add', installed(machine));
  await said(machine, 'codex', ...enabled, 'add', 'staffetta@staffetta');
  const { stdout } = await said(machine, 'codex', ...enabled, 'list');
  expect(stdout).toMatch(/staffetta@staffetta\s+installed, enabled/);
});

test('Copilot CLI installs the plugin of the package, and its hooks greet a session', async (context) => {
  proves(context, { kind: 'plugin', from: 'copilot-cli' });
  await using model = await FakeModel.start({ text: 'I see it.' });
  using machine = Machine.create(programs, model.origin);
  const path = installed(machine);
  await said(machine, 'copilot', 'plugin', 'marketplace', 'add', path);
  await said(machine, 'copilot', 'plugin', 'install', 'staffetta@staffetta');
  const goal = 'The import of users takes less than 4 seconds';
  await answerHere(machine, 'open', goal, '--as', 'ada');
  const command = join(machine.root, 'bin/staffetta');
  mkdirSync(dirname(command));
  const launcher = join(root, 'bin/staffetta.cjs');
  writeFileSync(command, `#!/bin/sh\nexec '${process.execPath}' '${launcher}' "$@"\n`, { mode: 0o755 });
  const env = { ...machine.env, PATH: `${dirname(command)}:${machine.env['PATH'] ?? ''}` };
  const { ask, command: program } = agents['copilot-cli'];
  const ended = await start({ program, args: ask, stdin: 'What is there?', cwd: machine.work, env }).ended;
  if (ended.status !== 0) throw new Error(failure(program, ended));
  expect(toldOf(model, goal)).toEqual([true]);
});
