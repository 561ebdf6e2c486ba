/** A short piece of what `npm run torture` does for as long as one likes. The seed printed replays the choices (STAFFETTA_KILL_SEED), not the timing. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { answeredIn, killAtRandom } from '../torture/random-kills.ts';
import { randomFrom, seedFrom } from './random.ts';

// Many processes: on a machine that is busy with other things they take their time.
vi.setConfig({ testTimeout: 900_000, hookTimeout: 900_000 });

const root = mkdtempSync(join(tmpdir(), 'staffetta-kills-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

test.each([1, 2])('kills at random moments lose nothing that was acknowledged (store %i)', async (store) => {
  const seed = seedFrom('STAFFETTA_KILL_SEED');
  const { kills, operations, entries, faults } = await killAtRandom(
    mkdtempSync(join(root, `${store}-`)),
    12,
    randomFrom(seed),
  );
  const { told, cut } = answeredIn(operations);
  expect(faults, `seed ${seed}`).toEqual([]);
  expect(told).toBeGreaterThan(kills);
  console.log(
    `random kills: seed ${seed}: ${kills} processes killed; ${told} acknowledged, ${cut} cut off, ${entries} entries`,
  );
});
