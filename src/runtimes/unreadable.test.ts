import { mkdirSync, mkdtempSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { locate as locateClaude } from './claude-code/locate.ts';
import { locate as locateCodex } from './codex/locate.ts';
import { locateGemini } from './gemini-cli/locate.ts';
import { locateOpencode } from './opencode/locate.ts';
import { unreadableIn } from './unreadable.ts';

/** A folder that nobody can read, not even an administrator: a link that leads to itself. */
function closed(path: string): string {
  mkdirSync(join(path, '..'), { recursive: true });
  symlinkSync(path, path);
  return path;
}

const newHome = (): string => mkdtempSync(join(tmpdir(), 'unreadable-'));

describe('a folder that cannot be read', () => {
  test('is named, and one that is not there is not', () => {
    const home = newHome();
    const path = closed(join(home, 'closed'));
    expect(unreadableIn([home, join(home, 'nothing'), path])).toEqual({
      unreadable: `The folder ${path} cannot be read (ELOOP).`,
    });
    expect(unreadableIn([home, join(home, 'nothing')])).toEqual({});
    expect(unreadableIn([path, home, path]).unreadable).toMatch(/\(ELOOP\)\. Nor can 1 more\.$/);
  });

  test.each([
    ['.claude/projects', locateClaude],
    ['.claude/projects/-repo', locateClaude],
    ['.codex/sessions', locateCodex],
    ['.codex/sessions/2026/11/15', locateCodex],
    ['.gemini/tmp', locateGemini],
    ['.gemini/tmp/repo', locateGemini],
    ['.gemini/tmp/repo/chats', locateGemini],
    ['.local/share/opencode', locateOpencode],
  ] as const)('of sessions (%s) is told where the program is looked for', async (place, locate) => {
    const home = newHome();
    const path = closed(join(home, place));
    expect(locate({ HOME: home, PATH: '' })).toMatchObject({
      unreadable: expect.stringContaining(path) as string,
    });
  });

  test.each([
    ['.claude/elsewhere', '.claude/projects', locateClaude],
    ['.gemini/tmp/repo/logs', '.gemini/tmp/repo/chats', locateGemini],
    ['.codex/log', '.codex/sessions', locateCodex],
  ] as const)('and holds no sessions (%s) is not told', (place, beside, locate) => {
    const home = newHome();
    closed(join(home, place));
    mkdirSync(join(home, beside), { recursive: true });
    expect(locate({ HOME: home, PATH: '' })).not.toHaveProperty('unreadable');
  });
});
