import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { Prompt, Start } from '../../ports/runtime.ts';
import { runtime as geminiCliRuntime } from './index.ts';
import { launch } from './launch.ts';
import { retentionRisk } from './resume.ts';
import { guard } from './read/user-text.ts';

const options = { program: '/bin/gemini', folder: '/home/dev/demo' };
const session = { runtime: 'gemini-cli' as const, id: 'a', path: '/s/f.jsonl' };
const goOn: Start = { kind: 'continue', session };
const begin: Start = { kind: 'new', id: 'U' };
const say = (text: string): Prompt => ({ kind: 'headless', text });

const folder = mkdtempSync(join(tmpdir(), 'staffetta-gemini-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('the prompt goes by standard input and the history by a file', () => {
  expect(launch(goOn, { kind: 'headless', text: 'go on', output: 'events' }, options)).toEqual({
    program: '/bin/gemini',
    args: ['--session-file', '/s/f.jsonl', '--output-format', 'stream-json'],
    env: {},
    cwd: '/home/dev/demo',
    stdin: 'go on',
    session: null,
  });
});

test('a new session gets its id, and a prompt that looks like a command is none', () => {
  expect(launch(begin, say('/quit'), { ...options, model: 'm' })).toMatchObject({
    args: ['--session-id', 'U', '--model', 'm', '--output-format', 'text'],
    stdin: `${guard}/quit`,
    session: 'U',
  });
  expect(() => launch({ kind: 'new', id: '--yolo' }, say('x'), options)).toThrow('cannot be the id');
});

test('with a person, a file is named', () => {
  expect(launch(goOn, { kind: 'terminal', file: '/b.md' }, options)).toMatchObject({
    args: [
      '--session-file',
      '/s/f.jsonl',
      '--prompt-interactive',
      'Read the file /b.md and go on from what it says.',
    ],
    stdin: null,
  });
  expect(launch(goOn, { kind: 'terminal', file: null }, options).args).toEqual([
    '--session-file',
    '/s/f.jsonl',
  ]);
});

test('a prompt that the program would cut off is refused', () => {
  expect(() => launch(begin, say('x'.repeat(8 * 1024 * 1024 + 1)), options)).toThrow(/reads 8388608/);
});

describe('the cleanup that deletes continued sessions', () => {
  test('is told of, unless it is off', () => {
    expect(retentionRisk(folder)).toMatch(/sessionRetention/);
    const settings = join(folder, 'settings.json');
    writeFileSync(settings, '// off\n{"general":{"sessionRetention":{"enabled":false}}}');
    expect(retentionRisk(folder)).toBeNull();
    writeFileSync(settings, '{"general":');
    expect(retentionRisk(folder)).toMatch(/sessionRetention/);
  });

  test('is a hazard of the runtime', async () => {
    expect(await geminiCliRuntime({ HOME: folder }).hazards('terminal')).toEqual([
      expect.stringMatching(/^Gemini CLI deletes a session/),
    ]);
    expect(await geminiCliRuntime({}).hazards('terminal')).toEqual([]);
  });
});
