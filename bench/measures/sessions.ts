/** Sessions of coding agents: reading long ones, taking what is new, listing many, rescuing one. */
import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { copyFileSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Transcript } from '../../src/core/transcript/step.ts';
import type { Runtime, SessionPlace } from '../../src/ports/runtime.ts';
import { allRuntimes } from '../../src/runtimes/index.ts';
import { longTranscript, writeSession } from '../material/long-session.ts';
import { proseTranscript } from '../material/prose-session.ts';
import { makeRepository } from '../material/repository.ts';
import { verdict, type Line, type Section } from '../section.ts';
import { median, megabytes, millis, quartiles, timed, times } from '../statistics.ts';

const bytesLong = 100_000_000;
const bytesGrowing = 50_000_000;
const bytesRescued = 10_000_000;
/** Of the bytes of such a session so much is what was said. */
const proseShare = 0.8;
const many = 1000;
const launcher = join(import.meta.dirname, '../..', 'bin', 'staffetta.cjs');
const inFiles: ReadonlySet<string> = new Set(['claude-code', 'codex', 'gemini-cli']);

export async function measureSessions(scratch: string): Promise<Section> {
  const home = join(scratch, 'agents');
  mkdirSync(home, { recursive: true });
  const runtimes = allRuntimes({ HOME: home }).filter(({ name }) => inFiles.has(name));
  const lines: Line[] = [];
  for (const runtime of runtimes) lines.push(...(await reading(runtime, scratch)));
  for (const runtime of runtimes) lines.push(await growing(runtime, scratch));
  lines.push(
    ...(await listing(scratch)),
    ...(await rescuing(scratch, 'rescue', { of: 'a session', transcript: longTranscript(bytesRescued) })),
    ...(await rescuing(scratch, 'rescue-prose', {
      of: 'a session that is all prose,',
      transcript: proseTranscript(bytesRescued * proseShare),
    })),
  );
  return {
    title: 'Sessions of coding agents',
    lines,
    notes: [
      `Reading is capturing all records and making steps of them, by turns with \`JSON.parse\` of every line of the same file, 3 rounds. Memory is what capturing alone takes beyond its start. The sessions have turns of a question, a call with 3 kB of source as its result, and an answer, written by our own writers for each program.`,
      `The second checkpoint is of a session of ${megabytes(bytesGrowing)} that grew by 1 %, on SQLite with a workspace; it hashes what was captured before, to know that it did not change, which takes 3 to 5 % by itself, and starts git as often as the first. The commands are whole processes. Prose is prompts and answers of 1.5 kB, in words that follow each other in the comments of this repository; hardly a sentence is like another. opencode keeps its sessions in a database and is not in this table.`,
    ],
  };
}

async function drain(runtime: Runtime, place: SessionPlace, keep: Uint8Array[] | null): Promise<number> {
  let peak = 0;
  let seen = 0;
  for await (const record of (await runtime.capture(place)).records) {
    keep?.push(record);
    seen += 1;
    if (seen % 5000 === 0) peak = Math.max(peak, process.memoryUsage().rss);
  }
  return peak;
}

async function reading(runtime: Runtime, scratch: string): Promise<Line[]> {
  const place = await writeSession(runtime, longTranscript(bytesLong), join(scratch, `long-${runtime.name}`));
  const { size } = statSync(place.path);
  globalThis.gc?.();
  const before = process.memoryUsage().rss;
  const growth = Math.max(0, (await drain(runtime, place, null)) - before);
  const ratios: number[] = [];
  const walls: number[] = [];
  for (let round = -1; round < 3; round += 1) {
    const bare = await timed(async () => {
      let sum = 0;
      for (const line of readFileSync(place.path, 'utf8').split('\n'))
        if (line !== '') sum += Object.keys(JSON.parse(line) as object).length;
      await Promise.resolve(sum);
    });
    const ours = await timed(async () => {
      const records: Uint8Array[] = [];
      await drain(runtime, place, records);
      if (runtime.read(records).steps.length === 0) throw new Error('nothing was read');
    });
    if (round < 0) continue;
    ratios.push(ours / bare);
    walls.push(ours);
  }
  return [
    {
      measure: `${runtime.name}: reading a session of ${megabytes(size)}, against \`JSON.parse\` of its lines`,
      target: '≤ 2×',
      result: times(median(ratios)),
      spread: quartiles(ratios, times),
      verdict: verdict(median(ratios) <= 2),
    },
    {
      measure: `${runtime.name}: memory that capturing it takes`,
      target: 'flat',
      result: megabytes(growth),
      spread: '',
      verdict: verdict(growth < size / 2),
    },
  ];
}

async function growing(runtime: Runtime, scratch: string): Promise<Line> {
  const folder = join(scratch, `growing-${runtime.name}`);
  mkdirSync(folder, { recursive: true });
  makeRepository(join(folder, 'work'), { files: 50, changed: 2, untracked: 1 });
  const whole = await writeSession(runtime, longTranscript(bytesGrowing * 1.01), folder);
  const ratios = Array.from({ length: 5 }, () => grownOnce(runtime.name, whole.path, folder));
  return {
    measure: `${runtime.name}: second checkpoint of a session of ${megabytes(bytesGrowing)} that grew by 1 %, over the first`,
    target: '≤ 5 %',
    result: `${(median(ratios) * 100).toFixed(1)} %`,
    spread: quartiles(ratios, (ratio) => `${(ratio * 100).toFixed(1)} %`),
    verdict: verdict(median(ratios) <= 0.05),
  };
}

/** In a process of its own: starting git from one that has held a hundred megabytes takes longer than git does. */
function grownOnce(runtime: string, path: string, folder: string): number {
  const child = join(import.meta.dirname, '../children/growing-session.ts');
  const ran = spawnSync(process.execPath, [child, runtime, path, folder], { encoding: 'utf8' });
  if (ran.status !== 0) throw new Error(ran.stderr);
  return Number(ran.stdout);
}

async function listing(scratch: string): Promise<Line[]> {
  const home = join(scratch, 'many');
  const work = join(home, 'work');
  makeRepository(work, { files: 5, changed: 0, untracked: 0 });
  const [claude] = allRuntimes({ HOME: home });
  if (claude === undefined) throw new Error('no runtime');
  const { path } = await writeSession(claude, longTranscript(20_000), work);
  for (let n = 1; n < many; n += 1) copyFileSync(path, join(path, '..', `${randomUUID()}.jsonl`));
  const timesBare = (args: readonly string[]): number[] =>
    Array.from({ length: 9 }, () => {
      const bare = ended(['-e', '0'], home, work).ms;
      return command(['sessions', '--json', ...args], home, work).ms / bare;
    }).slice(1);
  const usual = timesBare([]);
  const all = timesBare(['--limit', String(many)]);
  return [
    {
      measure: `\`staffetta sessions\` over ${many} sessions, over \`node -e 0\``,
      target: '≤ 6×',
      result: times(median(usual)),
      spread: quartiles(usual, times),
      verdict: verdict(median(usual) <= 6),
    },
    {
      measure: `the same with all ${many} of them read and shown`,
      target: '',
      result: times(median(all)),
      spread: quartiles(all, times),
      verdict: 'for information',
    },
  ];
}

interface Rescued {
  readonly of: string;
  readonly transcript: Transcript;
}

async function rescuing(scratch: string, name: string, { of, transcript }: Rescued): Promise<Line[]> {
  const walls: number[] = [];
  const ratios: number[] = [];
  let size = 0;
  for (let round = 0; round < 5; round += 1) {
    const home = join(scratch, `${name}-${round}`);
    const work = join(home, 'work');
    makeRepository(work, { files: 50, changed: 2, untracked: 1 });
    const [claude] = allRuntimes({ HOME: home });
    if (claude === undefined) throw new Error('no runtime');
    const { path } = await writeSession(claude, transcript, work);
    const lines = readFileSync(path, 'utf8').split(/(?<=\n)/);
    // Ends in a call without its result, if it has calls.
    const at = lines.findLastIndex((line) => line.includes('tool_use"'));
    if (at !== -1) writeFileSync(path, lines.slice(0, at + 1).join(''));
    ({ size } = statSync(path));
    const { ms, said } = command(['rescue', 'latest', '--json'], home, work);
    if (!said.startsWith('{"rescued":[{')) throw new Error(`nothing was rescued: ${said}`);
    walls.push(ms);
    const bare = await timed(async () => {
      for (const line of readFileSync(path, 'utf8').split('\n')) if (line !== '') JSON.parse(line);
      await Promise.resolve();
    });
    ratios.push(ms / bare);
  }
  const own: Line = {
    measure: `\`staffetta rescue\` of ${of} of ${megabytes(size)}, wall time`,
    target: '< 1000 ms',
    result: millis(median(walls)),
    spread: quartiles(walls, millis),
    verdict: verdict(median(walls) < 1000),
  };
  const over: Line = {
    measure: 'the same, against `JSON.parse` of its lines',
    target: '',
    result: times(median(ratios)),
    spread: quartiles(ratios, times),
    verdict: 'for information',
  };
  return [own, over];
}

interface Ended {
  readonly ms: number;
  readonly said: string;
}

function command(args: readonly string[], home: string, cwd: string): Ended {
  return ended([launcher, ...args], home, cwd);
}

function ended(args: readonly string[], home: string, cwd: string): Ended {
  const { NODE_EXTRA_CA_CERTS: _unused, ...env } = process.env;
  const from = performance.now();
  const ran = spawnSync(process.execPath, args, {
    cwd,
    env: { ...env, HOME: home },
    encoding: 'utf8',
  });
  const ms = performance.now() - from;
  if (ran.status !== 0) throw new Error(`${args.join(' ')} ended with ${String(ran.status)}: ${ran.stderr}`);
  return { ms, said: ran.stdout };
}
