/** Which runner an agent of a crew gets on a machine, and what holds it there. */
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { runnersHere, type RunnersHere } from '../../src/compose/runners.ts';
import type { CrewAgent } from '../../src/core/plan/crew.ts';

const top = mkdtempSync(join(tmpdir(), 'staffetta-runners-'));
afterAll(() => rmSync(top, { recursive: true, force: true }));

/** A machine on which these programs are. */
async function machine(...programs: readonly string[]): Promise<RunnersHere> {
  const home = mkdtempSync(join(top, 'home-'));
  const bin = join(home, 'bin');
  mkdirSync(bin);
  for (const program of programs) {
    writeFileSync(join(bin, program), '#!/bin/sh\n');
    chmodSync(join(bin, program), 0o755);
  }
  return await runnersHere({ HOME: home, PATH: bin });
}

const execute: CrewAgent = { lane: 'execute' };

describe('the runner of an agent', () => {
  test('speaks with its program where that can, and else starts it without a screen', async () => {
    const here = await machine('claude', 'gemini', 'codex', 'codex-acp');
    expect(here.installed).toEqual(['claude-code', 'codex', 'gemini-cli']);
    const kinds = ['claude-code', 'codex', 'gemini-cli'].map((name) => here.runnerOf(execute, name).kind);
    expect(kinds).toEqual(['headless', 'acp', 'acp']);
  });

  test('is the one in which more of what the agent is told holds', async () => {
    const here = await machine('codex', 'codex-acp');
    expect(here.runnerOf({ ...execute, permissions: { network: 'deny' } }, 'codex').kind).toBe('headless');
    expect([...(here.enforced(execute, 'codex', { network: 'ask' }) ?? [])]).toEqual(['network']);
    expect(here.runnerOf(execute, 'codex', { edit: 'ask' }).kind).toBe('acp');
  });

  test('holds it to more where its lane only looks', async () => {
    const here = await machine('codex', 'codex-acp');
    expect([...(here.enforced({ lane: 'audit' }, 'codex') ?? [])]).toEqual(['edit', 'network']);
    expect([...(here.enforced(execute, 'codex') ?? [])]).toEqual([]);
  });

  test('is a command of its own, of which nothing is promised', async () => {
    const here = await machine();
    const agent: CrewAgent = { lane: 'audit', command: ['./bin/check'] };
    expect(here.runnerOf(agent).kind).toBe('lines');
    expect([...(here.enforced(agent, 'command') ?? [])]).toEqual([]);
  });

  test('is refused where its program is not here', async () => {
    const here = await machine('claude-agent-acp');
    expect(here.installed).toEqual([]);
    expect(here.enforced(execute, 'claude-code')).toBeUndefined();
    expect(() => here.runnerOf(execute, 'claude-code')).toThrow(/claude-code is not installed here/);
    expect(() => here.runnerOf(execute)).toThrow(/neither a runtime nor a command/);
  });
});
