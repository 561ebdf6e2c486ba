/** The same graph of tasks, durable on disk, by our supervisor, by openworkflow and by LangGraph.js: what it costs, and what 20 kills do to it. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { bring, langGraph } from '../material/bring.ts';
import { notMeasured, verdict, type Line, type Section } from '../section.ts';
import { median, quartiles, times } from '../statistics.ts';

const openWorkflow = { dependencies: { openworkflow: '0.10.1' } } as const;
const peers = {
  openworkflow: { named: 'openworkflow', wanted: openWorkflow },
  langgraph: { named: 'LangGraph.js', wanted: langGraph },
} as const;
type Kind = 'staffetta' | keyof typeof peers;

const tasks = 1000;
const rounds = 3;
const kills = 20;
const dearerMax = 5;
const seed = 7;
/** Of a line that a task writes: its name and a line end. */
const lineBytes = 7;

export async function measureCrewPeers(scratch: string): Promise<Section> {
  const lines: Line[] = [];
  const folders = new Map<Kind, string>([['staffetta', join(import.meta.dirname, '../..')]]);
  for (const kind of ['openworkflow', 'langgraph'] as const) {
    const { named, wanted } = peers[kind];
    const brought = bring(kind, wanted);
    if ('folder' in brought) folders.set(kind, brought.folder);
    else lines.push(notMeasured(`processor time, against ${named}`, '', brought.why));
  }
  const placeOf = (kind: Kind, name: string): Place => {
    const folder = join(scratch, 'crew-peers', `${kind}-${name}`);
    mkdirSync(folder, { recursive: true });
    const args = [folders.get(kind) ?? '', join(folder, 'store.db'), `${tasks}`, join(folder, 'ran')];
    return { folder, args: [join(import.meta.dirname, '../children/crew-dag.mjs'), kind, ...args] };
  };
  const seconds = new Map<Kind, number[]>();
  for (let round = 0; round < rounds; round += 1)
    for (const kind of folders.keys())
      seconds.set(kind, [...(seconds.get(kind) ?? []), processorSeconds(placeOf(kind, `${round}`))]);
  const ours = seconds.get('staffetta') ?? [];
  const twice = new Map<Kind, number>();
  for (const kind of folders.keys()) twice.set(kind, await ranTwice(kind, placeOf(kind, 'killed')));
  for (const kind of ['openworkflow', 'langgraph'] as const) {
    const theirs = seconds.get(kind);
    if (theirs === undefined) continue;
    const dearer = ours.map((one, i) => one / (theirs[i] ?? Number.NaN));
    lines.push({
      measure: `processor time for ${tasks} tasks that wait for each other, against ${peers[kind].named}`,
      target: kind === 'openworkflow' ? `≤ ${dearerMax}×` : '',
      result: times(median(dearer)),
      spread: quartiles(dearer, times),
      verdict: kind === 'openworkflow' ? verdict(median(dearer) <= dearerMax) : 'for information',
    });
  }
  for (const [kind, count] of twice)
    lines.push({
      measure: `tasks that ran twice after ${kills} kills: ${kind === 'staffetta' ? 'ours' : peers[kind].named}`,
      target: '',
      result: `${count} of ${tasks}`,
      spread: '',
      verdict: 'for information',
    });
  const told = [...seconds].map(
    ([kind, all]) => `${kind === 'staffetta' ? 'ours' : peers[kind].named} ${median(all).toFixed(2)} s`,
  );
  return {
    title: 'The same graph of tasks with others',
    lines,
    notes: [
      `A new process for each, by turns, ${rounds} each; processor time from the first task to the last: ${told.join(', ')}. All wait for the disk at every commit. A task of openworkflow is two writes of a row, one of LangGraph.js a row and its part of a checkpoint; one of ours is a contract, an offer, a leg with a lease, a briefing and a packet, each in a chain of hashes. In openworkflow the graph is two workflows, because one has room for ${tasks} attempts.`,
      `A process is killed with SIGKILL when as many tasks have run as chance says, the same ${kills} numbers for all, and another goes on with its database. Whatever is at work then runs again, since nobody can know how far it came; with us that is a leg of its own in the journal of the task. A lease of openworkflow, 30 s, is ended by hand, so that nobody waits for it.`,
    ],
  };
}

interface Place {
  readonly folder: string;
  readonly args: readonly string[];
}

function processorSeconds({ args }: Place): number {
  const done = spawnSync(process.execPath, args, { encoding: 'utf8', maxBuffer: 16 * 1024 * 1024 });
  if (done.status !== 0) throw new Error(`${args[1]} failed: ${done.stderr.slice(0, 2000)}`);
  return (JSON.parse(done.stdout) as { ms: number }).ms / 1000;
}

async function ranTwice(kind: Kind, { folder, args }: Place): Promise<number> {
  const ran = join(folder, 'ran');
  for (const more of chosen()) {
    const after = linesIn(ran) + more;
    const child = spawn(process.execPath, args, { stdio: 'ignore' });
    const over = once(child, 'exit');
    while (linesIn(ran) < after && child.exitCode === null) await sleep(1);
    child.kill('SIGKILL');
    await over;
    if (child.exitCode !== null) throw new Error(`${kind} ended before it was killed`);
    if (kind === 'openworkflow') endLease(join(folder, 'store.db'));
  }
  processorSeconds({ folder, args });
  const names = readFileSync(ran, 'utf8').trim().split('\n');
  if (new Set(names).size !== tasks) throw new Error(`${kind} left tasks out`);
  return [...Map.groupBy(names, (name) => name).values()].filter((all) => all.length > 1).length;
}

/** How many tasks run before each kill: less than all of them together. */
function chosen(): readonly number[] {
  let last = seed;
  const next = (): number => (last = (Math.imul(last, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 32;
  return Array.from({ length: kills }, () => 1 + Math.floor((next() * 1.6 * tasks) / kills));
}

function linesIn(file: string): number {
  return existsSync(file) ? statSync(file).size / lineBytes : 0;
}

function endLease(path: string): void {
  const database = new DatabaseSync(path);
  database.exec(`UPDATE workflow_runs SET available_at = created_at WHERE status = 'running'`);
  database.close();
}
