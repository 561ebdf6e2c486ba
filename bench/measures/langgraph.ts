/** The same chain in LangGraph.js with its SQLite checkpointer. */
import { spawnSync } from 'node:child_process';
import { rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { bring, langGraph } from '../material/bring.ts';
import { contextBytes } from './chain-size.ts';
import type { Curve, Curves } from '../draw/curves.ts';
import { notMeasured, verdict, type Section } from '../section.ts';
import { megabytes, median, millis, quartiles } from '../statistics.ts';

const { dependencies } = langGraph;
const hops = 500;
const rounds = 3;
const smallerMin = 20;
const fasterMin = 6;

export async function measureLangGraph(scratch: string): Promise<Section> {
  const title = 'Against LangGraph.js';
  const brought = bring('langgraph', langGraph);
  if ('why' in brought) {
    const lines = [
      notMeasured('size on disk', `≥ ${smallerMin}× smaller`, brought.why),
      notMeasured('time per hop', `≥ ${fasterMin}× faster`, brought.why),
    ];
    return { title, lines, notes: [] };
  }
  const ours: Run[] = [];
  const theirs: Run[] = [];
  const loose: Run[] = [];
  const inside: Run[] = [];
  for (let round = 0; round < rounds; round += 1) {
    ours.push(ourChain(join(scratch, `ours-${round}`, 'store.db')));
    theirs.push(theirChain(join(scratch, 'langgraph.db'), 'FULL'));
    inside.push(theirChain(join(scratch, 'saver.db'), 'staffetta'));
    loose.push(theirChain(join(scratch, 'langgraph.db'), 'NORMAL'));
  }
  const curves = curvesOver(scratch);
  const smaller = ours.map((run, i) => (theirs[i]?.bytes ?? Number.NaN) / run.bytes);
  const faster = ours.map((run, i) => (theirs[i]?.ms ?? Number.NaN) / run.ms);
  const smallerInside = inside.map((run, i) => (theirs[i]?.bytes ?? Number.NaN) / run.bytes);
  const fasterInside = inside.map((run, i) => (theirs[i]?.ms ?? Number.NaN) / run.ms);
  const fasterAnyway = ours.map((run, i) => (loose[i]?.ms ?? Number.NaN) / run.ms);
  return {
    title,
    curves,
    lines: [
      {
        measure: `the same chain of ${hops} hops: size on disk`,
        target: `≥ ${smallerMin}× smaller`,
        result: fold(median(smaller)),
        spread: quartiles(smaller, fold),
        verdict: verdict(median(smaller) >= smallerMin),
      },
      {
        measure: 'the same chain: time per hop, both synced to disk',
        target: `≥ ${fasterMin}× faster`,
        result: fold(median(faster)),
        spread: quartiles(faster, fold),
        verdict: verdict(median(faster) >= fasterMin),
      },
      {
        measure: 'the same chain: time per hop, theirs as shipped',
        target: '',
        result: fold(median(fasterAnyway)),
        spread: quartiles(fasterAnyway, fold),
        verdict: 'for information',
      },
      {
        measure: `a swarm of LangGraph.js with our saver, ${hops} hops: size on disk`,
        target: `≥ ${smallerMin}× smaller`,
        result: fold(median(smallerInside)),
        spread: quartiles(smallerInside, fold),
        verdict: verdict(median(smallerInside) >= smallerMin),
      },
      {
        measure: 'the same swarm: time per hop, both synced to disk',
        target: 'no slower',
        result: fold(median(fasterInside)),
        spread: quartiles(fasterInside, fold),
        verdict: verdict(median(fasterInside) >= 1),
      },
    ],
    notes: [
      `LangGraph.js ${dependencies['@langchain/langgraph']}, checkpointer ${dependencies['@langchain/langgraph-checkpoint-sqlite']}: two nodes hand a list of messages to each other, each hop adds one message of ${contextBytes} random characters, durability \`sync\`. It takes ${megabytes(median(theirs.map((run) => run.bytes)))} and ${millis(perHop(theirs))} a hop; we take ${megabytes(median(ours.map((run) => run.bytes)))} and ${millis(perHop(ours))} with the same text: handed off at the context limit and taken, without the note and the acknowledgement of a planned handoff, for which it has no counterpart. Each chain is made by a new process, and timed from its first hop to its last; by turns, ${rounds} each.`,
      `With [our saver](adapters/langgraph.md) in place of its own the same graph takes ${megabytes(median(inside.map((run) => run.bytes)))} and ${millis(perHop(inside))} a hop. Each hop is a leg there: it writes what the node wrote, the state, the handoff, and that the other agent took it and acknowledged it.`,
      `As shipped, its driver commits with synchronous = NORMAL and does not wait for the disk: ${millis(perHop(loose))} a hop. For the ratio above it was told to wait, as we do. Per hop its checkpointer makes two transactions, one for the message and one for the state; we make two as well.`,
    ],
  };
}

interface Run {
  readonly ms: number;
  readonly bytes: number;
}

const lengths = [50, 100, 200, 350, 500] as const;

/** Once for each length: the curves show a shape, the numbers above are medians. */
function curvesOver(scratch: string): readonly Curves[] {
  const runs = lengths.map((length) => ({
    length,
    ours: ourChain(join(scratch, `ours-of-${length}`, 'store.db'), length),
    theirs: theirChain(join(scratch, 'langgraph.db'), 'FULL', length),
  }));
  const curve = (kind: 'ours' | 'theirs', of: (run: Run) => number): Curve => ({
    name: kind === 'ours' ? 'Staffetta' : 'LangGraph.js',
    kind,
    points: runs.map((each) => [each.length, of(each[kind])] as const),
  });
  return [
    {
      file: 'chain-bytes',
      title: 'A chain on disk, by its length',
      across: `hops, each with ${contextBytes} new characters`,
      unit: (bytes) => (bytes < 1e6 ? `${Math.round(bytes / 1e3)} kB` : `${Math.round(bytes / 1e6)} MB`),
      curves: [curve('ours', ({ bytes }) => bytes), curve('theirs', ({ bytes }) => bytes)],
    },
    {
      file: 'chain-time',
      title: 'A chain in time, by its length',
      across: `hops, each with ${contextBytes} new characters, synced to disk`,
      unit: (ms) => (ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(ms < 10_000 ? 1 : 0)} s`),
      curves: [curve('ours', ({ ms }) => ms), curve('theirs', ({ ms }) => ms)],
    },
  ];
}

function perHop(runs: readonly Run[]): number {
  return median(runs.map((run) => run.ms)) / hops;
}

function fold(ratio: number): string {
  return `${ratio.toFixed(1)}×`;
}

function ourChain(path: string, length: number = hops): Run {
  const script = join(import.meta.dirname, '../children/our-chain.ts');
  return JSON.parse(output('our chain', [script, path, `${length}`, `${contextBytes}`])) as Run;
}

function theirChain(path: string, how: 'FULL' | 'NORMAL' | 'staffetta', length: number = hops): Run {
  const script = join(import.meta.dirname, '../children/langgraph-chain.mjs');
  // Our saver works with the copy of LangGraph.js that this repository has: the same version.
  const folder = join(import.meta.dirname, '../..', ...(how === 'staffetta' ? [] : ['.cache', 'langgraph']));
  const args = [script, folder, path, `${length}`, `${contextBytes}`, how];
  const { ms } = JSON.parse(output('LangGraph', args)) as { ms: number };
  const bytes = statSync(path).size;
  rmSync(path);
  return { ms, bytes };
}

function output(what: string, args: readonly string[]): string {
  const done = spawnSync(process.execPath, args, { encoding: 'utf8', maxBuffer: 16 * 1024 * 1024 });
  if (done.status !== 0) throw new Error(`${what} failed: ${done.stderr.slice(0, 2000)}`);
  return done.stdout;
}
