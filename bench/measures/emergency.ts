/** A session that has run out of context seals what it knows: the checkpoint must not be what it runs out of time for. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sourceText, transcriptOf } from './redaction.ts';
import { makeRepository } from '../material/repository.ts';
import { verdict, type Section } from '../section.ts';
import { median, millis, quartiles, times } from '../statistics.ts';

const bytes = 10_000_000;
const rounds = 9;
const warmUp = 2;
const msMax = 1000;
const ratioMax = 12;

export async function measureEmergency(scratch: string): Promise<Section> {
  const folder = join(scratch, 'emergency');
  mkdirSync(folder);
  const { news } = makeRepository(join(folder, 'work'), { files: 200, changed: 5, untracked: 5 });
  const whole = transcriptOf(sourceText())
    .toString('utf8')
    .slice(0, bytes)
    .split(/(?<=\n)/);
  const sessions = Array.from({ length: warmUp + rounds }, (_, round) => {
    const file = join(folder, `session-${round}.jsonl`);
    writeFileSync(file, [`{"type":"summary","round":${round}}\n`, ...shifted(whole, round)].join(''));
    return file;
  });
  const taken = checkpointed(folder, sessions).slice(warmUp);
  const ours = taken.map((one) => one.ours);
  const bare = taken.map((one) => one.bare);
  const ratios = taken.map((one) => one.ours / one.bare);
  return {
    title: 'Sealing in an emergency',
    lines: [
      {
        measure: 'checkpoint with a new transcript of 10 MB and a workspace, wall time',
        target: `p50 < ${millis(msMax)}`,
        result: millis(median(ours)),
        spread: quartiles(ours, millis),
        verdict: verdict(median(ours) < msMax),
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
        result: millis(median(bare)),
        spread: quartiles(bare, millis),
        verdict: 'for information',
      },
    ],
    notes: [
      `The transcript is searched for secrets, cut, compressed, hashed and on disk before the checkpoint is acknowledged; the workspace has ${news.length} untracked and 5 changed files, which are captured beside it with a diff. In a profile the search for secrets took a quarter of it, starting git another quarter, and reading, hashing, compressing and the commit about 6 % each. Each round has a transcript of its own, ${rounds} rounds in one process.`,
    ],
  };
}

interface Taken {
  readonly ours: number;
  readonly bare: number;
}

/** In a process of its own, as small as the one that seals: git is started by a copy of it. */
function checkpointed(folder: string, sessions: readonly string[]): readonly Taken[] {
  const child = join(import.meta.dirname, '../children/emergency-child.ts');
  const ran = spawnSync(process.execPath, [child, folder, ...sessions], { encoding: 'utf8' });
  if (ran.status !== 0) throw new Error(ran.stderr);
  return JSON.parse(ran.stdout) as Taken[];
}

/** The same records in another order, so that nothing of it is in the store already. */
function shifted(lines: readonly string[], by: number): string[] {
  const at = (by * 97) % lines.length;
  return [...lines.slice(at), ...lines.slice(0, at)];
}
