/** P7: what only a person may approve is watched where git looks away, too. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ada, bea, eve, HandClock, quinn, stage, type Stage } from '../../../test/support/world.ts';

let folder: string;
let at: Stage;

function git(...args: string[]): void {
  execFileSync('git', ['-C', folder, ...args], {
    env: { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' },
  });
}

function write(path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

/** Writes after the task was opened, by the clock of the file system, which ticks more slowly than a processor. */
function writeLater(path: string, text: string): void {
  do write(path, text);
  while (statSync(join(folder, path)).ctimeMs <= at.clock.now());
}

/** The task is opened after all of these were written, also where the file system's clock ticks between two of them. */
const written = ['.env', 'deploy', 'deploy/site.yml', 'deploy/old.yml'];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'watch-'));
  git('init', '-q', '-b', 'main');
  git('config', 'user.email', 'ada@example.com');
  git('config', 'user.name', 'Ada');
  write('limit.js', 'export const limit = 10;\n');
  write('.gitignore', '.env\ndeploy/\ncache/\n');
  git('add', '.');
  git('commit', '-qm', 'Begin.');
  write('.env', 'PORT=3000\n');
  write('deploy/site.yml', 'replicas: 1\n');
  write('deploy/old.yml', 'replicas: 1\n');
  at = stage({
    workspace: folder,
    clock: new HandClock(Math.ceil(Math.max(...written.map((path) => statSync(join(folder, path)).ctimeMs)))),
  });
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

const contract = {
  goal: 'Requests over the limit in limit.js get status 429.',
  protectedPaths: ['.env'],
  review: { owner: 'lane:audit' as const, policy: { paths: ['deploy/**'] } },
};

const envChanged = '.env is protected (.env): git ignores it, and it changed after the task was opened.';

describe('what git ignores', () => {
  test('its change demands a person, by protected path and by policy', async () => {
    const leg = await at.staffetta.begin(contract, { as: ada });
    writeLater('.env', 'PORT=1\n');
    writeLater('deploy/site.yml', 'replicas: 9\n');
    const { state } = await leg.submit();
    expect(state.demands).toEqual([
      envChanged,
      'deploy/site.yml is a path for a person to judge (deploy/**): git ignores it, and it changed after the task was opened.',
    ]);
    const verdict = { approve: true as const, packet: state.packet };
    await expect(at.staffetta.review(leg.task, verdict, { as: quinn })).rejects.toMatchObject({
      code: 'denied',
    });
    expect((await at.staffetta.review(leg.task, verdict, { as: eve })).status).toBe('done');
  });

  test('where it stays as it was, nothing is demanded', async () => {
    const leg = await at.staffetta.begin(contract, { as: ada });
    writeLater('limit.js', 'export const limit = 11;\n');
    writeLater('cache/a.txt', 'not watched\n');
    expect((await leg.submit()).state.demands).toEqual([]);
  });

  test('a new rule does not hide what is protected', async () => {
    write('.gitignore', '');
    git('commit', '-qam', 'Ignore nothing.');
    rmSync(join(folder, '.env'));
    rmSync(join(folder, 'deploy'), { recursive: true });
    const leg = await at.staffetta.begin(contract, { as: ada });
    write('.git/info/exclude', '.env\n');
    writeLater('.env', 'PORT=1\n');
    expect((await leg.submit()).state.demands).toEqual([envChanged]);
  });

  test('what was taken out of a watched folder is noticed by the folder', async () => {
    const leg = await at.staffetta.begin(
      { ...contract, protectedPaths: ['deploy/'], review: {} },
      { as: ada },
    );
    writeLater('deploy/passing.yml', '');
    rmSync(join(folder, 'deploy/passing.yml'));
    expect((await leg.submit()).state.demands).toEqual([
      'deploy is protected (deploy/): git ignores it, and it changed after the task was opened.',
    ]);
  });

  test('a new leg does not forget it', async () => {
    const leg = await at.staffetta.begin(contract, { as: ada });
    writeLater('.env', 'PORT=1\n');
    await at.clock.advance(24 * 3_600_000);
    const next = await at.staffetta.take({ task: leg.task, as: bea });
    await next?.acknowledge();
    expect((await next?.submit())?.state.demands).toEqual([envChanged]);
  });

  test('of many files the first are named, and the others counted', async () => {
    const leg = await at.staffetta.begin(contract, { as: ada });
    for (let n = 10; n < 40; n++) writeLater(`deploy/new/${n}.yml`, '');
    const { demands } = (await leg.submit()).state;
    expect(demands).toHaveLength(21);
    expect(demands.at(-1)).toMatch(/^\d+ more that git ignores are protected/);
  });
});
