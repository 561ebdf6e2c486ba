/** What coding agents left on this machine, as the command lists it. */
import { cpSync, mkdirSync, mkdtempSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { newRepository, staffetta } from './command.ts';

const fixtures = join(import.meta.dirname, '..', 'runtimes', 'fixtures');

function homeWith(files: readonly (readonly [from: string, to: string])[]): string {
  const home = mkdtempSync(join(tmpdir(), 'agents-'));
  for (const [from, to] of files) {
    mkdirSync(join(home, to, '..'), { recursive: true });
    cpSync(join(fixtures, from), join(home, to), { recursive: true });
  }
  return home;
}

const claude = 'claude-code/basic.jsonl';
const session = '11111111-2222-4333-8444-555555555555';
const place = `.claude/projects/-repo/${session}.jsonl`;

test('sessions of all folders are listed with the program, the id and what was said last', async () => {
  const home = homeWith([[claude, place]]);
  const before = statSync(join(home, place)).mtimeMs;
  const ran = await staffetta(['sessions', '--everywhere', '--json'], {
    cwd: newRepository(),
    env: { HOME: home },
  });
  expect(ran).toMatchObject({
    status: 0,
    json: { installed: ['claude-code'], sessions: [{ runtime: 'claude-code' }], troubles: [] },
  });
  expect(statSync(join(home, place)).mtimeMs).toBe(before);
  expect(readFileSync(join(home, place))).toEqual(readFileSync(join(fixtures, claude)));
});

test('without any agent it says what it looked for', async () => {
  const home = mkdtempSync(join(tmpdir(), 'agents-'));
  const ran = await staffetta(['sessions'], { cwd: newRepository(), env: { HOME: home } });
  expect(ran).toMatchObject({ status: 0, stdout: '' });
  expect(ran.stderr).toContain('Looked for: claude-code, codex, gemini-cli, opencode.');
});

test('a program that is not known is refused with the one that was meant', async () => {
  const ran = await staffetta(['sessions', '--of', 'codx'], { cwd: newRepository() });
  expect(ran.status).toBe(2);
  expect(ran.stderr).toContain('Did you mean: --of codex');
});

test('a folder of sessions that cannot be read is named, and not taken for an empty one', async () => {
  const home = homeWith([]);
  const projects = join(home, '.claude/projects');
  mkdirSync(join(home, '.claude'));
  // Not even an administrator reads a link that leads to itself.
  symlinkSync(projects, projects);
  for (const command of ['sessions', 'rescue']) {
    const ran = await staffetta([command], { cwd: newRepository(), env: { HOME: home } });
    expect(ran.stderr).toContain(
      `claude-code could not be looked at: The folder ${projects} cannot be read (ELOOP).`,
    );
  }
});
