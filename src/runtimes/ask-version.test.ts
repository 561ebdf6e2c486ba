import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { askVersion, versionIn } from './ask-version.ts';

const folder = mkdtempSync(join(tmpdir(), 'staffetta-version-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function program(name: string, script: string): string {
  const path = join(folder, name);
  writeFileSync(path, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return path;
}

const env = { PATH: process.env['PATH'] };

test.each([
  ['codex-cli 0.166.0\n', '0.166.0'],
  ['2.1.325 (Claude Code)\n', '2.1.325'],
  ['1.18.33-beta.2', '1.18.33-beta.2'],
  ['v1', null],
  ['', null],
])('%j names %j', (said, version) => {
  expect(versionIn(said)).toBe(version);
});

test('the program is asked for nothing else, and told to keep quiet', async () => {
  const asked = program('asked', '[ "$*" = --version ] && [ "$QUIET" = 1 ] && echo 1.2.3');
  expect(await askVersion({ program: asked, env, quiet: { QUIET: '1' } })).toBe('1.2.3');
});

test('a program that is missing, fails or is none has no version', async () => {
  const failing = program('failing', 'echo 1.2.3; exit 1');
  const unnamed = program('unnamed', 'echo hello');
  for (const each of [null, join(folder, 'missing'), failing, unnamed])
    expect(await askVersion({ program: each, env })).toBeNull();
});

test('a program that hangs is ended with all that it started', async () => {
  const hanging = program('hanging', 'sleep 600 & echo $! > "$TRACE"; echo 1.2.3; wait');
  const trace = join(folder, 'trace');
  expect(await askVersion({ program: hanging, env: { ...env, TRACE: trace }, msMax: 1500 })).toBeNull();
  const pid = Number(readFileSync(trace, 'utf8'));
  // It may take the system a moment to take a killed process off its list.
  for (;;) {
    try {
      process.kill(pid, 0);
    } catch {
      break;
    }
    if (/^State:\s+[ZX]/m.test(statusOf(pid))) break;
  }
});

function statusOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/status`, 'utf8');
  } catch {
    return 'State: X';
  }
}
