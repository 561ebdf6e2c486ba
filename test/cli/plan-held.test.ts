/** A plan is checked against what holds on this machine, and shown as it would go: which permissions a program can be held to depends on lane and mode. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { expect, test } from 'vitest';
import { newFolder, newRepository, staffetta, type Ran } from './command.ts';
import { fakePrograms } from './programs.ts';

/** Checked where Codex can be started, but not with its adapter. */
async function checked(agent: Readonly<Record<string, unknown>>): Promise<Ran> {
  const folder = newRepository();
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  writeFileSync(join(bin, 'codex'), '#!/bin/sh\n', { mode: 0o755 });
  const plan = {
    goal: 'a fence',
    tasks: { paint: { goal: 'it is green', agent: 'code', review: 'human' } },
    crew: { agents: { code: { lane: 'execute', runtime: 'codex', ...agent } } },
  };
  writeFileSync(join(folder, 'plan.json'), JSON.stringify(plan));
  const env = { PATH: [bin, process.env['PATH'] ?? ''].join(delimiter) };
  return await staffetta(['plan', 'plan.json'], { cwd: folder, env });
}

test('a prohibition that nothing holds a program to keeps the plan from running', async () => {
  const { stdout, status } = await checked({ permissions: { execute: 'deny' } });
  expect(stdout).toContain('Agent code is told execute: deny, and nothing holds codex to it.');
  expect(status).not.toBe(0);
});

test('one that it is held to does not', async () => {
  const { stdout, status } = await checked({ permissions: { network: 'deny' } });
  expect(stdout).not.toContain('nothing holds');
  expect(status).toBe(0);
  const full = await checked({ permissions: { network: 'deny' }, mode: 'danger-full-access' });
  expect(full.stdout).toContain('Agent code is told network: deny, and nothing holds codex to it.');
});

test('says what starts first, for whom each task waits, who reviews, and who is there for it', async () => {
  const folder = newRepository();
  const { env } = fakePrograms(newFolder(), ['claude-code', 'codex'], '');
  const plan = {
    goal: 'a fence',
    defaults: { review: 'lane:audit' },
    tasks: {
      dig: { goal: 'there are holes' },
      build: { goal: 'it stands', needs: 'dig' },
      paint: { goal: 'it is green', needs: 'build', review: 'human' },
      look: { goal: 'the report says how it looks', needs: 'paint', review: {}, acceptance: ['it is read'] },
    },
  };
  writeFileSync(join(folder, 'plan.json'), JSON.stringify(plan));
  const { stdout } = await staffetta(['plan', 'plan.json'], { cwd: folder, env });
  expect(stdout.split('\n')).toEqual([
    'plan.json: 4 tasks, no faults.',
    '  dig starts with claude-code',
    '  build waits for dig',
    '  paint waits for build',
    '  look waits for paint',
    '  dig, build: reviewed by claude-code-audit or codex-audit, in another program than the author’s',
    '  paint: reviewed by a person',
    '  look: reviewed by nobody, done when what proves it has passed',
    'Crew, of what is installed: execute claude-code, codex; audit claude-code-audit, codex-audit; plan claude-code-plan. Another: --crew FILE',
    '',
  ]);
});
