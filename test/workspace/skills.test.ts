/** Skills on disk: what is read of a folder, what is not, and what is written where. */
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { limits } from '../../src/core/base/limits.ts';
import { runtimeNames, type RuntimeName } from '../../src/core/resume/runtime-names.ts';
import type { FoundSkill, ReadySkill, Skills } from '../../src/ports/skills.ts';
import { loadSkillFolders } from '../../src/runtimes/load.ts';
import { openSkills } from '../../src/workspace/skill/open.ts';

let base = '';
let root = '';
let home = '';
let skills: Skills;

beforeEach(async () => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'staffetta-skills-')));
  root = join(base, 'work');
  home = join(base, 'home');
  mkdirSync(root);
  mkdirSync(home);
  skills = openSkills({ root, places: await loadSkillFolders({ HOME: home }) });
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

function page(name: string): string {
  return `---\nname: ${name}\ndescription: Says ${name}.\n---\n`;
}

const ready = (name: string, more: readonly string[] = []): ReadySkill => ({
  name,
  files: [
    { path: 'SKILL.md', content: Buffer.from(page('tally')), executable: false },
    ...more.map((path) => ({ path, content: Buffer.from('#!/bin/sh\n'), executable: true })),
  ],
});

function ordersOf<T>(all: readonly T[]): T[][] {
  if (all.length === 0) return [[]];
  return all.flatMap((one) => ordersOf(all.filter((other) => other !== one)).map((rest) => [one, ...rest]));
}

const pathsOf = (found: Awaited<ReturnType<Skills['find']>>): string[] =>
  (found as FoundSkill).files.map(({ path }) => path);

const pageIn = (found: Awaited<ReturnType<Skills['find']>>): string =>
  Buffer.from((found as FoundSkill).files[0]?.content ?? []).toString();

describe('a skill is found', () => {
  test.each([
    '.claude/skills',
    '.agents/skills',
    '.codex/skills',
    '.gemini/skills',
    '.opencode/skill',
    '.opencode/skills',
    'skills',
  ])('in %s of the workspace', async (folder) => {
    write(join(root, folder, 'tally/SKILL.md'), page('tally'));
    expect(await skills.find('tally')).toMatchObject({ name: 'tally', from: 'workspace' });
    expect(await skills.pathOf('tally')).toBe(`${folder}/tally/SKILL.md`);
  });

  test.each([
    ['.claude/skills', 'claude-code'],
    ['.codex/skills', 'codex'],
    ['.gemini/skills', 'gemini-cli'],
    ['.config/opencode/skills', 'opencode'],
  ])('in %s of the user', async (folder, from) => {
    write(join(home, folder, 'tally/SKILL.md'), page('tally'));
    expect(await skills.find('tally')).toMatchObject({ name: 'tally', from });
    expect(await skills.pathOf('tally')).toBeNull();
  });

  test('by its path, and by that of its page', async () => {
    write(join(root, 'docs/how/tally/SKILL.md'), page('tally'));
    for (const path of ['docs/how/tally', 'docs/how/tally/SKILL.md'])
      expect(await skills.find(path)).toMatchObject({ name: 'tally', from: 'workspace' });
  });

  test('first where the program looks that the work was done in', async () => {
    write(join(home, '.claude/skills/tally/SKILL.md'), 'of Claude Code');
    write(join(home, '.codex/skills/tally/SKILL.md'), 'of Codex');
    expect(pageIn(await skills.find('tally', 'codex'))).toBe('of Codex');
    expect(pageIn(await skills.find('tally', 'claude-code'))).toBe('of Claude Code');
  });

  test('behind a link from one folder for skills to another', async () => {
    write(join(root, '.agents/skills/tally/SKILL.md'), page('tally'));
    mkdirSync(join(root, '.claude/skills'), { recursive: true });
    symlinkSync('../../.agents/skills/tally', join(root, '.claude/skills/tally'));
    expect(pathsOf(await skills.find('tally', 'claude-code'))).toEqual(['SKILL.md']);
  });
});

describe('of a skill', () => {
  test('every file is read with its mode, and neither a repository in it nor what we put beside it', async () => {
    const folder = join(root, '.agents/skills/tally');
    write(join(folder, 'SKILL.md'), page('tally'));
    write(join(folder, 'scripts/deep/run.sh'), '#!/bin/sh\n');
    chmodSync(join(folder, 'scripts/deep/run.sh'), 0o755);
    write(join(folder, '.git/config'), '[core]\n');
    write(join(folder, '.gitignore'), '*\n');
    const found = (await skills.find('tally')) as FoundSkill;
    expect(found.files.map(({ path, executable }) => [path, executable])).toEqual([
      ['SKILL.md', false],
      ['scripts/deep/run.sh', true],
    ]);
    expect(found.losses).toEqual([]);
  });

  test('links and names that lie are left out by name', async () => {
    const folder = join(root, '.agents/skills/tally');
    write(join(folder, 'SKILL.md'), page('tally'));
    write(join(base, 'private'), 'mine');
    symlinkSync(join(base, 'private'), join(folder, 'link'));
    symlinkSync('..', join(folder, 'up'));
    write(join(folder, 'gpj\u202e.exe'), 'x');
    const found = (await skills.find('tally')) as FoundSkill;
    expect(pathsOf(found)).toEqual(['SKILL.md']);
    expect(found.losses.map(({ path }) => path).toSorted()).toEqual(['gpj\u202e.exe', 'link', 'up']);
  });

  test('whose page is a link, nothing is found', async () => {
    mkdirSync(join(root, '.agents/skills/tally'), { recursive: true });
    write(join(base, 'private'), 'mine');
    symlinkSync(join(base, 'private'), join(root, '.agents/skills/tally/SKILL.md'));
    expect(await skills.find('tally')).toBeNull();
  });

  test('whose folder is a link that leads out, nothing is read', async () => {
    write(join(base, 'elsewhere/SKILL.md'), page('tally'));
    mkdirSync(join(root, '.agents/skills'), { recursive: true });
    symlinkSync(join(base, 'elsewhere'), join(root, '.agents/skills/tally'));
    expect(await skills.find('tally')).toEqual({ unfit: expect.stringContaining('leads out') });
  });

  test.each(['../home/.claude/skills/tally', '/etc', '..', '.', 'a/../../b', '', 'SKILL.md'])(
    'that is called %j, nothing is read',
    async (name) => {
      write(join(home, '.claude/skills/tally/SKILL.md'), page('tally'));
      write(join(root, 'SKILL.md'), page('all'));
      expect(await skills.find(name)).toBeNull();
    },
  );

  test('that is too large, or has too many files, nothing is carried', async () => {
    write(join(root, 'skills/large/SKILL.md'), page('large'));
    writeFileSync(join(root, 'skills/large/data'), Buffer.alloc(limits.skillBytesMax));
    expect(await skills.find('large')).toEqual({ unfit: expect.stringContaining('larger than') });
    write(join(root, 'skills/many/SKILL.md'), page('many'));
    for (let n = 0; n < limits.skillFilesMax; n += 1) writeFileSync(join(root, `skills/many/f${n}`), '');
    expect(await skills.find('many')).toEqual({ unfit: expect.stringContaining('more than') });
  });
});

describe('a skill is put', () => {
  test.each([
    ['claude-code', '.claude/skills/tally'],
    ['codex', '.agents/skills/tally'],
    ['opencode', '.agents/skills/tally'],
  ] as const)('for %s into the workspace, as %s, and git ignores it', async (runtime, folder) => {
    expect(await skills.place(ready('tally', ['scripts/run.sh']), { runtime })).toEqual({
      outcome: 'placed',
      folder,
    });
    expect(lstatSync(join(root, folder, 'scripts/run.sh')).mode & 0o777).toBe(0o755);
    expect(readFileSync(join(root, folder, '.gitignore'), 'utf8')).toBe('*\n');
    expect(readdirSync(join(root, dirname(folder)))).toEqual(['tally']);
    expect(await skills.place(ready('tally', ['scripts/run.sh']), { runtime })).toEqual({
      outcome: 'here',
      folder,
    });
  });

  test('where every program finds it, in whatever order it was put for them', async () => {
    const readable: Readonly<Record<RuntimeName, readonly string[]>> = {
      'claude-code': ['.claude/skills'],
      cline: ['.agents/skills'],
      codex: ['.agents/skills'],
      'copilot-cli': [join(home, '.copilot/skills')],
      opencode: ['.agents/skills', '.claude/skills'],
      'gemini-cli': [join(home, '.gemini/skills')],
      'qwen-code': ['.agents/skills', '.qwen/skills', '.claude/skills'],
    };
    // Copilot CLI has a folder of the user, as Gemini CLI has: in every order of the others it stands somewhere else.
    const others = ordersOf<RuntimeName>(runtimeNames.filter((name) => name !== 'copilot-cli'));
    const orders = others.map((order, at) => order.toSpliced(at % 6, 0, 'copilot-cli'));
    for (const order of orders) {
      for (const folder of [root, home]) rmSync(folder, { recursive: true, force: true });
      for (const folder of [root, home]) mkdirSync(folder);
      for (const runtime of order) {
        const { folder } = await skills.place(ready('tally'), { runtime });
        expect({ order, runtime, in: readable[runtime].includes(dirname(folder)) }).toEqual({
          order,
          runtime,
          in: true,
        });
        expect(existsSync(join(resolve(root, folder), 'SKILL.md'))).toBe(true);
      }
    }
  });

  test('for gemini-cli into the folder of the user, since it reads nothing that git ignores', async () => {
    const folder = join(home, '.gemini/skills/tally');
    expect(await skills.place(ready('tally'), { runtime: 'gemini-cli' })).toEqual({
      outcome: 'placed',
      folder,
    });
    expect(readdirSync(folder)).toEqual(['SKILL.md']);
  });

  test('nowhere in a dry run', async () => {
    for (const runtime of ['codex', 'gemini-cli'] as const)
      expect(await skills.place(ready('tally'), { runtime, dryRun: true })).toMatchObject({
        outcome: 'placed',
      });
    expect([...readdirSync(root), ...readdirSync(home)]).toEqual([]);
  });

  test.each([
    ['another page', 'work/.agents/skills/tally/SKILL.md'],
    ['another place of the workspace', 'work/.codex/skills/tally/SKILL.md'],
    ['the folder of the user', 'home/.codex/skills/tally/SKILL.md'],
  ])('nowhere where one of that name is different: %s', async (_, path) => {
    write(join(base, path), page('other'));
    expect(await skills.place(ready('tally'), { runtime: 'codex' })).toMatchObject({ outcome: 'different' });
    expect(readFileSync(join(base, path), 'utf8')).toBe(page('other'));
  });

  test('nowhere where it has one file more, or another mode', async () => {
    await skills.place(ready('tally', ['run.sh']), { runtime: 'codex' });
    chmodSync(join(root, '.agents/skills/tally/run.sh'), 0o644);
    expect(await skills.place(ready('tally', ['run.sh']), { runtime: 'codex' })).toMatchObject({
      outcome: 'different',
    });
    expect(await skills.place(ready('tally'), { runtime: 'codex' })).toMatchObject({ outcome: 'different' });
  });

  test.each(['.agents', '.agents/skills'])('nowhere through a link: %s', async (link) => {
    mkdirSync(join(base, 'elsewhere'));
    mkdirSync(dirname(join(root, link)), { recursive: true });
    symlinkSync(join(base, 'elsewhere'), join(root, link));
    for (const dryRun of [true, false])
      expect(await skills.place(ready('tally'), { runtime: 'codex', dryRun })).toMatchObject({
        outcome: 'refused',
        why: `${link} is not a folder`,
      });
    expect(readdirSync(join(base, 'elsewhere'))).toEqual([]);
  });

  test('nowhere where a link of its name leads nowhere', async () => {
    mkdirSync(join(root, '.agents/skills'), { recursive: true });
    symlinkSync(join(base, 'gone'), join(root, '.agents/skills/tally'));
    expect(await skills.place(ready('tally'), { runtime: 'codex' })).toMatchObject({ outcome: 'different' });
    expect(existsSync(join(base, 'gone'))).toBe(false);
  });

  test.each([
    ['../tally', []],
    ['..', []],
    ['tally', ['../run.sh']],
    ['tally', ['/tmp/run.sh']],
    ['tally', ['.git/hooks/pre-commit']],
    ['tally', ['a', 'a/b']],
    ['tally', ['Skill.md']],
  ])('nowhere as %j with %j', async (name, more) => {
    expect(await skills.place(ready(name, more), { runtime: 'codex' })).toMatchObject({ outcome: 'refused' });
    expect(readdirSync(root)).toEqual([]);
  });
});
