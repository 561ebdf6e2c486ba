/**
 * No text keeps a reader or a rule busy without bound. Each hostile text goes to each of them in a process of its own, which is ended
 * where nothing comes back: the limit is far above what any of them needs on a busy machine, and far below what something needs whose
 * time grows with a power of the length. In `npm test` each reader has one in sixty of the texts, and all that kept something busy once.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, test } from 'vitest';
import { sampleEnvironment } from '../support/sample.ts';

const patienceMs = 30_000;
const child = join(import.meta.dirname, 'child.ts');

interface Run {
  /** What it was about to do when it was ended; undefined where it came to its end. */
  readonly stuck?: string;
  readonly next: number;
  readonly finished: boolean;
}

/** From the nth work on, until one does not come back. */
async function worked(
  length: number,
  from: number,
  { program = child, limitMs = patienceMs } = {},
): Promise<Run> {
  const started = spawn(process.execPath, [program, String(length), String(from)], {
    env: { ...process.env, ...sampleEnvironment() },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  let next = from;
  let stuck: string | undefined;
  const over = (): void => {
    stuck = said;
    started.kill('SIGKILL');
  };
  let limit = setTimeout(over, limitMs);
  const lines = createInterface({ input: started.stdout });
  lines.on('line', (line) => {
    clearTimeout(limit);
    limit = setTimeout(over, limitMs);
    const [n = '', ...words] = line.split('\t');
    said = words.join('\t');
    next = Number(n) + 1;
  });
  const [code] = (await once(started, 'close')) as [number | null];
  clearTimeout(limit);
  return { ...(stuck === undefined ? {} : { stuck }), next, finished: code === 0 };
}

async function allStuck(length: number): Promise<string[]> {
  const found: string[] = [];
  for (let run = await worked(length, 0); ; run = await worked(length, run.next)) {
    if (run.finished) return found;
    found.push(run.stuck ?? `it ended by itself at work ${run.next - 1}`);
    // One is enough to fail, and a few to see what they have in common.
    if (found.length === 5) return found;
  }
}

// One waits for the other's limit to pass.
describe.concurrent('every reader and rule, with hostile texts', () => {
  test('of 100,000 characters, comes back', { timeout: 1_800_000 }, async ({ expect }) => {
    expect(await allStuck(100_000)).toEqual([]);
  });

  test('and one that does not is found', async ({ expect }) => {
    const { stuck, finished } = await worked(0, 0, {
      program: join(import.meta.dirname, 'never.ts'),
      limitMs: 10_000,
    });
    expect([stuck, finished]).toEqual(['a pattern that backtracks', false]);
  });
});
