/**
 * Between two named steps lie many calls to the disk, most of them inside SQLite's commit and write-back. The process dies before any of
 * them, or with half of a write done; in `npm test` one in twenty, and of each verb at least one of every kind of call to every file.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { storeFolder } from '../../src/home/locate.ts';
import { notProven } from '../faults/not-proven.ts';
import { buildShim, fileKind, shimEnvironment, type TracedCall } from '../faults/shim.ts';
import { sample } from '../support/sample.ts';
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

interface Kill {
  readonly how: 'kill' | 'torn';
  readonly nth: number;
  readonly at: string;
}

async function run(args: readonly string[]): Promise<Ended> {
  return await runChild(child, args, shimEnvironment(shim ?? '', `/${storeFolder}`));
}

describe.skipIf(shim === undefined)('SIGKILL between and inside the calls to the disk', () => {
  test.each(names)('%s survives a kill at any of its calls to the disk', async (name) => {
    const scenario = scenarioNamed(name);
    const template = join(folder, name);
    await makeTemplate(scenario, template);
    copyTemplate(template, `${template} dry`);
    const { stdout } = await run([name, `${template} dry`, 'count']);
    const calls = JSON.parse(stdout) as TracedCall[];
    const dry = await openStage(scenario, `${template} dry`);
    const undisturbed = await journalsOf(dry);
    await dry.close();
    const faults: string[] = [];
    const all = [
      ...killsAt(calls, 'kill'),
      ...killsAt(
        calls.filter(({ kind }) => kind === 'write'),
        'torn',
      ),
    ];
    const kills = sample(`kills inside calls to the disk: ${name}`, all, {
      oneIn: 20,
      kindOf: (kill) => `${kill.how} ${kill.at}`,
    });
    await inParallel(kills, async ({ how, nth }) => {
      const at = `${template} ${how} ${nth}`;
      copyTemplate(template, at);
      const ended = await run([name, at, how, `${nth}`]);
      if (ended.signal !== 'SIGKILL') faults.push(`${how} ${nth}: ended with ${ended.code} ${ended.stderr}`);
      const wrong = await aftermathFaults(scenario, at, { told: [], returned: false, undisturbed });
      faults.push(...wrong.map((fault) => `${how} ${nth}: ${fault}`));
      rmSync(at, { recursive: true, force: true });
    });
    expect(faults).toEqual([]);
    console.log(`mid-write: ${name}: ${kills.length} of ${all.length} kills`);
  });
});

function killsAt(calls: readonly TracedCall[], how: Kill['how']): Kill[] {
  return calls.map((call, i) => ({ how, nth: i + 1, at: `${call.kind} ${fileKind(call)}` }));
}
