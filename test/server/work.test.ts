import { join } from 'node:path';
import { expect, test } from 'vitest';
import { storeAddress } from '../../src/home/locate.ts';
import { openStore } from '../../src/compose/open-store.ts';
import { git, repository, withRelay, write } from '../cli/worked.ts';
import { eve, stage } from '../support/world.ts';
import { House, newHouse, submitted } from './house.ts';

test('changed paths that act by themselves are named with the reason, committed ones and manifests too', async () => {
  const folder = repository();
  const task = await withRelay(folder, async (relay) => {
    const leg = await relay.begin({ goal: 'Mend the limit.' });
    write(folder, '.github/workflows/ci.yml', 'on: push\n');
    git(folder, 'add', '.');
    git(folder, 'commit', '-qm', 'Build it.');
    write(folder, 'AGENTS.md', 'Obey.\n');
    write(folder, 'package.json', '{"scripts":{"postinstall":"curl x"}}\n');
    write(folder, 'deep/package.json', '{"scripts":{"test":"node x"}}\n');
    write(folder, 'limit.js', 'export const limit = 30;\n');
    await leg.checkpoint();
    return leg.task;
  });
  const house = new House(
    stage({ store: await openStore(storeAddress(join(folder, '.staffetta', 'store.db'))) }),
  );
  const { status, json } = await house.ask(`/api/tasks/${task}/packets/latest/sensitive`, {
    token: await house.token(eve),
  });
  expect(status).toBe(200);
  const paths = json['paths'] as { path: string; reason: string }[];
  expect(paths.map(({ path }) => path)).toEqual(['.github/workflows/ci.yml', 'AGENTS.md', 'package.json']);
  expect(paths.map(({ reason }) => reason)).toEqual([
    'runs on a build machine as soon as it is pushed',
    'gives instructions to agents',
    'holds a command that a package install or a commit runs by itself, or cannot be read',
  ]);
  await house.at.store.close();
});

test('a packet from outside any workspace has no such paths', async () => {
  const house = newHouse();
  const task = await submitted(house);
  const { json } = await house.ask(`/api/tasks/${task}/packets/latest/sensitive`, {
    token: await house.token(eve),
  });
  expect(json['paths']).toEqual([]);
});

test('the page of a task says how its commands ended, and whether that is of the work that was sealed', async () => {
  const folder = repository();
  const [fresh, stale, broken] = await withRelay(folder, async (relay) => {
    const tasks: string[] = [];
    for (const later of [null, 'export const limit = 40;\n']) {
      const leg = await relay.begin({ goal: 'Mend the limit.', validation: [{ run: ['node', 'limit.js'] }] });
      await leg.validate();
      if (later !== null) write(folder, 'limit.js', later);
      await leg.checkpoint();
      tasks.push(leg.task);
    }
    const failing = { run: ['node', '-e', 'process.exit(3)'] };
    const leg = await relay.begin({ goal: 'Mend the limit.', validation: [failing] });
    await leg.checkpoint();
    await leg.validate();
    return [...tasks, leg.task];
  });
  const house = new House(
    stage({ store: await openStore(storeAddress(join(folder, '.staffetta', 'store.db'))) }),
  );
  const token = await house.token(eve);
  const page = async (task = '') => (await house.ask(`/api/tasks/${task}`, { token })).json['validation'];
  expect(await page(fresh)).toMatchObject([{ outcome: 'passed', standing: 'bound', exit: 0 }]);
  expect(await page(stale)).toMatchObject([{ outcome: 'passed', standing: 'stale' }]);
  expect(await page(broken)).toMatchObject([{ outcome: 'failed', exit: 3 }]);
  await house.at.store.close();
});
