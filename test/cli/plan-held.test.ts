/** A plan is checked against what holds on this machine: which permissions a program can be held to depends on lane and mode. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { expect, test } from 'vitest';
import { newRepository, staffetta, type Ran } from './command.ts';

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
