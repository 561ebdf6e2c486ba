/** `staffetta history`: one story of all legs, in every format. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { openStaffetta } from '../../src/library/staffetta.ts';
import { checkAtif } from '../../src/core/formats/atif-check.ts';
import { bindSession } from '../../src/handoff/sealing/native-session.ts';
import { allRuntimes } from '../../src/runtimes/index.ts';
import { newFolder, newRepository, staffetta, type Json } from './command.ts';

const fixtures = join(import.meta.dirname, '..');

/** A leg in Claude Code, one of a program that uses the AI SDK, and one that left prose. */
async function relay(): Promise<{ folder: string; task: string }> {
  const folder = newRepository();
  const store = join(folder, '.staffetta', 'store.db');
  mkdirSync(join(folder, '.staffetta'));
  const staff = await openStaffetta({ gate: 'record', store, as: 'code' });
  const home = newFolder();
  const path = join(home, 'session.jsonl');
  writeFileSync(path, readFileSync(join(fixtures, 'runtimes/fixtures/claude-code/basic.jsonl')));
  const runtime = allRuntimes({ HOME: home }).find(({ name }) => name === 'claude-code');
  if (runtime === undefined) throw new Error('no runtime');
  const leg = await staff.begin({ goal: 'Mend the clock' });
  const place = { runtime: runtime.name, id: 'session', path };
  await leg.checkpoint({ session: bindSession(runtime, place) });
  const messages = readFileSync(join(fixtures, 'transcript/fixtures/ai-sdk/ui-messages.json'));
  await leg.checkpoint({ transcript: messages, media: 'application/json' });
  await leg.checkpoint({ transcript: 'We talked.\n' });
  await staff.close();
  return { folder, task: leg.task };
}

describe('history', () => {
  let folder = '';
  let task = '';
  beforeAll(async () => {
    ({ folder, task } = await relay());
  });

  test('is one page to be read, by session and by name', async () => {
    const { stdout, stderr, status } = await staffetta(['history', task], { cwd: folder });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    const headings = stdout.split('\n').filter((text) => /^##? /.test(text));
    expect(headings).toEqual([
      '# Mend the clock',
      '## 1. claude-code',
      '## 2. ai-sdk',
      '## 3. unknown',
      '## Calls without a result',
      '## Left out',
    ]);
    expect(stdout).toMatch(/^### s\d+ · user · 2/m);
    expect(stdout).toContain('```text\nI run the test.\n```');
    expect(stdout).toContain('\nWe talked.\n');
  });

  test('is a valid trajectory with --format atif, and says what is not in it', async () => {
    const ran = await staffetta(['history', task, '--format', 'atif'], { cwd: folder });
    expect(checkAtif(ran.json)).toEqual([]);
    expect(ran.json).toMatchObject({ schema_version: 'ATIF-v1.7', session_id: task });
    expect(ran.stderr).toContain('Not in it: media × 1: content that is no text is not carried in steps.\n');
    const again = await staffetta(['history', task, '--format', 'atif'], { cwd: folder });
    expect(again.stdout).toBe(ran.stdout);
  });

  test('is data with --json, the same as with --format json', async () => {
    const ran = await staffetta(['history', task, '--json'], { cwd: folder });
    expect(ran.stderr).toBe('');
    expect(ran.json).toMatchObject({
      v: 1,
      task,
      sessions: [{ runtime: 'claude-code' }, { runtime: 'ai-sdk' }, {}],
    });
    const asked = await staffetta(['history', task, '--format', 'json'], { cwd: folder });
    expect(asked.stdout).toBe(ran.stdout);
  });

  test('is a list of messages with --format ai-sdk', async () => {
    const ran = await staffetta(['history', task, '--format', 'ai-sdk'], { cwd: folder });
    const messages = JSON.parse(ran.stdout) as Json[];
    expect(messages.at(-2)).toMatchObject({
      role: 'assistant',
      parts: [
        { type: 'step-start' },
        { type: 'text', text: 'The clock is an hour behind.' },
        { type: 'dynamic-tool', toolName: 'ask', state: 'input-available' },
      ],
    });
    expect(JSON.stringify(messages.at(-1))).toContain('<data>\\nWe talked.\\n');
  });

  test('an unknown format is refused with those that there are', async () => {
    const ran = await staffetta(['history', task, '--format', 'html'], { cwd: folder });
    expect(ran).toMatchObject({ status: 2, stdout: '' });
    expect(ran.stderr).toContain('--format takes one of md, json, atif, ai-sdk, not "html".');
  });

  test('--json and a page to be read exclude each other', async () => {
    const ran = await staffetta(['history', task, '--format', 'md', '--json'], { cwd: folder });
    expect(ran.status).toBe(2);
  });

  test('a task without transcripts has no steps, and says where all of it is', async () => {
    const staff = await openStaffetta({
      gate: 'record',
      store: join(folder, '.staffetta', 'store.db'),
      as: 'code',
    });
    const { task: bare } = await staff.begin({ goal: 'Nothing yet' });
    await staff.close();
    const ran = await staffetta(['history', bare], { cwd: folder });
    expect(ran.stdout).toBe('# Nothing yet\n\nNo steps.\n');
    expect(ran.stderr).toBe(
      `No packet of ${bare} holds steps. All that it has: staffetta show ${bare} --history\n`,
    );
  });
});
