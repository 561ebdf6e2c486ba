/** Sealing a packet from a large repository, again and again, as an agent does that checkpoints now and then. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openStaffetta } from '../../src/library/staffetta.ts';
import { makeRepository } from '../material/repository.ts';
import type { Section } from '../section.ts';
import { median, millis, quartiles, timed } from '../statistics.ts';

const rounds = 15;

export async function measureSealing(scratch: string): Promise<Section> {
  const folder = join(scratch, 'sealing');
  const work = join(folder, 'work');
  mkdirSync(folder);
  const { news } = makeRepository(work, { files: 10_000, changed: 25, untracked: 25 });
  const staffetta = await openStaffetta({ store: join(folder, 'store.db'), workspace: work, as: 'bench' });
  const leg = await staffetta.begin({ goal: 'Carry on.' });
  const first = await timed(async () => void (await leg.checkpoint()));
  const taken: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const path = join(work, news[round % news.length] ?? '');
    writeFileSync(path, `${readFileSync(path, 'utf8')}round ${round}\n`);
    taken.push(await timed(async () => void (await leg.checkpoint())));
  }
  await staffetta.close();
  return {
    title: 'Sealing from a workspace',
    lines: [
      {
        measure:
          'first checkpoint of a 10,000-file repository with 50 changes: captured, searched, judged, on disk',
        target: '',
        result: millis(first),
        spread: '',
        verdict: 'for information',
      },
      {
        measure: 'the next ones, with one file changed since',
        target: '',
        result: millis(median(taken)),
        spread: quartiles(taken, millis),
        verdict: 'for information',
      },
    ],
    notes: [
      `${rounds} checkpoints after the first. Content that was searched once in a process is not searched again.`,
    ],
  };
}
