/** Phases of a contract, and how far the work is, as the command says it. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { staffetta, type Ran } from './command.ts';
import { asCode, stages, type Stage } from './stage.ts';

async function inside({ folder }: Pick<Stage, 'folder'>, ...args: readonly string[]): Promise<Ran> {
  return await staffetta(args, { cwd: folder });
}

/** The command that was printed as the next one. */
function step(ran: Ran): string[] {
  return (/→ staffetta (.+)/.exec(ran.stderr)?.[1] ?? '').split(' ');
}

describe('phases', () => {
  test('are started, verified and undone in their order, and the next step can be typed as printed', async () => {
    const at = await stages.phased();
    const status = await inside(at, 'phase', 'status', at.task);
    expect(status.stdout).toMatch(
      /^1\. dig: not started\n {3}For\n {5}six holes\n {3}Accepted when\n {5}each is 60 cm deep\n/,
    );
    const started = await inside(at, ...step(status), ...asCode);
    expect(started.stdout).toBe(`Phase dig of ${at.task} is started.\n`);
    writeFileSync(join(at.folder, 'fence.txt'), 'fallen\n');
    const failed = await inside(at, ...step(started), ...asCode);
    expect(failed.status).toBe(6);
    expect(failed.stdout).toMatch(/^failed with exit code 3 .*\n(?:.*\n)*Phase dig of t\w+ is not done\.\n$/);
    expect((await inside(at, 'phase', 'status', at.task)).stdout).toMatch(
      /^1\. dig: not verified: .* check\.mjs did not pass\.\n/,
    );
    const lock = join(at.folder, '.git', 'index.lock');
    writeFileSync(lock, '');
    const half = await inside(at, 'phase', 'rollback', 'dig', '--why', 'it fell', ...asCode);
    rmSync(lock);
    expect(half).toMatchObject({
      status: 6,
      stdout: expect.stringContaining(`The rollback of phase dig of ${at.task} failed.\n`),
      stderr: expect.stringContaining(
        `  → staffetta phase rollback ${at.task} dig --why "…"\n  → or: staffetta phase verify ${at.task} dig\n`,
      ),
    });
    expect((await inside(at, 'phase', 'status', at.task)).stdout).toMatch(
      /^1\. dig: its rollback failed: git checkout -- fence\.txt did not succeed when the phase was to be undone\.\n/,
    );
    const undone = await inside(at, 'phase', 'rollback', 'dig', '--why', 'it fell', ...asCode);
    expect(undone).toMatchObject({ status: 0, stdout: expect.stringContaining(' is rolled back.') });
    expect(undone.stdout).toContain('  The workspace is another now.\n');
    expect(undone.stdout).not.toContain('Run it again');
    expect(readFileSync(join(at.folder, 'fence.txt'), 'utf8')).toBe('one post\n');
    const again = await inside(at, ...step(undone), ...asCode);
    const verified = await inside(at, ...step(again), ...asCode, '--json');
    expect(verified.json).toMatchObject({ phase: 'dig', moved: 'verified', runs: [{ passed: true }] });
    await inside(at, 'phase', 'start', 'nail the boards', ...asCode);
    const unshown = await inside(at, 'phase', 'verify', 'nail the boards', ...asCode);
    expect(unshown).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('say what shows that it is done'),
    });
    const shown = ['phase', 'verify', at.task, 'nail the boards', '--because', 'ada saw it', ...asCode];
    expect((await inside(at, ...shown)).status).toBe(0);
    const end = await inside(at, 'phase', 'status', at.task, '--json');
    expect(end.json).toMatchObject({ next: null, phases: [{ status: 'verified' }, { status: 'verified' }] });
    const shaken = await inside(at, 'phase', 'rollback', 'dig', '--why', 'too shallow', ...asCode);
    expect(shaken.stdout).toContain('Phase nail the boards comes after it and has to be verified again.\n');
    expect(shaken.stderr.match(/→ .*/g)).toEqual([`→ staffetta phase start ${at.task} dig`]);
    expect((await inside(at, 'phase', 'status', at.task)).stdout).toContain(
      '2. nail the boards: to be verified again: Phase dig, which comes before it, was undone.\n',
    );
    const early = await inside(at, ...shown);
    expect(early).toMatchObject({ status: 5, stderr: expect.stringContaining('Phase dig comes first') });
  });
});

test('a dry run of a phase starts none of its commands', async () => {
  const at = await stages.phased();
  await inside(at, 'phase', 'start', 'dig', ...asCode);
  writeFileSync(join(at.folder, 'fence.txt'), 'two posts\n');
  const dry = ['--why', 'x', '--dry-run', ...asCode];
  const undone = await inside(at, 'phase', 'rollback', 'dig', ...dry);
  expect(undone).toMatchObject({ status: 0, stderr: 'Would run: git checkout -- fence.txt\n' });
  expect(readFileSync(join(at.folder, 'fence.txt'), 'utf8')).toBe('two posts\n');
  const verified = await inside(at, 'phase', 'verify', 'dig', '--dry-run', ...asCode, '--json');
  expect(verified.json).toMatchObject({ dryRun: true, runs: [] });
  const { json } = await inside(at, 'phase', 'status', at.task, '--json');
  expect(json).toMatchObject({ phases: [{ status: 'started' }, { status: null }] });
});

test('progress tells the next holder where to go on', async () => {
  const at = await stages.held();
  const place = ['--at', '730000', '--of', '1000000', '--unit', 'rows', '--cursor', 'id > 730000'];
  const moved = await inside(at, 'progress', ...place, ...asCode);
  expect(moved.stdout).toBe(`${at.task} is at 730000 of 1000000 rows (73 %).\n`);
  const given = ['--next', 'import the rest of fence.txt', '--artefact', 'fence.txt'];
  await inside(at, 'handoff', at.task, '--to', 'anyone', ...given, ...asCode);
  const taken = await inside(at, 'take', at.task, '--as', 'next');
  expect(taken.stdout).toContain('Progress\n  go on at 730000 of 1000000 rows (73 %)\n  with: id > 730000\n');
});
