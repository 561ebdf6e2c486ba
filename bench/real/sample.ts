/**
 * Sessions drawn by a seed, and of each two briefings without their makers' names, for judges. Which is whose is in a file apart, which
 * judges do not open before they are done.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { briefingsOf, tokenCounter } from './briefing-of.ts';
import type { Capture } from './captures.ts';
import { humanWords } from './human-records.ts';
import { cutTo, isRivals, rivalHandoff } from './rival.ts';

export const facets = [
  'goal',
  'constraints',
  'decisions',
  'dead ends',
  'state',
  'next step',
  'files',
  'what is pending',
] as const;

export interface Draw {
  readonly count: number;
  readonly seed: number;
  readonly budget: number;
  /** The file that `continues` names as its command. */
  readonly rival: string;
  readonly folder: string;
  readonly keyFile: string;
}

export async function writeSample(captures: readonly Capture[], draw: Draw): Promise<void> {
  const { count, seed, budget, rival, folder, keyFile } = draw;
  const tokens = await tokenCounter();
  const key: Record<string, unknown>[] = [];
  const listed: string[] = [];
  for (const capture of drawn(captures, seed)) {
    if (key.length === count) break;
    if (humanWords(readFileSync(capture.path, 'utf8')).typed.length === 0) continue;
    const ours = (await briefingsOf(capture))(budget).text;
    const whole = await rivalHandoff(capture, rival);
    const theirs = cutTo(budget, whole, tokens);
    const number = String(key.length + 1).padStart(2, '0');
    const isOursFirst = Number.parseInt(hashOf(`${seed} side ${capture.name}`).slice(0, 2), 16) % 2 === 0;
    const place = join(folder, number);
    mkdirSync(place, { recursive: true });
    writeFileSync(join(place, 'A.md'), unnamed(isOursFirst ? ours : theirs));
    writeFileSync(join(place, 'B.md'), unnamed(isOursFirst ? theirs : ours));
    const size = { ours: tokens(ours), continues: tokens(theirs), continuesUncut: tokens(whole) };
    key.push({
      number,
      A: isOursFirst ? 'ours' : 'continues',
      B: isOursFirst ? 'continues' : 'ours',
      ...size,
    });
    listed.push(`| ${number} | ${capture.program} | ${capture.path} |`);
    process.stderr.write(`${number} of ${count}\n`);
  }
  writeFileSync(join(folder, 'sheet.md'), sheet(draw, listed));
  writeFileSync(keyFile, `${JSON.stringify({ seed, budget, key }, null, 2)}\n`);
}

/** One capture a session, in an order that the seed decides. */
function drawn(captures: readonly Capture[], seed: number): Capture[] {
  const place = ({ session }: Capture): string => hashOf(`${seed} ${session}`);
  return captures
    .filter((capture) => capture.isLongest && isRivals(capture))
    .toSorted((a, b) => (place(a) < place(b) ? -1 : 1));
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function unnamed(text: string): string {
  return text.replace(/staffetta/gi, 'tool');
}

function sheet({ seed, budget }: Draw, listed: readonly string[]): string {
  return `# Two briefings of each session, ${budget} tokens at most, seed ${seed}

Read the session, then A.md and B.md. Give each 0, 1 or 2 points on each facet, and cite the line that earns them: ${facets.join(', ')}.
Where a session has nothing on a facet, a briefing that claims nothing gets 2. Note every wrong order, and how many lines help nobody.

| Number | Program | Session |
|---|---|---|
${listed.join('\n')}
`;
}
