/** Setting coding agents up, and taking it back: what is shown, what is asked, what is written, and what is left. */
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { newFolder, type Json } from './command.ts';
import { contentOf, foldersOf, place, theirs, type Place } from './setup-home.ts';
import { hasTerminal, typed } from './terminal.ts';

describe('init', () => {
  test('off a terminal shows what it would change, changes nothing, and says how to agree', async () => {
    const { home, folder, run } = place();
    const before = [contentOf(home), contentOf(folder)];
    const ran = await run('init');
    expect(ran.status).toBe(2);
    expect(ran.stderr).toContain('staffetta init --yes');
    expect(ran.stdout).toContain(`--- ${join(home, '.claude/settings.json')}`);
    expect(ran.stdout).toContain('+# >>> staffetta');
    expect([contentOf(home), contentOf(folder)]).toEqual(before);
    const dry = await run('init', '--dry-run', '--json');
    expect(dry).toMatchObject({
      status: 0,
      json: { dryRun: true, agents: ['claude-code', 'codex', 'gemini-cli', 'opencode'] },
    });
    expect((dry.json['changes'] as Json[]).every(({ diff }) => String(diff).includes('\n+'))).toBe(true);
    expect([contentOf(home), contentOf(folder)]).toEqual(before);
  });

  test('done twice changes nothing, and uninstall leaves every byte and folder as it was', async () => {
    const { home, folder, run } = place();
    const before = [contentOf(home), contentOf(folder), foldersOf(home)];
    expect((await run('init', '--yes')).status).toBe(0);
    const after = contentOf(home);
    expect(after['.claude/settings.json']).toContain('// mine');
    expect(after['.config/opencode/opencode.jsonc']).toContain('/* none */');
    const again = await run('init');
    expect(again).toMatchObject({ status: 0 });
    expect(again.stdout).toContain('everything is set up already');
    expect(contentOf(home)).toEqual(after);
    expect((await run('uninstall', '--yes')).status).toBe(0);
    expect([contentOf(home), contentOf(folder), foldersOf(home)]).toEqual(before);
    expect((await run('uninstall')).stdout).toContain('Nothing of staffetta is set up here.');
  });

  test('leaves what was edited since, and takes out only its own part', async () => {
    const { home, run } = place();
    await run('init', '--yes');
    const settings = join(home, '.gemini/settings.json');
    writeFileSync(settings, readFileSync(settings, 'utf8').replace('{"security"', '{"new":2,"security"'));
    const ran = await run('uninstall', '--yes', '--json');
    const files = ran.json['files'] as Json[];
    expect(files.find(({ path }) => path === settings)).toMatchObject({ how: 'our-part' });
    expect(readFileSync(settings, 'utf8')).toBe('{"new":2,"security":{"x":1}}');
    expect(readFileSync(join(home, '.codex/config.toml'), 'utf8')).toBe(theirs['.codex/config.toml']);
  });

  test('set up again after an edit, uninstall keeps the edit', async () => {
    const { home, run } = place();
    await run('init', '--yes');
    const config = join(home, '.codex/config.toml');
    writeFileSync(
      config,
      readFileSync(config, 'utf8').replace('model = "x"', 'model = "y"').replace('"mcp"]', '"old"]'),
    );
    await run('init', '--yes');
    await run('uninstall', '--yes');
    expect(readFileSync(config, 'utf8')).toContain('model = "y"');
    expect(readFileSync(config, 'utf8')).not.toContain('staffetta');
  });

  test('undoes also what it has no record of', async () => {
    const { home, run } = place();
    await run('init', '--yes');
    const kept = join(home, '.local/share/staffetta/installed/installed.json');
    writeFileSync(kept, 'damaged');
    await run('uninstall', '--yes');
    for (const path of ['.claude/settings.json', '.codex/config.toml', '.gemini/settings.json'])
      expect(readFileSync(join(home, path), 'utf8')).not.toContain('staffetta');
  });

  test('names one program, and writes for it alone', async () => {
    const { home, run } = place();
    const before = contentOf(home);
    await run('init', '--yes', '--runtime', 'codex');
    const changed = Object.entries(contentOf(home)).filter(([path, text]) => before[path] !== text);
    expect(changed.map(([path]) => path).filter((path) => !path.includes('share/staffetta'))).toEqual([
      '.codex/config.toml',
      '.codex/hooks.json',
    ]);
    expect(await run('init', '--runtime', 'codx')).toMatchObject({ status: 2 });
  });

  test('for the project writes nothing of the home but the trust that only the user can give', async () => {
    const { home, folder, run } = place();
    const before = contentOf(home);
    await run('init', '--yes', '--project');
    const changed = Object.entries(contentOf(home)).filter(([path, text]) => before[path] !== text);
    expect(changed.map(([path]) => path)).toEqual(['.codex/config.toml']);
    const inside = Object.keys(contentOf(folder)).filter((path) => !path.startsWith('.staffetta'));
    expect(inside).toEqual(
      expect.arrayContaining([
        '.claude/settings.local.json',
        '.mcp.json',
        '.codex/hooks.json',
        '.gemini/settings.json',
        '.opencode/plugins/staffetta.js',
        'opencode.json',
      ]),
    );
    await run('uninstall', '--yes');
    expect(contentOf(home)).toEqual(before);
    expect(Object.keys(contentOf(folder)).toSorted()).toEqual(['AGENTS.md', 'check.mjs', 'fence.txt']);
  });

  test('for the user touches no file of the repository', async () => {
    const { folder, run } = place();
    await run('init', '--yes', '--user');
    expect(readFileSync(join(folder, 'AGENTS.md'), 'utf8')).toBe('# Rules\n\nBe kind.\n');
    expect(await run('init', '--user', '--project')).toMatchObject({ status: 2 });
  });

  test('writes nothing at all where one file makes no sense', async () => {
    const { home, folder, run } = place({ ...theirs, '.gemini/settings.json': '{ oops' });
    const before = [contentOf(home), contentOf(folder)];
    const ran = await run('init', '--yes');
    expect(ran.status).not.toBe(0);
    expect(ran.stderr).toContain(
      `${join(home, '.gemini/settings.json')} cannot be changed: it is not JSON at line 1`,
    );
    expect(ran.stderr).toContain('--runtime');
    expect([contentOf(home), contentOf(folder)]).toEqual(before);
  });

  test('writes through a link, and leaves the link', async () => {
    const { home, run } = place();
    const dotfiles = newFolder();
    writeFileSync(join(dotfiles, 'gemini.json'), '{}\n');
    const { '.gemini/settings.json': _, ...others } = theirs;
    const linked = place(others);
    mkdirSync(join(linked.home, '.gemini'));
    symlinkSync(join(dotfiles, 'gemini.json'), join(linked.home, '.gemini/settings.json'));
    await linked.run('init', '--yes');
    expect(readFileSync(join(dotfiles, 'gemini.json'), 'utf8')).toContain('gemini-cli BeforeAgent');
    await linked.run('uninstall', '--yes');
    expect(readFileSync(join(dotfiles, 'gemini.json'), 'utf8')).toBe('{}\n');
    expect(existsSync(home)).toBe(true);
    await run('uninstall');
  });

  test('keeps a store that holds a task', async () => {
    const { folder, run } = place();
    await run('init', '--yes');
    await run('open', 'a goal');
    const ran = await run('uninstall', '--yes');
    expect(ran.stderr).toContain('The tasks stay');
    expect(existsSync(join(folder, '.staffetta/store.db'))).toBe(true);
  });

  test('finds no agent, and creates the store alone', async () => {
    const { run } = place({});
    const ran = await run('init');
    expect(ran).toMatchObject({ status: 0 });
    expect(ran.stderr).toContain('No coding agent was found here');
  });
});

describe.skipIf(!hasTerminal)('at a terminal', () => {
  test('asks, and does as it is told', async () => {
    const { home, folder } = place();
    const env = { HOME: home, PATH: `${dirname(process.execPath)}:/usr/bin:/bin` };
    const before = contentOf(home);
    const no = await typed(folder, ['init'], [['[y/N]', 'n\n']], env);
    expect(no.text).toContain('Nothing was changed.');
    expect(no.text).not.toContain('+++');
    const stopped = await typed(
      folder,
      ['init'],
      [
        ['[y/N]', 'd\n'],
        ['[y/N]', '\u0003'],
      ],
      env,
    );
    expect([stopped.status, stopped.text]).toEqual([130, expect.stringContaining('+++')]);
    expect(contentOf(home)).toEqual(before);
    const yes = await typed(folder, ['init'], [['[y/N]', 'y\n']], env);
    expect(yes).toMatchObject({ status: 0 });
    expect(contentOf(home)).not.toEqual(before);
    const back = await typed(folder, ['uninstall'], [['Put these', 'yes\n']], env);
    expect(back.text).not.toMatch(/^[-+]/m);
    expect(contentOf(home)).toEqual(before);
  });
});

async function checks({ run }: Place): Promise<Record<string, Json>> {
  const findings = (await run('doctor', '--dry-run', '--json')).json['findings'] as Json[];
  return Object.fromEntries(findings.map((finding) => [String(finding['check']), finding]));
}

describe('doctor', () => {
  test('says what is not set up, what is, and what Codex does not trust', async () => {
    const here = place();
    expect((await checks(here))['codex-hooks']).toMatchObject({ status: 'untried', text: 'not set up' });
    await here.run('init', '--yes');
    const found = await checks(here);
    for (const name of ['claude-code', 'codex', 'gemini-cli', 'opencode'])
      expect(found[`${name}-hooks`]).toMatchObject({ status: 'ok' });
    expect(found['mcp']).toBeDefined();
    const config = join(here.home, '.codex/config.toml');
    writeFileSync(config, readFileSync(config, 'utf8').replaceAll(/trusted_hash.*/g, ''));
    expect((await checks(here))['codex-hooks']).toMatchObject({
      status: 'wrong',
      text: expect.stringContaining('skips them without a word') as unknown,
      fix: expect.stringContaining('staffetta init') as unknown,
    });
  });

  test('finds hooks that call what is gone, that lack an event, or that are switched off', async () => {
    const here = place();
    await here.run('init', '--yes');
    const settings = join(here.home, '.claude/settings.json');
    const whole = readFileSync(settings, 'utf8');
    const found = async (text: string): Promise<Json | undefined> => {
      writeFileSync(settings, text);
      return (await checks(here))['claude-code-hooks'];
    };
    expect(await found(whole.replaceAll('dist/hook', 'gone/hook'))).toMatchObject({
      status: 'wrong',
      text: expect.stringContaining('which is not there') as unknown,
    });
    expect(await found(whole.replace('"PreCompact"', '"Other"'))).toMatchObject({
      text: expect.stringContaining('lacks PreCompact') as unknown,
    });
    expect(await found(whole.replace('"model"', '"disableAllHooks": true, "model"'))).toMatchObject({
      text: expect.stringContaining('switched off by disableAllHooks') as unknown,
    });
  });
});
