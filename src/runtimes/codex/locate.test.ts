import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runtime as codexRuntime } from './index.ts';
import { agentHome, locate, providerOf } from './locate.ts';

async function allOf<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'staffetta-codex-'));
});

afterEach(() => {
  rmSync(root, { recursive: true, force: true });
});

test('CODEX_HOME is the home, and else .codex in the home folder', () => {
  expect(agentHome({ CODEX_HOME: '/data', HOME: '/home/dev' })).toBe('/data');
  expect(agentHome({ CODEX_HOME: '', HOME: '/home/dev' })).toBe('/home/dev/.codex');
  expect(agentHome({ CODEX_HOME: 'relative', HOME: '/home/dev' })).toBeNull();
  expect(agentHome({})).toBeNull();
});

test('the program is looked for on the path, and only one that can be started counts', () => {
  const [first, second] = [join(root, 'a'), join(root, 'b')];
  mkdirSync(join(first, 'codex'), { recursive: true });
  mkdirSync(second);
  writeFileSync(join(second, 'codex'), '#!/bin/sh\nexit 9\n', { mode: 0o755 });
  const PATH = ['.', first, second].join(':');
  expect(locate({ CODEX_HOME: root, PATH })).toEqual({ home: root, program: join(second, 'codex') });
  expect(locate({ CODEX_HOME: root, PATH: first })).toEqual({ home: root, program: null });
});

test('without program and data there is nothing', async () => {
  const env = { CODEX_HOME: join(root, 'none'), PATH: root };
  expect(locate(env)).toBeNull();
  expect(await codexRuntime(env).locate()).toBeNull();
  expect(await allOf(codexRuntime(env).sessions())).toEqual([]);
});

test.each([
  ['', 'openai'],
  ['model = "x"\nmodel_provider = "mine" # comment\n', 'mine'],
  ["model_provider='other'", 'other'],
  ['[profiles.a]\nmodel_provider = "a"\n', 'openai'],
  ['# model_provider = "no"\n', 'openai'],
])('the settings %j name the provider %s', (settings, provider) => {
  writeFileSync(join(root, 'config.toml'), settings);
  expect(providerOf(root)).toBe(provider);
});

const target = { folder: '/home/dev/demo', into: '/', random: (count: number) => randomBytes(count) };

test('a runtime writes a session that it lists and reads again', async () => {
  const runtime = codexRuntime({ CODEX_HOME: root });
  const empty = runtime.read([]);
  const step = { id: 1, source: 'user', at: 1, text: 'go on', record: 0 } as const;
  const now = Date.parse('2026-11-15T18:00:00.000Z');
  const { place } = await runtime.write({ ...empty, steps: [step] }, { ...target, now });
  const cards = await allOf(runtime.sessions({ folder: '/home/dev/demo' }));
  expect(cards).toMatchObject([{ ...place, lastPrompt: 'go on', liveness: 'ended' }]);
  const records = await allOf((await runtime.capture(place)).records);
  expect(runtime.read(records).steps).toMatchObject([{ source: 'user', text: 'go on' }]);
});

test('without a home nothing can be written, and the refusal says what to set', async () => {
  await expect(
    codexRuntime({}).write(codexRuntime({}).read([]), { ...target, now: 0 }),
  ).rejects.toMatchObject({
    code: 'invalid-input',
    hint: expect.stringContaining('CODEX_HOME') as string,
  });
});
