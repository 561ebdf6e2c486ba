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
  });

  test.each([
    ['.claude/projects', locateClaude],
    ['.codex/sessions', locateCodex],
    ['.gemini/tmp', locateGemini],
    ['.local/share/opencode', locateOpencode],
  ] as const)('of sessions (%s) is told where the program is looked for', async (place, locate) => {
    const home = newHome();
    const path = closed(join(home, place));
    expect(locate({ HOME: home, PATH: '' })).toMatchObject({
      unreadable: expect.stringContaining(path) as string,
    });
  });
});
