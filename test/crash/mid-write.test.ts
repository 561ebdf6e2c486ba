/**
 * Between two named steps lie many calls to the disk, most of them inside SQLite's commit and write-back. The process dies before any of
 * them, or with half of a write done.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { storeFolder } from '../../src/home/locate.ts';
import { notProven } from '../faults/not-proven.ts';
import { buildShim, shimEnvironment } from '../faults/shim.ts';
import { inParallel, runChild, type Ended } from './run-child.ts';
import { scenarioNamed } from './scenarios.ts';
import { aftermathFaults, copyTemplate, journalsOf, makeTemplate, openStage } from './stage.ts';

// Many processes: on a machine that is busy with other things they take their time.
vi.setConfig({ testTimeout: 900_000, hookTimeout: 900_000 });

const child = join(import.meta.dirname, 'mid-write-child.ts');
const folder = mkdtempSync(join(tmpdir(), 'staffetta-mid-write-'));
const shim = buildShim(folder);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

if (shim === undefined)
  notProven(
    'that a kill inside a write is harmless',
    'there is no C compiler here to build test/faults/shim.c',
  );

/** The transfer itself, and the verbs that use the disk in a way of their own. */
const names = ['open, creating the store', 'handoff', 'take the next task', 'sweep', 'backup'];

/** Kills of each kind and verb, spread evenly over its calls. */
const killsMax = 16;

async function run(args: readonly string[]): Promise<Ended> {
  return await runChild(child, args, shimEnvironment(shim ?? '', `/${storeFolder}`));
}

describe.skipIf(shim === undefined)('SIGKILL between and inside the calls to the disk', () => {
  test.each(names)('%s survives a kill at any of its calls to the disk', async (name) => {
    const scenario = scenarioNamed(name);
    const template = join(folder, name);
    await makeTemplate(scenario, template);
    copyTemplate(template, `${template} dry`);
    const [all = 0, writes = 0] = (await run([name, `${template} dry`, 'count'])).stdout
      .split(' ')
      .map(Number);
    const dry = await openStage(scenario, `${template} dry`);
    const undisturbed = await journalsOf(dry);
    await dry.close();
    const faults: string[] = [];
    const kills = [...spread(all, 'kill'), ...spread(writes, 'torn')];
    await inParallel(kills, async ([how, nth]) => {
      const at = `${template} ${how} ${nth}`;
      copyTemplate(template, at);
      const ended = await run([name, at, how, `${nth}`]);
      if (ended.signal !== 'SIGKILL') faults.push(`${how} ${nth}: ended with ${ended.code} ${ended.stderr}`);
      const wrong = await aftermathFaults(scenario, at, { told: [], returned: false, undisturbed });
      faults.push(...wrong.map((fault) => `${how} ${nth}: ${fault}`));
      rmSync(at, { recursive: true, force: true });
    });
    expect(faults).toEqual([]);
    console.log(`mid-write: ${name}: ${kills.length} kills in ${all} calls, ${writes} of them writes`);
  });
});

function spread(count: number, how: 'kill' | 'torn'): ['kill' | 'torn', number][] {
  const kills = Math.min(killsMax, count);
  return Array.from({ length: kills }, (_, i) => [how, 1 + Math.floor((i * count) / kills)]);
}
