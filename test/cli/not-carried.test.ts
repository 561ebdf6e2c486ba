/** What did not travel with a packet: one list, whichever view of the packet a reader looks at. */
import { truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openStaffetta } from '../../src/library/staffetta.ts';
import { limits } from '../../src/core/base/limits.ts';
import { newFolder, staffetta } from './command.ts';
import { code } from './stage.ts';
import { contract, repository } from './worked.ts';

const captured = 'the changed files are captured';

async function handedOver(leave: (folder: string) => void) {
  const folder = repository();
  const store = join(folder, '.staffetta', 'store.db');
  const relay = await openStaffetta({ gate: 'record', store, as: code, workspace: folder });
  try {
    const { task } = await relay.begin(contract);
    leave(folder);
    const give = ['--to', 'anyone', '--trigger', 'context-limit', '--next', 'raise the limit in limit.js'];
    const given = await staffetta(['handoff', task, '--as', 'code', ...give], { cwd: folder });
    expect(given.status).toBe(0);
    return { folder, task, given };
  } finally {
    await relay.close();
  }
}

function large(folder: string): void {
  writeFileSync(join(folder, 'new.big'), '');
  truncateSync(join(folder, 'new.big'), limits.captureFileBytesMax + 1);
}

test('files that an emergency left behind are named by every view, and none calls them captured', async () => {
  const { folder, task, given } = await handedOver((into) => {
    large(into);
    writeFileSync(Buffer.concat([Buffer.from(`${into}/`), Buffer.from('lat\xe9', 'latin1')]), 'x');
  });
  const run = async (...args: readonly string[]) => await staffetta(args, { cwd: folder });
  const lost = [
    ['new.big', 'larger than one captured file may be'],
    ['lat\ufffd', 'has a name that is not UTF-8'],
  ];
  const views = {
    handoff: given,
    show: await run('show', task),
    packet: await run('show', task, '--packet', 'latest'),
    review: await run('review', task),
    'HANDOFF.md': await run('brief', task),
    briefing: await run('brief', task, '--budget', '4000'),
    restore: await run('restore', task, '--worktree', join(newFolder(), 'restored')),
    page: await run('report', task),
  };
  for (const [view, { stdout, stderr }] of Object.entries(views)) {
    const shown = `${stdout}${stderr}`.replaceAll(/\s+/g, ' ');
    const said = view === 'handoff' ? ' could not be captured:' : '';
    for (const [path, why] of lost) expect.soft(shown, view).toContain(`${path}${said} ${why}`);
    expect.soft(shown, view).not.toContain(captured);
  }
  expect(views.show.stdout).toContain('2 paths of the workspace: listed as not carried over, with why');
  const { packet } = (await run('show', task, '--json')).json as {
    packet: { facts: { workspace: { losses: unknown; lossesLeft: number } } };
  };
  expect(packet.facts.workspace.losses).toEqual([
    { path: 'lat\ufffd', reason: 'name-not-utf8' },
    { path: 'new.big', reason: 'too-large', bytes: limits.captureFileBytesMax + 1 },
  ]);
});

test('a limit that somebody could still name leaves time for the diff', async () => {
  const { given } = await handedOver((into) => writeFileSync(join(into, 'new.txt'), 'small\n'));
  expect(`${given.stdout}${given.stderr}`.replaceAll(/\s+/g, ' ')).not.toContain('there was no time');
});
