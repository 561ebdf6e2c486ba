/** A session that has run out of context seals what it knows: the checkpoint must not be what it runs out of time for. */
import { createHash } from 'node:crypto';
import { createReadStream, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openStaffetta } from '../src/library/staffetta.ts';
import { sourceText, transcriptOf } from './redaction.ts';
import { makeRepository } from './repository.ts';
import { verdict, type Section } from './section.ts';
import { median, millis, quartiles, timed, times } from './statistics.ts';

const bytes = 10_000_000;
const rounds = 9;
const warmUp = 2;
const msMax = 1000;
const ratioMax = 4;

export async function measureEmergency(scratch: string): Promise<Section> {
  const folder = join(scratch, 'emergency');
  mkdirSync(folder);
  const { news } = makeRepository(join(folder, 'work'), { files: 200, changed: 5, untracked: 5 });
  const staffetta = await openStaffetta({
    store: join(folder, 'store.db'),
    workspace: join(folder, 'work'),
    as: 'bench',
  });
  const whole = transcriptOf(sourceText())
    .toString('utf8')
    .slice(0, bytes)
    .split(/(?<=\n)/);
  const taken = { ours: [] as number[], bare: [] as number[] };
  for (let round = -warmUp; round < rounds; round += 1) {
    const file = join(folder, `session-${round}.jsonl`);
    writeFileSync(file, [`{"type":"summary","round":${round}}\n`, ...shifted(whole, round)].join(''));
    const leg = await staffetta.begin({ goal: 'Carry on.' }, { key: `round ${round}` });
    const bare = await timed(async () => await readAndHash(file));
    const ours = await timed(
      async () =>
        void (await leg.checkpoint({ transcript: createReadStream(file), trigger: 'context-limit' })),
    );
    if (round < 0) continue;
    taken.bare.push(bare);
    taken.ours.push(ours);
  }
  await staffetta.close();
  const ratios = taken.ours.map((ms, i) => ms / (taken.bare[i] ?? Number.NaN));
  return {
    title: 'Sealing in an emergency',
    lines: [
      {
        measure: 'checkpoint with a new transcript of 10 MB and a workspace, wall time',
        target: `p50 < ${millis(msMax)}`,
        result: millis(median(taken.ours)),
        spread: quartiles(taken.ours, millis),
        verdict: verdict(median(taken.ours) < msMax),
      },
      {
        measure: 'the same, against reading and hashing the same bytes',
        target: `p50 ≤ ${ratioMax}×`,
        result: times(median(ratios)),
        spread: quartiles(ratios, times),
        verdict: verdict(median(ratios) <= ratioMax),
      },
      {
        measure: 'reading and hashing, wall time',
        target: '',
        result: millis(median(taken.bare)),
        spread: quartiles(taken.bare, millis),
        verdict: 'for information',
      },
    ],
    notes: [
      `The transcript is searched for secrets, cut, compressed, hashed and on disk before the checkpoint is acknowledged; the workspace has ${news.length} untracked and 5 changed files, and no diff is made in an emergency. Each round has a transcript of its own, ${rounds} rounds.`,
    ],
  };
}

async function readAndHash(file: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of createReadStream(file)) hash.update(piece as Buffer);
  return hash.digest('hex');
}

/** The same records in another order, so that nothing of it is in the store already. */
function shifted(lines: readonly string[], by: number): string[] {
  const at = (Math.abs(by) * 97) % lines.length;
  return [...lines.slice(at), ...lines.slice(0, at)];
}
