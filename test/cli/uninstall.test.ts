/** Taking the set-up back: what comes back byte for byte, what stays because others use it, and what cannot be undone. */
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { launcher, newFolder, staffetta, type Json, type Ran } from './command.ts';
import { contentOf, foldersOf, place, placeIn, theirs, type Place } from './setup-home.ts';

const codexOnly = { '.codex/config.toml': 'model = "x"\n' };

async function trusted({ run }: Place): Promise<Json | undefined> {
  const findings = (await run('doctor', '--dry-run', '--json')).json['findings'] as Json[];
  return findings.find(({ check }) => check === 'codex-hooks');
}

/** As the user would once he has been asked. */
function trustFolder({ home, folder }: Place): void {
  const config = join(home, '.codex/config.toml');
  const text = readFileSync(config, 'utf8');
  writeFileSync(config, `[projects.${JSON.stringify(folder)}]\ntrust_level = "trusted"\n\n${text}`);
}

function textIn(folder: string, path: string): string {
  return readFileSync(join(folder, path), 'utf8');
}

describe('bytes', () => {
  test.each([
    ['AGENTS.md', Buffer.from('# Agents\n\nfa\xE7ade \xFF\n', 'latin1'), 'not UTF-8'],
    ['AGENTS.md', Buffer.from('\uFEFF# Agents\r\n', 'utf16le'), 'not UTF-8 but UTF-16'],
  ])('of %s that are no UTF-8 are refused, and nothing is written: %j', async (name, bytes, why) => {
    const { home, folder, run } = place();
    writeFileSync(join(folder, name), bytes);
    const before = [contentOf(home), contentOf(folder)];
    const ran = await run('init', '--yes');
    expect(ran.status).toBe(2);
    expect(ran.stderr).toContain(`${join(folder, name)} cannot be changed: it is ${why}.`);
    expect([contentOf(home), contentOf(folder)]).toEqual(before);
  });

  test('of settings that are no UTF-8 are refused too', async () => {
    const { home, folder, run } = place();
    writeFileSync(join(home, '.gemini/settings.json'), Buffer.from('{"ui":{"theme":"caf\xE9"}}', 'latin1'));
    const before = [contentOf(home), contentOf(folder)];
    expect((await run('init', '--yes')).stderr).toContain('it is not UTF-8');
    expect([contentOf(home), contentOf(folder)]).toEqual(before);
  });

  test('of odd files come back as they were', async () => {
    const odd = {
      '.claude/settings.json': '\uFEFF{\r\n\t"model": "x"\r\n}',
      '.codex/config.toml': '# first\r\nx = """\r\n[mcp_servers.staffetta]\r\n"""',
      '.gemini/settings.json': '{\n  // only a comment\n}\n',
    };
    const { home, folder, run } = place(odd);
    const before = [contentOf(home), contentOf(folder)];
    expect((await run('init', '--yes')).status).toBe(0);
    expect((await run('uninstall', '--yes')).status).toBe(0);
    expect([contentOf(home), contentOf(folder)]).toEqual(before);
  });
});

describe('several repositories', () => {
  test('set up on their own keep the trust of Codex, and each takes back its own', async () => {
    const one = place(codexOnly);
    const two = placeIn(one.home);
    const before = contentOf(one.home);
    for (const { run } of [one, two]) await run('init', '--yes', '--project');
    for (const here of [one, two]) trustFolder(here);
    for (const here of [one, two, one]) expect(await trusted(here)).toMatchObject({ status: 'ok' });
    await one.run('init', '--yes', '--user');
    for (const here of [one, two]) expect(await trusted(here)).toMatchObject({ status: 'ok' });
    expect((await one.run('init', '--project', '--dry-run')).stdout).toContain(
      'everything is set up already',
    );
    await one.run('uninstall', '--yes');
    expect(await trusted(two)).toMatchObject({ status: 'ok' });
    await two.run('uninstall', '--yes');
    const left = contentOf(one.home)['.codex/config.toml'] ?? '';
    expect(left).not.toContain('hooks.state');
    expect(left).not.toContain('mcp_servers');
    expect(left.endsWith(codexOnly['.codex/config.toml'])).toBe(true);
    expect(Object.keys(contentOf(one.home))).toEqual(Object.keys(before));
  });

  test('in the opposite order leave no file that was made for them', async () => {
    const one = place({ '.codex/sessions/none': '' });
    const two = placeIn(one.home);
    const before = contentOf(one.home);
    for (const { run } of [one, two]) await run('init', '--yes', '--project');
    for (const { run } of [one, two]) await run('uninstall', '--yes');
    expect(contentOf(one.home)).toEqual(before);
  });

  test('share the settings of the user: the last one takes them back', async () => {
    const one = place();
    const two = placeIn(one.home);
    const before = [contentOf(one.home), foldersOf(one.home), contentOf(one.folder), contentOf(two.folder)];
    for (const { run } of [one, two]) await run('init', '--yes');
    const set = [contentOf(one.home)['.claude/settings.json'], contentOf(one.folder)['AGENTS.md']];
    const first = await two.run('uninstall', '--yes');
    expect(first.stderr).toContain(`The settings of the user stay: ${one.folder} is set up with them.`);
    expect(first.stderr).toContain('staffetta uninstall --user');
    expect([contentOf(one.home)['.claude/settings.json'], contentOf(one.folder)['AGENTS.md']]).toEqual(set);
    expect(contentOf(two.folder)).toEqual(before[3]);
    await one.run('uninstall', '--yes');
    expect([contentOf(one.home), foldersOf(one.home), contentOf(one.folder), contentOf(two.folder)]).toEqual(
      before,
    );
  });

  test('are named when the settings of the user are taken back for all', async () => {
    const one = place();
    const two = placeIn(one.home);
    for (const { run } of [one, two]) await run('init', '--yes');
    const asked = await two.run('uninstall', '--user');
    expect(asked.status).toBe(2);
    expect(asked.stdout).toContain(`${one.folder}, ${two.folder}`);
    const done = await two.run('uninstall', '--user', '--yes', '--json');
    expect(done.json).toMatchObject({ affects: [one.folder, two.folder] });
    for (const [path, text] of Object.entries(theirs)) expect(textIn(one.home, path)).toBe(text);
    expect(textIn(one.folder, 'AGENTS.md')).toContain('staffetta');
    for (const { run, folder } of [one, two]) {
      await run('uninstall', '--yes');
      expect(textIn(folder, 'AGENTS.md')).toBe('# Rules\n\nBe kind.\n');
    }
  });

  test('that are gone keep nothing', async () => {
    const one = place();
    const two = placeIn(one.home);
    for (const { run } of [one, two]) await run('init', '--yes');
    rmSync(one.folder, { recursive: true });
    await two.run('uninstall', '--yes');
    expect(textIn(one.home, '.claude/settings.json')).toBe(theirs['.claude/settings.json']);
  });
});

describe('one part of a set-up', () => {
  test('of one program goes alone', async () => {
    const { home, folder, run } = place();
    await run('init', '--yes');
    const set = contentOf(home);
    await run('uninstall', '--yes', '--runtime', 'codex');
    const now = contentOf(home);
    expect(now['.codex/config.toml']).not.toContain('staffetta');
    for (const path of ['.claude/settings.json', '.gemini/settings.json']) expect(now[path]).toBe(set[path]);
    expect(textIn(folder, 'AGENTS.md')).toContain('staffetta');
    expect(existsSync(join(folder, '.staffetta/store.db'))).toBe(true);
  });

  test('of the project leaves what the settings of the user need', async () => {
    const { folder, run } = place();
    await run('init', '--yes');
    await run('init', '--yes', '--project');
    await run('uninstall', '--yes', '--project');
    expect(textIn(folder, 'AGENTS.md')).toContain('staffetta');
    expect(existsSync(join(folder, '.staffetta/store.db'))).toBe(true);
    expect(existsSync(join(folder, '.mcp.json'))).toBe(false);
    await run('uninstall', '--yes');
    expect(existsSync(join(folder, '.staffetta'))).toBe(false);
  });
});

describe('files that were changed since', () => {
  test('keep the handlers of others, and are not removed with them', async () => {
    const { home, run } = place({ '.claude/projects/none': '' });
    await run('init', '--yes');
    const path = join(home, '.claude/settings.json');
    const settings = JSON.parse(readFileSync(path, 'utf8')) as { hooks: { Stop: { hooks: unknown[] }[] } };
    settings.hooks.Stop[0]?.hooks.push({ type: 'command', command: '/usr/bin/notify-me' });
    writeFileSync(path, JSON.stringify(settings));
    await run('init', '--yes');
    await run('uninstall', '--yes');
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({
      hooks: { Stop: [{ hooks: [{ type: 'command', command: '/usr/bin/notify-me' }] }] },
    });
  });

  test("after an upgrade keep what was the user's own, also where it looks like ours", async () => {
    const own = {
      '.claude/settings.json': { permissions: { allow: ['mcp__staffetta'] }, hooks: {} },
      '.gemini/settings.json': { mcpServers: {} },
    };
    const { home, run } = place(
      Object.fromEntries(
        Object.entries(own).map(([path, settings]) => [path, JSON.stringify(settings, null, 2)]),
      ),
    );
    await run('init', '--yes');
    for (const path of Object.keys(own)) {
      const edited = textIn(home, path).replace('{', '{\n  "x": 1,');
      const moved = edited.replaceAll(dirname(dirname(launcher)), '/opt/staffetta-before');
      expect(moved).not.toBe(edited);
      writeFileSync(join(home, path), moved);
    }
    expect((await run('init', '--yes')).status).toBe(0);
    expect((await run('uninstall', '--yes')).status).toBe(0);
    for (const [path, settings] of Object.entries(own))
      expect(JSON.parse(textIn(home, path))).toEqual({ x: 1, ...settings });
  });

  test('are freed of our part where the copy of what was there is gone', async () => {
    const { home, folder, run } = place({
      '.gemini/settings.json': '{"a":1}\n',
      '.claude/settings.json': '{}\n',
    });
    await run('init', '--yes');
    const kept = join(home, '.local/share/staffetta/installed');
    for (const name of readdirSync(kept)) if (name.startsWith('before-')) rmSync(join(kept, name));
    const ran = await run('uninstall', '--yes');
    expect(ran).toMatchObject({ status: 0 });
    expect(JSON.parse(textIn(home, '.gemini/settings.json'))).toEqual({ a: 1 });
    expect(JSON.parse(textIn(home, '.claude/settings.json'))).toEqual({});
    expect(textIn(folder, 'AGENTS.md')).toBe('# Rules\n\nBe kind.\n');
    expect(existsSync(kept)).toBe(false);
  });

  test('are still JSON after a comment', async () => {
    const { home, run } = place({ ...theirs, '.gemini/settings.json': '{\n  // only a comment\n}\n' });
    await run('init', '--yes');
    const path = join(home, '.gemini/settings.json');
    writeFileSync(path, readFileSync(path, 'utf8').replace('only a', 'only my'));
    await run('uninstall', '--yes');
    expect(readFileSync(path, 'utf8')).toBe('{\n  // only my comment\n}\n');
  });

  test('that make no sense any more are left and named, and the others are undone', async () => {
    const { home, run } = place();
    await run('init', '--yes');
    const broken = join(home, '.gemini/settings.json');
    writeFileSync(broken, '{ broken');
    const ran = await run('uninstall', '--yes');
    expect(ran.status).toBe(1);
    expect(ran.stdout).toContain(`${broken}: left as it is.`);
    const kept = /What was there before is in (\S+)\./.exec(ran.stdout)?.[1] ?? '';
    expect(readFileSync(kept, 'utf8')).toBe(theirs['.gemini/settings.json']);
    expect(readFileSync(broken, 'utf8')).toBe('{ broken');
    expect(textIn(home, '.claude/settings.json')).toBe(theirs['.claude/settings.json']);
    writeFileSync(broken, '{}\n');
    expect((await run('uninstall', '--yes')).status).toBe(0);
    expect(existsSync(kept)).toBe(false);
  });
});

function filesIn(path: string): Record<string, unknown>[] {
  return (JSON.parse(textIn(path, 'installed.json')) as { files: Record<string, unknown>[] }).files;
}

test('a record of the first version is read', async () => {
  const one = place();
  const two = placeIn(one.home);
  const before = [contentOf(one.home), contentOf(one.folder)];
  await one.run('init', '--yes');
  const folder = join(one.home, '.local/share/staffetta/installed');
  const ours = join(one.folder, '.staffetta/installed');
  const agents = filesIn(ours).map((file) => Object.assign(file, { before: 'before-agents' }));
  const files: Record<string, unknown>[] = [...filesIn(folder), ...agents];
  writeFileSync(join(folder, 'before-agents'), '# Rules\n\nBe kind.\n');
  rmSync(ours, { recursive: true });
  const first = files.map((file) => ({ ...file, root: undefined, hooks: undefined, mode: 33_188 }));
  writeFileSync(join(folder, 'installed.json'), JSON.stringify({ v: 1, folders: [folder], files: first }));
  expect((await two.run('uninstall', '--yes')).stderr).toContain(`stay: ${one.folder} is`);
  await one.run('uninstall', '--yes');
  rmSync(join(one.home, '.local/share/staffetta'), { recursive: true, force: true });
  expect([contentOf(one.home), contentOf(one.folder)]).toEqual(before);
});

describe('a store', () => {
  test('outside git goes too if it holds no task', async () => {
    const home = newFolder();
    mkdirSync(join(home, '.codex/sessions'), { recursive: true });
    const here = placeIn(home, newFolder());
    const before = [contentOf(home), foldersOf(home), contentOf(here.folder)];
    await here.run('init', '--yes');
    await here.run('uninstall', '--yes');
    expect([contentOf(home), foldersOf(home), contentOf(here.folder)]).toEqual(before);
  });

  test('that is named alone is created, and no agent is told of what it would not use', async () => {
    const { home, run } = place();
    const before = contentOf(home);
    const store = join(newFolder(), 'store.db');
    const ran = await run('init', '--yes', '--store', store);
    expect(ran).toMatchObject({ status: 0 });
    expect(ran.stderr).toContain(`STAFFETTA_STORE=${store}`);
    expect(existsSync(store)).toBe(true);
    expect(contentOf(home)).toEqual(before);
  });
});

describe.skipIf(process.getuid?.() !== 0)('a folder that may not be written', () => {
  test('is found before the first file is written', async () => {
    const { home, folder } = place();
    const uid = 65_534;
    for (const path of ['', ...foldersOf(home)]) chownSync(join(home, path), uid, uid);
    for (const path of Object.keys(contentOf(home))) chownSync(join(home, path), uid, uid);
    for (const path of ['', ...foldersOf(folder)]) chownSync(join(folder, path), uid, uid);
    chownSync(join(home, '.gemini'), 0, 0);
    chmodSync(join(home, '.gemini'), 0o755);
    const before = contentOf(home);
    const env = { HOME: home, PATH: dirname(process.execPath) };
    const run = async (...args: readonly string[]): Promise<Ran> =>
      await staffetta(args, { cwd: folder, env, uid });
    const ran = await run('init', '--yes');
    expect(ran.stderr).toContain(`you may not write in ${join(home, '.gemini')}`);
    expect(contentOf(home)).toEqual(before);
    expect((await run('uninstall', '--yes')).status).toBe(0);
  });
});
