/** P11: what a successor will see, printed byte for byte, within its budget. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadCounter } from '../../src/core/tokens/count.ts';
import { openStaffetta } from '../../src/library/staffetta.ts';
import { staffetta } from './command.ts';
import { desk } from './programs.ts';
import { stages } from './stage.ts';
import { handedOver } from './worked.ts';

describe('the briefing', () => {
  test('is printed with its count on stderr, the same bytes every time', async () => {
    const { folder, task } = await handedOver();
    const first = await staffetta(['brief', task, '--budget', '2000'], { cwd: folder });
    const again = await staffetta(['brief', task, '--budget', '2000'], { cwd: folder });
    expect(first.status).toBe(0);
    expect(again.stdout).toBe(first.stdout);
    const relay = await openStaffetta({ store: join(folder, '.staffetta', 'store.db') });
    expect(await relay.briefing(task, { budget: 2000 })).toBe(first.stdout);
    await relay.close();
    const count = await loadCounter();
    expect(first.stderr).toBe(`${count(first.stdout)} of 2000 tokens.\n`);
    for (const said of ['# Briefing: ', '## Contract', '<data>', '## Files edited', 'limit.js (modified)'])
      expect(first.stdout).toContain(said);
  });

  test('is data with --json, counted for whom it is', async () => {
    const { folder, task, packet } = await handedOver();
    const ran = await staffetta(['brief', task, '--for', 'claude-code', '--json'], { cwd: folder });
    const count = await loadCounter('claude-code');
    const text = String(ran.json['briefing']);
    expect(ran.json).toMatchObject({ task, packet, budget: 4000, tokens: count(text), cut: [] });
    expect(text).toContain(', for claude-code.');
  });

  test('is what an agent gets that goes on with the task', async () => {
    const { run, task } = await desk();
    const { stdout, stderr } = await run(['brief', task, '--for', 'gemini-cli']);
    const { json } = await run(['resume', '--take', task, '--in', 'gemini-cli', '--json']);
    expect(readFileSync(String(json['promptFile']), 'utf8')).toBe(stdout);
    expect(stderr).toContain(`${(await loadCounter('gemini-cli'))(stdout)} of 4000 tokens`);
    expect(stdout).toContain('## Contract');
  });

  test('is what an agent gets that goes on with a model of its own', async () => {
    const { run, task } = await desk();
    const words = ['--model', 'claude-sonnet-5', '--budget', '600'];
    const { stdout } = await run(['brief', task, '--for', 'gemini-cli', ...words]);
    const { json } = await run(['resume', '--take', task, '--in', 'gemini-cli', ...words, '--json']);
    expect(readFileSync(String(json['promptFile']), 'utf8')).toBe(stdout);
    expect((await loadCounter('claude-sonnet-5'))(stdout)).toBeLessThanOrEqual(600);
  });

  test('stays in its budget with what an agent is told before it', async () => {
    const { run, task } = await desk();
    for (const [runtime, budget] of [
      ['codex', 500],
      ['claude-code', 1000],
    ] as const) {
      const { stdout } = await run(['brief', task, '--for', runtime, '--budget', String(budget)]);
      expect((await loadCounter(runtime))(stdout)).toBeLessThanOrEqual(budget);
      expect(stdout).toContain('- Goal: ');
    }
  });

  test('is there before any packet', async () => {
    const { folder, task } = await stages.offered();
    const ran = await staffetta(['brief', task, '--budget', '500'], { cwd: folder });
    expect(ran.stdout).toContain('No packet yet.');
  });

  test('refuses a budget that cannot be, empty words, and options of the files', async () => {
    const { folder, task } = await stages.handedOff();
    for (const [args, words] of [
      [['--budget', '499'], '--budget takes 500 to 12000 tokens, not 499.'],
      [['--budget', '12001'], '--budget takes 500 to 12000 tokens, not 12001.'],
      [['--budget', 'many'], '--budget takes a whole number'],
      [['--goal', ' '], '--goal is empty.'],
      [['--for', ''], '--for is empty.'],
      [['--session', 'latest'], 'Give a task or --session, not both'],
      [['--goal', 'x', '--at', 'latest'], '--goal means nothing here'],
    ] as const) {
      const ran = await staffetta(['brief', task, ...args], { cwd: folder });
      expect([ran.status, ran.stderr]).toEqual([2, expect.stringContaining(words)]);
    }
  });
});
