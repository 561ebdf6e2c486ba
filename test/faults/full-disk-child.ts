/**
 * Writes until the disk is full, tries on, makes room, and goes on: in a process of its own, because a full disk under a
 * memory-mapped file can kill one.
 *
 *   node full-disk-child.ts <folder>
 *
 * Prints "told <task> <seq> <digest>" for every acknowledged entry and "refused <code>" for every refusal, with what the disk said if
 * that is not the code of a full disk.
 */
import { rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { openStaffetta, type Staffetta } from '../../src/library/staffetta.ts';
import { isStaffettaError, type StaffettaError } from '../../src/core/base/error.ts';
import type { Leg } from '../../src/handoff/verbs/leg.ts';
import { noise } from '../crash/scenario.ts';
import { sayNow } from '../crash/stage.ts';

const [folder = ''] = process.argv.slice(2);
const store = join(folder, 'store.db');

let count = 0;

function inWords({ code, message, details, cause }: StaffettaError): string {
  if (code === 'store-full') return code;
  const { bavail, bsize } = statfsSync(folder);
  const native = cause instanceof Error ? cause.message : String(cause);
  return `${code}: ${message} ${native} ${JSON.stringify(details)}, with ${bavail * bsize} bytes free`;
}

/** A note or a checkpoint; false if there was no room for it. */
async function write(leg: Leg): Promise<boolean> {
  count += 1;
  try {
    const { state, entry } =
      count % 3 === 0
        ? await leg.checkpoint({ transcript: noise(20_000, count) })
        : await leg.carry([{ type: 'note', text: `Note ${count}. ${'All is well. '.repeat(80)}` }]);
    sayNow(`told ${state.task} ${entry?.seq} ${state.head}`);
    return true;
  } catch (error) {
    if (!isStaffettaError(error)) throw error;
    sayNow(`refused ${inWords(error)}`);
    return false;
  }
}

async function reopened(): Promise<Staffetta | undefined> {
  try {
    return await openStaffetta({ gate: 'record', store, as: 'ada' });
  } catch (error) {
    if (!isStaffettaError(error)) throw error;
    sayNow(`reopening refused ${inWords(error)}`);
    return undefined;
  }
}

const staffetta = await openStaffetta({ gate: 'record', store, as: 'ada' });
const { task } = await staffetta.begin({ goal: 'Fill the shelf.' });
const leg = await staffetta.leg(task);
while (await write(leg));
sayNow('full');
for (let i = 0; i < 6; i += 1) await write(leg);
sayNow(`readable ${(await staffetta.verify()).faults.length === 0}`);
await staffetta.close();

const inTheDark = await reopened();
if (inTheDark !== undefined) {
  const again = await inTheDark.leg(task);
  for (let i = 0; i < 3; i += 1) await write(again);
  await inTheDark.close();
}

rmSync(join(folder, 'ballast'));
sayNow('room');
const later = await openStaffetta({ gate: 'record', store, as: 'ada' });
const same = await later.leg(task);
for (let i = 0; i < 6; i += 1)
  if (!(await write(same))) throw new Error('there is room, and still no writing');
await later.close();
