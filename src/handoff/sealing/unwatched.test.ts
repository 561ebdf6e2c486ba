/** P6, P7: changes where git does not look are on record, and what was newly hidden from it is refused. */
import { appendFileSync, mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { GitFolder } from '../../../test/support/git-folder.ts';
import { ada, HandClock, quinn, stage, type Stage } from '../../../test/support/world.ts';
import { assert } from '../../core/base/assert.ts';
import { readPacket } from '../history/history.ts';
import type { Leg } from '../verbs/leg.ts';
import { pickupOf } from '../views/pickup.ts';

let folder: GitFolder;
let at: Stage;
let leg: Leg;

const check = { run: ['node', 'limit.js'] };

/** Writes later than the clock says, by the clock of the file system, which ticks more slowly than a processor. */
function later(path: string, write: () => void): void {
  do write();
  while (statSync(join(folder.path, path)).ctimeMs <= at.clock.now());
}

const edit = (path: string): void => later(path, () => folder.write(path, 'x\n'));

function exclude(pattern: string): void {
  mkdirSync(join(folder.path, '.git/info'), { recursive: true });
  const list = '.git/info/exclude';
  later(list, () => appendFileSync(join(folder.path, list), `${pattern}\n`));
}

beforeEach(async () => {
  folder = new GitFolder({ '.gitignore': '.env\ndist/\n', 'limit.js': '1;\n' });
  folder.write('.env', 'PORT=3000\n');
  folder.write('dist/a.js', '1;\n');
  const clock = new HandClock(Math.ceil(statSync(join(folder.path, 'dist/a.js')).ctimeMs));
  at = stage({ workspace: folder.path, clock });
  leg = await at.staffetta.begin(
    { goal: 'It counts.', validation: [check], review: { owner: 'lane:audit' } },
    { as: ada },
  );
});

afterEach(() => folder.remove());

async function lossesOf({ packet }: { readonly packet: string | null }): Promise<unknown> {
  const read = await readPacket(at.context, (packet ?? 'sha256:') as `sha256:${string}`);
  return read.losses?.map(({ what, why }) => `${what}: ${why}`);
}

describe('an audit leg', () => {
  beforeEach(async () => {
    await leg.handoff({ to: 'lane:audit' });
    const taken = await at.staffetta.take({ task: leg.task, as: quinn });
    assert(taken !== undefined, 'nothing was taken');
    leg = taken;
    await leg.acknowledge();
  });

  test('that changes what git ignores has it on record', async () => {
    edit('.env');
    edit('dist/a.js');
    const { state } = await leg.complete();
    expect(await lossesOf(state)).toEqual([
      'what git ignores: Changed during the review: .env, dist/a.js. Git ignores it, so nobody can tell how.',
    ]);
  });

  test('that changes nothing says nothing', async () => {
    expect(await lossesOf((await leg.complete()).state)).toBeUndefined();
  });

  test('that hides a new file from git is refused until it is gone', async () => {
    const gated = stage({ world: at.world, clock: at.clock, gate: 'refuse', workspace: folder.path });
    const strict = await gated.staffetta.leg(leg.task, { as: quinn });
    exclude('helper.js');
    edit('helper.js');
    await expect(strict.checkpoint()).rejects.toMatchObject({
      code: 'audit-changed',
      details: { hidden: ['helper.js'] },
    });
    await expect(strict.sendBack([{ text: 'x' }])).rejects.toMatchObject({ code: 'audit-changed' });
    folder.git('clean', '-fdx', '-e', '.env', '-e', 'dist', 'helper.js');
    expect((await strict.sendBack([{ text: 'x' }])).state.status).toBe('rework');
  });
});

const standing = async (): Promise<unknown> => {
  const pickup = await pickupOf(at.context, await leg.state(), { contract: leg.contract, packet: null });
  return [pickup.validation.map((one) => one.standing), pickup.unwatched];
};

describe('a result that holds', () => {
  beforeEach(async () => {
    await leg.validate();
  });

  const changed =
    'Changed after the last run that passed: .env. Git ignores it, and the run may have read it.';

  test('is shown with what git ignores and was changed since', async () => {
    expect(await standing()).toEqual([['bound'], null]);
    edit('.env');
    expect(await standing()).toEqual([['bound'], changed]);
    expect(await lossesOf((await leg.submit()).state)).toEqual([`what git ignores: ${changed}`]);
  });

  test('is not doubted for what a build writes into a folder that is ignored as a whole', async () => {
    edit('dist/b.js');
    expect(await standing()).toEqual([['bound'], null]);
    expect(await lossesOf((await leg.submit()).state)).toBeUndefined();
  });
});
