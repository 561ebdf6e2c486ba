import { spawnSync } from 'node:child_process';
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openStaffetta } from '../../src/index.ts';
import { notMeasured, verdict, type Line, type Section } from '../section.ts';
import { median, millis, quartiles, times } from '../statistics.ts';

const rounds = 31;
const entry = join(import.meta.dirname, '../..', 'dist', 'hook', 'main.cjs');
const session = '11111111-2222-3333-4444-555555555555';
const agent = 'claude-code-55555555';
const historyBytes = 10 * 1024 * 1024;
const greetedMsMax = 400;

/** Hooks as a program runs them: a process each, with an event on its standard input. */
export async function measureHooks(scratch: string): Promise<Section> {
  const folder = join(scratch, 'hooks', 'work');
  mkdirSync(join(folder, '.git'), { recursive: true });
  const store = join(folder, '.staffetta', 'store.db');
  const relay = await openStaffetta({ gate: 'record', store });
  await relay.begin(
    { goal: 'Take notes' },
    { as: { name: agent, runtime: 'claude-code' }, leaseMs: 3_600_000 },
  );
  await relay.close();
  const place: Place = { folder, home: join(scratch, 'hooks', 'home') };
  mkdirSync(place.home);
  const told = hook(place, 'SessionStart', { source: 'startup' });
  const notes = join(folder, 'NOTES.md');
  writeFileSync(notes, '');
  let line = 0;
  const lines =
    told.failure === undefined
      ? [
          ...compare('a hook that has nothing to do', 1.8, place, () =>
            hook(place, 'PostToolUse', { tool_name: 'Read' }),
          ),
          ...compare('PostToolUse that records a note in the journal', 2.2, place, () => {
            appendFileSync(notes, `note number ${(line += 1)}\n`);
            return hook(place, 'PostToolUse', { tool_name: 'Edit' });
          }),
        ]
      : [notMeasured('hooks', '', told.failure)];
  return {
    title: 'Hooks',
    lines: [...lines, ...(await greeting(scratch))],
    notes: [
      `Wall time of a whole process over that of \`node -e 0\` with the same binary, by turns, ${rounds} times; the first runs are not counted. \`NODE_EXTRA_CA_CERTS\` is unset.`,
      'A session is greeted while a process of its own looks for sessions that died; the briefing was made when the packet was sealed or at an earlier start.',
    ],
  };
}

interface Place {
  readonly folder: string;
  readonly home: string;
}

async function greeting(scratch: string): Promise<Line[]> {
  const name = 'SessionStart with the briefing of a 10 MB history';
  const target = `< ${greetedMsMax} ms`;
  const folder = join(scratch, 'hooks', 'history');
  mkdirSync(join(folder, '.git'), { recursive: true });
  const relay = await openStaffetta({ gate: 'record', store: join(folder, '.staffetta', 'store.db') });
  const leg = await relay.begin({ goal: 'The import takes less than 4 seconds' }, { as: 'ada' });
  const said = JSON.stringify({ role: 'assistant', content: 'I looked at the import of users. '.repeat(30) });
  const transcript = `${said}\n`.repeat(Math.ceil(historyBytes / (said.length + 1)));
  await leg.handoff({ to: 'anyone', transcript, claims: { next: 'measure src/import.ts again' } });
  await relay.close();
  const place: Place = { folder, home: join(scratch, 'hooks', 'home') };
  const start = (round: number): Ran =>
    hook(place, 'SessionStart', { source: 'startup' }, `${session}-${round}`);
  const first = start(0);
  if (first.failure !== undefined) return [notMeasured(name, target, first.failure)];
  start(1);
  const walls = Array.from({ length: rounds }, (_, round) => start(round + 2).ms);
  return [
    {
      measure: name,
      target,
      result: millis(median(walls)),
      spread: quartiles(walls, millis),
      verdict: verdict(median(walls) < greetedMsMax),
    },
    {
      measure: `${name}, the first time`,
      target: '',
      result: millis(first.ms),
      spread: '',
      verdict: 'for information',
    },
  ];
}

function compare(name: string, ratioMax: number, place: Place, act: () => Ran): Line[] {
  const target = `≤ ${ratioMax}× of \`node -e 0\``;
  const first = act();
  if (first.failure !== undefined) return [notMeasured(name, target, first.failure)];
  act();
  const ratios: number[] = [];
  const walls: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const empty = run(['-e', '0'], '', place).ms;
    const { ms } = act();
    ratios.push(ms / empty);
    walls.push(ms);
  }
  const met = verdict(median(ratios) <= ratioMax);
  return [
    { measure: name, target, result: times(median(ratios)), spread: quartiles(ratios, times), verdict: met },
    {
      measure: `${name}, wall time`,
      target: '',
      result: millis(median(walls)),
      spread: quartiles(walls, millis),
      verdict: 'for information',
    },
  ];
}

interface Ran {
  readonly ms: number;
  readonly failure: string | undefined;
}

function hook(place: Place, event: string, fields: object, id = session): Ran {
  const input = JSON.stringify({ session_id: id, cwd: place.folder, ...fields });
  return run([entry, 'claude-code', event], input, place);
}

function run(args: readonly string[], input: string, { folder, home }: Place): Ran {
  const env = { PATH: process.env['PATH'] ?? '', HOME: home };
  const started = performance.now();
  const done = spawnSync(process.execPath, args, { env, input, cwd: folder, encoding: 'utf8' });
  const ms = performance.now() - started;
  const failure =
    done.status === 0 && done.stderr === '' ? undefined : `exit ${done.status}: ${done.stderr.trim()}`;
  return { ms, failure };
}
