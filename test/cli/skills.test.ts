/** Skills that travel with a task, as their users meet them: from one machine to another that has none. */
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { newFolder, staffetta, type Json, type Ran } from './command.ts';
import { git, repository, write } from './worked.ts';

const page =
  '---\nname: tally\ndescription: Counts lines.\nallowed-tools: Bash\n---\n\nRun scripts/tally.sh.\n';
const script = '#!/bin/sh\nwc -l < "$1"\n';
// In parts, so that nobody who searches this repository takes it for one.
const secret = ['ghp', '0123456789abcdefghijABCDEFGHIJ012345'].join('_');

interface Machine {
  readonly home: string;
  readonly folder: string;
  readonly run: (...args: readonly string[]) => Promise<Ran>;
}

function machine(folder = repository()): Machine {
  const home = newFolder();
  return {
    home,
    folder,
    run: async (...args) => await staffetta(args, { cwd: folder, env: { HOME: home } }),
  };
}

/** Ada's, whose Claude Code has the skill. */
function givers(): Machine {
  const made = machine();
  const skill = join(made.home, '.claude/skills/tally');
  write(skill, 'SKILL.md', page);
  write(skill, 'scripts/tally.sh', script);
  chmodSync(join(skill, 'scripts/tally.sh'), 0o755);
  return made;
}

const ada = ['--as', 'ada', '--runtime', 'claude-code'];

async function sealed({ run }: Machine, ...more: readonly string[]): Promise<{ task: string; packet: Json }> {
  const opened = await run('open', 'README.md is tallied', '--take', '--skill', 'tally', ...ada, '--json');
  const task = String(opened.json['task']);
  const said = ['--next', 'tally README.md', '--done', 'nothing yet'];
  expect((await run('checkpoint', task, ...said, ...more, ...ada)).status).toBe(0);
  return { task, packet: (await run('show', task, '--json')).json['packet'] as Json };
}

interface Given {
  readonly archive: string;
  readonly task: string;
  readonly packet: Json;
}
let given: Promise<Given> | undefined;

/** Made once for all that begin with it. */
async function exported(): Promise<Given> {
  const giver = givers();
  const { task, packet } = await sealed(giver);
  const archive = join(giver.home, 'task.staffetta');
  expect((await giver.run('export', task, '--out', archive)).status).toBe(0);
  return { archive, task, packet };
}

/** Another machine, which it was brought to and where it can be gone on with. */
async function receivers(): Promise<Machine & Given> {
  const { archive, task: from, packet } = await (given ??= exported());
  const made = machine();
  expect((await made.run('import', archive)).status).toBe(0);
  const forked = await made.run('fork', from, '--at', 'latest', '--why', 'on', '--as', 'bea', '--json');
  const task = String(forked.json['task']);
  // A contract of another store waits until a person of this one has looked at it.
  expect((await made.run('amend', task, '--confirm', '--why', 'seen')).status).toBe(0);
  return { ...made, archive, packet, task };
}

function skillsOf(packet: Json): unknown {
  return (packet['facts'] as Json)['skills'];
}

const bea = ['--as', 'bea', '--runtime', 'codex'];

describe('a skill that a contract names', () => {
  test('is sealed with the packet, and put where the next program loads it, on another machine', async () => {
    const there = await receivers();
    const placed = join(there.folder, '.agents/skills/tally');
    const before = git(there.folder, 'status', '--porcelain');

    const taken = await there.run('take', there.task, ...bea, '--with-skills', '--json');
    expect(taken.json['placed']).toEqual([
      {
        skill: 'tally',
        name: 'tally',
        files: 2,
        executables: ['scripts/tally.sh'],
        sets: ['allowed-tools'],
        outcome: 'placed',
        folder: '.agents/skills/tally',
      },
    ]);
    expect(taken.json['skills']).toEqual([
      { skill: 'tally', by: 'contract', path: '.agents/skills/tally/SKILL.md', carried: 2 },
    ]);
    expect(readFileSync(join(placed, 'SKILL.md'), 'utf8')).toBe(page);
    expect(readFileSync(join(placed, 'scripts/tally.sh'), 'utf8')).toBe(script);
    expect(lstatSync(join(placed, 'scripts/tally.sh')).mode & 0o777).toBe(0o755);
    expect(git(there.folder, 'status', '--porcelain')).toBe(before);
    expect((await there.run('verify')).status).toBe(0);
  });

  test('is written nowhere unless somebody says so, and can be read before', async () => {
    const there = await receivers();
    const taken = await there.run('take', there.task, ...bea);
    expect(taken.stdout).toContain('tally (contract): not in this workspace; came with the packet, 2 files');
    expect(taken.stdout).toContain(`staffetta skills ${there.task} --in RUNTIME`);
    const listed = await there.run('skills', there.task);
    expect(listed.stdout).toContain('Counts lines.\n  its head sets allowed-tools');
    expect(listed.stdout).toContain('scripts/tally.sh, 23 bytes, can be run');
    expect((await there.run('skills', there.task, 'tally')).stdout).toContain('wc -l');
    const dry = await there.run('skills', there.task, '--in', 'opencode', '--dry-run');
    expect(dry.stdout).toContain('.agents/skills/tally (2 files');
    expect([existsSync(join(there.folder, '.agents')), readdirSync(there.home)]).toEqual([false, []]);
    expect((await there.run('skills', there.task, '--in', 'claude-code')).status).toBe(0);
    expect(existsSync(join(there.folder, '.claude/skills/tally/SKILL.md'))).toBe(true);
  });

  test('needs the name of a program before the task is taken', async () => {
    const there = await receivers();
    const refused = await there.run('take', there.task, '--as', 'bea', '--with-skills');
    expect([refused.status, refused.stderr]).toEqual([2, expect.stringContaining('--runtime codex')]);
    expect((await there.run('show', there.task, '--json')).json).toMatchObject({ status: 'offered' });
  });

  test('is put beside the session that resume starts', async () => {
    const there = await receivers();
    const how = ['--in', 'gemini-cli', '--unproven', '--with-skills'];
    const dry = await there.run('resume', there.task, ...how, '--dry-run', '--json');
    expect(dry.json['placed']).toMatchObject([{ outcome: 'placed' }]);
    expect(existsSync(join(there.home, '.gemini/skills'))).toBe(false);
    const resumed = await there.run('resume', '--take', there.task, ...how);
    expect(resumed.stdout).toContain('Skills, where gemini-cli loads them');
    expect(existsSync(join(there.home, '.gemini/skills/tally/SKILL.md'))).toBe(true);
  });

  test('leaves another one of its name as it is, and says so', async () => {
    const there = await receivers();
    write(there.folder, '.agents/skills/tally/SKILL.md', 'mine\n');
    const ran = await there.run('skills', there.task, '--in', 'codex');
    expect([ran.status, ran.stdout]).toEqual([
      1,
      expect.stringContaining('another skill of that name is in .agents/skills/tally'),
    ]);
    expect(readFileSync(join(there.folder, '.agents/skills/tally/SKILL.md'), 'utf8')).toBe('mine\n');
  });

  test('goes on with the next packet where the holder did not take it up', async () => {
    const there = await receivers();
    await there.run('take', there.task, ...bea);
    expect((await there.run('checkpoint', there.task, '--next', 'go on', ...bea)).status).toBe(0);
    const next = (await there.run('show', there.task, '--json')).json['packet'] as Json;
    expect(skillsOf(next)).toEqual(skillsOf(there.packet));
    expect(next['losses']).toBeUndefined();
  });
});

describe('of a skill', () => {
  test('what cannot be carried is listed, and the rest goes along', async () => {
    const giver = givers();
    const skill = join(giver.home, '.claude/skills/tally');
    write(skill, 'keys.txt', `token = "${secret}"\n`);
    symlinkSync('/etc/passwd', join(skill, 'users'));
    const { packet } = await sealed(giver, '--skill', 'lost', '--skill', '../../etc', '--skill', 'limit.js');
    expect(packet['losses']).toEqual([
      { what: 'skill tally', why: 'users is a link, and links are not carried' },
      { what: 'skill tally', why: 'keys.txt has a secret in it' },
      { what: 'skill lost', why: 'no folder of that name with a SKILL.md is here' },
      { what: 'skill ../../etc', why: 'no folder of that name with a SKILL.md is here' },
    ]);
    expect(packet['facts']).toMatchObject({
      skills: [{ name: 'tally', from: 'claude-code', files: [{ path: 'SKILL.md' }, { executable: true }] }],
    });
    const store = readFileSync(join(giver.folder, '.staffetta/store.db'));
    expect(store.includes(secret)).toBe(false);
  });

  test('a value that was taken for a secret elsewhere is not carried either', async () => {
    const giver = givers();
    write(join(giver.home, '.claude/skills/tally'), 'notes.txt', `plain ${secret.slice(4)} words\n`);
    write(giver.folder, 'app.env.txt', `password = "${secret.slice(4)}"\n`);
    const { packet } = await sealed(giver);
    expect(packet['losses']).toEqual([{ what: 'skill tally', why: 'notes.txt has a secret in it' }]);
  });

  test('nothing is carried where its page has a secret, or it is too large', async () => {
    const giver = givers();
    const skills = join(giver.home, '.claude/skills');
    write(skills, 'tally/SKILL.md', `${page}\nUse ${secret}.\n`);
    write(skills, 'large/SKILL.md', page);
    write(skills, 'large/data.txt', 'line\n'.repeat(2_000_000));
    const { packet } = await sealed(giver, '--skill', 'large');
    expect(skillsOf(packet)).toBeUndefined();
    expect(packet['losses']).toEqual([
      { what: 'skill tally', why: 'SKILL.md has a secret in it' },
      { what: 'skill large', why: expect.stringMatching(/^it is larger than/) },
    ]);
  });

  test('a folder that cannot be written is told, and the task is taken all the same', async () => {
    const there = await receivers();
    rmSync(join(there.folder, '.agents'), { recursive: true, force: true });
    mkdirSync(join(there.home, 'elsewhere'));
    symlinkSync(join(there.home, 'elsewhere'), join(there.folder, '.agents'));
    const taken = await there.run('take', there.task, ...bea, '--with-skills');
    expect(taken.stdout).toContain('tally: not written: .agents is not a folder');
    expect([taken.status, readdirSync(join(there.home, 'elsewhere'))]).toEqual([0, []]);
  });
});
