/** Taking the set-up back in a repository that was moved or copied since. */
import { cpSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { staffetta, type Ran } from './command.ts';
import { contentOf, foldersOf, place, type Place } from './setup-home.ts';

function at({ home }: Place, cwd: string): Place {
  const env = { HOME: home, PATH: dirname(process.execPath) };
  const run = async (...args: readonly string[]): Promise<Ran> => await staffetta(args, { cwd, env });
  return { home, folder: cwd, run };
}

function moved(from: Place): Place {
  const folder = `${from.folder}-moved`;
  renameSync(from.folder, folder);
  return at(from, folder);
}

function configOf({ home }: Place): string {
  return readFileSync(join(home, '.codex/config.toml'), 'utf8');
}

describe('a repository that was moved', () => {
  test.each([{ scopes: ['--project'] }, { scopes: ['--user', '--project'] }])(
    'is as it was afterwards, and so is the home: $scopes',
    async ({ scopes }) => {
      const old = place();
      const before = [contentOf(old.home), foldersOf(old.home), contentOf(old.folder), foldersOf(old.folder)];
      for (const scope of scopes) await old.run('init', '--yes', scope);
      expect(configOf(old)).toContain(`${old.folder}/.codex/hooks.json`);
      const { home, folder, run } = moved(old);
      const ran = await run('uninstall', '--yes');
      expect(ran.status).toBe(0);
      expect(ran.stdout).toContain(`${join(folder, '.mcp.json')}: removed`);
      expect(ran.stdout).not.toContain('was changed since');
      expect(ran.stdout).not.toContain('not on record');
      expect([contentOf(home), foldersOf(home), contentOf(folder), foldersOf(folder)]).toEqual(before);
    },
  );

  test('takes the trust in its old place out of settings that were changed since', async () => {
    const old = place({ '.codex/config.toml': 'model = "x"\n' });
    await old.run('init', '--yes', '--project');
    const config = configOf(old);
    const theirs = `[hooks.state."${old.folder}/.codex/hooks.json:stop:7:0"]\ntrusted_hash = "sha256:theirs"\n`;
    writeFileSync(join(old.home, '.codex/config.toml'), `${config}\n[tui]\ntheme = "dark"\n\n${theirs}`);
    const here = moved(old);
    const ran = await here.run('uninstall', '--yes');
    expect(ran.stdout).toContain('config.toml: was changed since; only our part was taken out');
    expect(configOf(here)).toBe(`model = "x"\n\n[tui]\ntheme = "dark"\n\n${theirs}`);
    expect(existsSync(join(here.folder, '.staffetta'))).toBe(false);
  });

  test('and set up anew there leaves no trust in either place', async () => {
    const old = place();
    const before = [contentOf(old.home), contentOf(old.folder)];
    await old.run('init', '--yes', '--project');
    const here = moved(old);
    await here.run('init', '--yes', '--project');
    expect(configOf(here)).toContain(`${here.folder}/.codex/hooks.json`);
    await here.run('uninstall', '--yes');
    expect([contentOf(here.home), contentOf(here.folder)]).toEqual(before);
  });
});

test('a copy of a repository takes back its own files, and leaves the original its trust', async () => {
  const original = place();
  const before = contentOf(original.folder);
  await original.run('init', '--yes', '--project');
  const [home, folder] = [contentOf(original.home), contentOf(original.folder)];
  const copy = at(original, `${original.folder}-copy`);
  cpSync(original.folder, copy.folder, { recursive: true });
  const ran = await copy.run('uninstall', '--yes');
  expect(ran.stdout).not.toContain('was changed since');
  expect(contentOf(copy.folder)).toEqual(before);
  expect([contentOf(original.home), contentOf(original.folder)]).toEqual([home, folder]);
});

test('where nothing is on record, nobody is said to have changed anything', async () => {
  const { home, folder, run } = place({ '.gemini/settings.json': '{"a":1}\n' });
  await run('init', '--yes');
  writeFileSync(join(home, '.local/share/staffetta/installed/installed.json'), 'lost');
  const ran = await run('uninstall', '--yes');
  const path = join(home, '.gemini/settings.json');
  expect(ran.stdout).toContain(
    `${path}: what was there before is not on record; only our part was taken out`,
  );
  expect(ran.stdout).toContain(`${join(folder, 'AGENTS.md')}: as it was`);
  expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({ a: 1 });
});
