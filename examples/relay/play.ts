/**
 * A relay, played for real: three roles in separate processes carry one task in a scratch repository; one of them is killed
 * in the middle of its leg. Nothing about the transfer is staged: this program only starts and kills processes and
 * waits for what the journal says.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { openStaffetta, type TimelineLeg } from 'staffetta';
import { playCrew, type CrewPlayed } from './crew.ts';
import { git, makeWorkplace, runTests } from './workplace.ts';

const folder = makeWorkplace();
const store = join(folder, '.staffetta', 'store.db');
const started = Date.now();

function tell(who: string, text: string): void {
  const at = ((Date.now() - started) / 1000).toFixed(2).padStart(6);
  process.stdout.write(`${at}s  ${who.padEnd(9)} ${text}\n`);
}

/** Starts an agent and hands each of its lines to `heard`. */
function start(
  role: string,
  name: string,
  heard: (line: string, agent: ChildProcess) => void = () => {},
): Promise<number | null> {
  const agent = spawn(process.execPath, [join(import.meta.dirname, 'agent.ts'), role, name, store, folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  createInterface({ input: agent.stdout }).on('line', (line) => {
    tell(name, line);
    heard(line, agent);
  });
  return once(agent, 'close').then(([status]) => status as number | null);
}

/** An agent whose leg must end well. Where it does not, nothing is there for the next one, which would wait for ever. */
async function carry(role: string, name: string): Promise<void> {
  const status = await start(role, name);
  if (status !== 0) await stop(`${name} did not get through (exit code ${status ?? 'none'})`);
}

async function stop(why: string): Promise<never> {
  tell('you', `${why}: the relay ends here`);
  print(
    `\nThe task is ${(await relay.show(task)).status}. What happened: staffetta log ${task}, in ${folder}`,
  );
  await relay.close();
  process.exit(1);
}

function print(text = ''): void {
  process.stdout.write(`${text}\n`);
}

print(`A relay in ${folder}

Agents in processes of their own carry one task: research, then code, then qa. One is killed on the way. They are
scripted and call no model; the work, the store, the leases and the refusals are real.
`);
const relay = await openStaffetta({ store, workspace: folder, as: { name: 'you', kind: 'human' } });
const { task } = await relay.open(
  {
    goal: 'slug() in slug.mjs turns any title into plain lower-case words joined by dashes',
    acceptance: ['node --test passes', 'slug.test.mjs is unchanged'],
    nonGoals: ['transliteration of other scripts'],
    validation: [{ run: ['node', '--test', '--test-reporter=tap', 'slug.test.mjs'], name: 'tests' }],
    protectedPaths: ['slug.test.mjs'],
    review: { owner: 'lane:audit' },
  },
  { to: 'lane:plan' },
);
tell('you', `opened ${task}, offered to the plan lane`);

await carry('research', 'research');
let isKilled = false;
const ended = await start('code', 'code-1', (line, agent) => {
  if (!line.startsWith('half-way')) return;
  isKilled = true;
  agent.kill('SIGKILL');
  tell('you', `killed code-1 (pid ${agent.pid ?? '?'}) with SIGKILL, in the middle of its leg`);
});
if (!isKilled) await stop(`code-1 ended before it was half-way (exit code ${ended ?? 'none'})`);
tell('you', 'started code-2; it waits for the lease of code-1 to run out');
await carry('code', 'code-2');
await carry('code', 'code-1');
await carry('qa', 'qa');

const { status } = await relay.show(task);
const legs = await relay.timeline(task);
const verification = await relay.verify();
print(`\nThe legs of ${task}:\n`);
print(legTable(legs));
print(
  `\nTask: ${status}. Tests in the repository: ${runTests(folder).passed ? 'pass' : 'FAIL'}. Changed: ${git(folder, 'diff', '--stat').split('\n').at(-1)?.trim() ?? ''}.`,
);
print(
  verification.faults.length === 0
    ? `verify: ok (${verification.entries} entries, ${verification.blobs} blobs; chain, digests and references hold)`
    : `verify: ${verification.faults.map((fault) => fault.text).join('\n')}`,
);
const launcher = join(import.meta.dirname, '..', '..', 'bin', 'staffetta.cjs');
const isWell = status === 'done' && verification.faults.length === 0;
const crew = isWell ? await carryPlan() : undefined;
await relay.close();
print(`
Try next, line by line as it stands:

  cd ${quoted(folder)}
  alias staffetta=${quoted(`node ${quoted(launcher)}`)}

What was agreed, and what the last agent left:
  staffetta show ${task}

Every entry of the journal, in words:
  staffetta log ${task}

The reasoning of all legs, in order:
  staffetta show ${task} --history

${
  crew === undefined
    ? ''
    : `What the crew made, and what its run has on record:
  git --no-pager log --stat --oneline -3 staffetta/names/+integrated
  staffetta log ${crew.run}

`
}The same in a browser:
  staffetta up ${crew?.run ?? task}

A task of your own, and what to do with it:
  staffetta open "your own task"
  staffetta`);
if (crew?.status !== 0) process.exitCode = 1;
else await show();

async function carryPlan(): Promise<CrewPlayed & { readonly run: string }> {
  print(`
Then a crew in the same repository: a plan of three parts, two at once, each in a tree of its own, looked at by
somebody else and merged onto a branch. One of its agents is killed as well.
`);
  const played = await playCrew({ folder, store, launcher }, tell);
  print(`\nOn the branch of the run, the latest first; your checkout is as it was:\n`);
  print(played.merged.replaceAll(/^/gm, '  '));
  const { cards } = await relay.list({ lane: 'supervise' });
  return { ...played, run: cards[0]?.task ?? '' };
}

/** A person who watches sees it in the control room next; a program that reads this is told how. */
async function show(): Promise<void> {
  const isWatched = process.stdout.isTTY && process.stderr.isTTY;
  if (process.argv.includes('--no-up') || !(isWatched || process.argv.includes('--up'))) return;
  print();
  // Ctrl-C reaches both: the server stops in order, and this waits for it.
  process.on('SIGINT', () => {});
  const up = spawn(process.execPath, [launcher, 'up', crew?.run ?? task, '--store', store], {
    cwd: folder,
    stdio: 'inherit',
  });
  const [code] = (await once(up, 'close')) as [number | null];
  process.exitCode = code ?? 1;
}

function legTable(rows: readonly TimelineLeg[]): string {
  const lines = rows.map((leg) => {
    const at = `${((leg.from - started) / 1000).toFixed(2)}s`;
    const lasted = `${(((leg.until ?? Date.now()) - leg.from) / 1000).toFixed(2)}s`;
    const end = `${leg.ended ?? 'still holding'}${leg.why === null ? '' : `: ${leg.why}`}`;
    return `  ${String(leg.generation).padEnd(3)} ${leg.agent.padEnd(9)} ${leg.lane.padEnd(8)} ${at.padStart(7)} ${lasted.padStart(7)}  ${end}`;
  });
  return [
    `  ${'#'.padEnd(3)} ${'agent'.padEnd(9)} ${'lane'.padEnd(8)} ${'from'.padStart(7)} ${'for'.padStart(7)}  how it ended`,
    ...lines,
  ].join('\n');
}

/** One word for a shell, whatever is in it. */
function quoted(word: string): string {
  if (/^[\w./:@+-]+$/.test(word)) return word;
  return /["$`\\!]/.test(word) || !word.includes("'") ? `'${word.replaceAll("'", `'\\''`)}'` : `"${word}"`;
}
