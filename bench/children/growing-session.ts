/** Seals a session, lets it grow by a hundredth, seals it again, and prints the second time over the first. */
import { appendFileSync, closeSync, openSync, readSync, statSync, writeFileSync } from 'node:fs';
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { bindSession } from '../../src/handoff/sealing/native-session.ts';
import { openStaffetta } from '../../src/index.ts';
import { allRuntimes } from '../../src/runtimes/index.ts';
import { timed } from '../statistics.ts';

const [name = '', path = '', folder = ''] = process.argv.slice(2);
const runtime = allRuntimes({ HOME: folder }).find((one) => one.name === name);
if (runtime === undefined) throw new Error(`no runtime ${name}`);
const scratch = mkdtempSync(join(folder, 'round-'));
const place = { runtime: runtime.name, id: 'growing', path: join(scratch, 'session.jsonl') };
const { size } = statSync(path);
const cut = lineEnd(Math.floor(size / 1.01));
writeFileSync(place.path, bytesOf(0, cut));
const staffetta = await openStaffetta({
  store: join(scratch, 'store.db'),
  workspace: join(folder, 'work'),
  as: 'bench',
});
const leg = await staffetta.begin({ goal: 'Carry on.' });
const input = { session: bindSession(runtime, place), trigger: 'context-limit' as const };
const first = await timed(async () => void (await leg.checkpoint(input)));
appendFileSync(place.path, bytesOf(cut, size));
const second = await timed(async () => void (await leg.checkpoint(input)));
await staffetta.close();
process.stdout.write(String(second / first));

function bytesOf(from: number, to: number): Buffer {
  const file = openSync(path, 'r');
  const bytes = Buffer.alloc(to - from);
  readSync(file, bytes, 0, bytes.length, from);
  closeSync(file);
  return bytes;
}

/** Behind the line that goes on at a place. */
function lineEnd(from: number): number {
  return from + bytesOf(from, size).indexOf(10) + 1;
}
