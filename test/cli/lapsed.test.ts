/** Leases that are over, at the command line. */
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { openStaffetta } from '../../src/library/staffetta.ts';
import { newFolder, staffetta } from './command.ts';

test('ls lists just what is held by somebody who fell silent', async () => {
  const cwd = newFolder();
  const relay = await openStaffetta({ store: join(cwd, '.staffetta', 'store.db'), workspace: cwd });
  const silent = await relay.begin(
    { goal: 'Silent.' },
    { as: { name: 'ada', lane: 'execute' }, leaseMs: 100 },
  );
  await relay.begin({ goal: 'Works.' }, { as: { name: 'bea', lane: 'execute' }, leaseMs: 3_600_000 });
  await relay.open({ goal: 'Waits.' });
  await relay.close();
  await vi.waitFor(async () => {
    const { json, status } = await staffetta(['ls', '--lapsed', '--json'], { cwd });
    expect(status).toBe(0);
    expect((json['tasks'] as { task: string }[]).map(({ task }) => task)).toEqual([silent.task]);
  }, 20_000);
  const both = await staffetta(['ls', '--lapsed', '--status', 'offered'], { cwd });
  expect([both.status, both.stderr]).toEqual([2, expect.stringContaining('--lapsed')]);
});

test('staffetta alone names what take would give because its holder fell silent, and the command', async () => {
  const cwd = newFolder();
  const relay = await openStaffetta({ store: join(cwd, '.staffetta', 'store.db'), workspace: cwd });
  const as = { name: 'ada', lane: 'execute' } as const;
  const { task } = await relay.begin({ goal: 'Silent.' }, { as, leaseMs: 100 });
  await relay.begin({ goal: 'Works.' }, { as, leaseMs: 3_600_000 });
  await relay.close();
  const eve = ['--as', 'eve', '--lane', 'execute'];
  await vi.waitFor(async () => {
    const { json } = await staffetta([...eve, '--json'], { cwd });
    expect((json['silent'] as { task: string }[]).map((card) => card.task)).toEqual([task]);
  }, 20_000);
  for (const who of [eve, []]) {
    const { stdout, stderr } = await staffetta(who, { cwd });
    expect(stdout).toContain('fell silent');
    expect(stdout).not.toContain('Nothing is waiting');
    expect(stderr).toContain(`→ staffetta take ${task}`);
  }
  // Another lane is not given it, and its own holder is told that it holds it.
  for (const who of [
    ['--as', 'bea', '--lane', 'audit'],
    ['--as', 'ada', '--lane', 'execute'],
  ])
    expect((await staffetta([...who, '--json'], { cwd })).json['silent']).toEqual([]);
  expect((await staffetta([...eve, 'take', '--json'], { cwd })).json['task']).toBe(task);
});

test('staffetta alone counts all that it does not show, and tells a person of each task once', async () => {
  const cwd = newFolder();
  const relay = await openStaffetta({ store: join(cwd, '.staffetta', 'store.db'), workspace: cwd });
  for (let i = 0; i < 13; i++)
    await relay.begin({ goal: `Works ${i}.` }, { as: { name: 'ada', lane: 'execute' }, leaseMs: 3_600_000 });
  const working = (await staffetta([], { cwd })).stdout;
  for (let i = 0; i < 13; i++)
    await relay.begin({ goal: `Silent ${i}.` }, { as: { name: 'bea', lane: 'execute' }, leaseMs: 100 });
  await relay.close();
  expect(working).toContain('and 3 more: staffetta ls');
  await vi.waitFor(async () => {
    const { json } = await staffetta(['--json'], { cwd });
    expect(json['silent']).toHaveLength(13);
  }, 20_000);
  const eve = ['--as', 'eve', '--lane', 'execute'];
  const forEve = (await staffetta(eve, { cwd })).stdout;
  expect(forEve).toMatch(/yours to take\n(?:.*\n){11} +and 3 more: staffetta ls/);
  expect(forEve).toContain('needs you');
  const forPerson = async (): Promise<string> => (await staffetta([], { cwd })).stdout;
  const before = await forPerson();
  expect(before.match(/: bea fell silent/g)).toHaveLength(5);
  expect(before).toMatch(/and 8 more: staffetta inbox\n\nIn work/);
  expect(before).not.toContain('yours to take');
  // Who gets nothing takes nothing off the list.
  await staffetta(['take', '--as', 'zoe', '--lane', 'audit'], { cwd });
  expect(await forPerson()).toMatch(/and 8 more: staffetta inbox\n\nIn work/);
});
