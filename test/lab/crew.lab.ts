/**
 * A crew of real programs: planned by one, worked on by two at once, looked at by a fourth, its supervisor killed and started twice, and
 * approved by a person in a browser. And fifty files in one task, over legs of programs that take turns.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';
import { plannedId } from '../../src/crew/run-names.ts';
import { browserFor, openBrowser } from '../browser/chromium.ts';
import { answerOf, programs, proves, staffetta } from './lab.ts';
import { Machine } from './machine.ts';
import type { Said } from './model/dialect.ts';
import { FakeModel, type Turn } from './model/fake-model.ts';
import { start, type Running } from './running.ts';

const command = join(import.meta.dirname, '../../bin/staffetta.cjs');
const browserFile = browserFor('a person approves the work of a crew in the browser');

function git(machine: Machine, ...args: readonly string[]): string {
  return execFileSync('git', ['-C', machine.work, ...args], { encoding: 'utf8' });
}

/** What the user has: where everything is, and what lies there. */
function checkout(machine: Machine): string {
  const files = readdirSync(machine.work).filter((name) => name !== '.git');
  return [
    git(machine, 'status', '--porcelain', '--ignored'),
    git(machine, 'rev-parse', 'HEAD', 'main'),
    ...files.map((name) => `${name} ${readFileSync(join(machine.work, name), 'utf8')}`),
  ].join('\n');
}

function storeOf(machine: Machine): string {
  return join(machine.root, 'store.db');
}

function supervisor(machine: Machine, ...args: readonly string[]): Running {
  const env = { ...machine.env, STAFFETTA_STORE: storeOf(machine), COLUMNS: '200' };
  const msMax = 290_000;
  return start({ program: process.execPath, args: [command, 'run', ...args], cwd: machine.work, env, msMax });
}

/** Processes that were started for this store and still live. */
function left(machine: Machine): string[] {
  const found: string[] = [];
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name)))
    try {
      if (readFileSync(`/proc/${pid}/environ`, 'utf8').includes(machine.root))
        found.push(readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' '));
    } catch {
      // It has ended.
    }
  return found;
}

function wordsTold(told: readonly Said[]): string {
  return told.map((said) => ('text' in said ? said.text : '')).join('\n');
}

/** How many calls it has made for what it was last asked to do. */
function stepsIn(told: readonly Said[]): number {
  return told.filter(({ by }) => by === 'result').length;
}

const plan = (machine: Machine): string => {
  const file = join(machine.root, 'relay.json');
  writeFileSync(
    file,
    JSON.stringify({
      goal: 'Two halves and a whole.',
      defaults: { acceptance: ['The file is there.'] },
      tasks: {
        survey: { goal: 'It is known what the halves are', agent: 'planner', paths: [], integrate: false },
        left: {
          goal: 'left.txt is there',
          needs: ['survey'],
          agent: 'one',
          paths: ['left.txt'],
          review: { owner: 'lane:audit' },
        },
        right: {
          goal: 'right.txt is there',
          needs: ['survey'],
          agent: 'two',
          paths: ['right.txt'],
          review: { owner: 'lane:audit' },
        },
        whole: {
          goal: 'whole.txt is there',
          needs: ['left', 'right'],
          agent: 'one',
          paths: ['whole.txt'],
          review: { human: true },
        },
      },
      crew: {
        agents: {
          planner: { lane: 'plan', runtime: 'qwen-code' },
          one: { lane: 'execute', runtime: 'codex' },
          two: { lane: 'execute', runtime: 'opencode' },
          qa: { lane: 'audit', runtime: 'claude-code' },
        },
        permissions: { read: 'allow', edit: 'allow', execute: 'allow' },
      },
    }),
  );
  return file;
};

class Play {
  /** Tasks whose agents have asked, and wait for their answer. */
  readonly waiting = new Set<string>();
  readonly #gate = Promise.withResolvers<void>();
  readonly #both = Promise.withResolvers<void>();
  readonly prompts = new Map<string, string>();

  readonly both = this.#both.promise;
  readonly letGo = (): void => this.#gate.resolve();

  readonly answers = async (told: readonly Said[]): Promise<Turn> => {
    const words = wordsTold(told);
    const review = /If it holds: (staffetta review \S+ --approve --packet \S+) --why/.exec(words)?.[1];
    const part = /Your part is (\w+) of the run/.exec(words)?.[1];
    if (review !== undefined)
      return stepsIn(told) === 0
        ? { text: 'I look at it.', shell: `${review} --why "It is there."` }
        : { text: 'It holds.' };
    if (part === undefined) return { text: 'I do not know what this is about.' };
    this.prompts.set(part, words);
    if (part === 'survey')
      return { text: 'There are two halves, left and right, and they have nothing in common.' };
    if (stepsIn(told) > 0) return { text: `${part}.txt is written.` };
    if (part !== 'whole') {
      this.waiting.add(part);
      if (this.waiting.size === 2) this.#both.resolve();
      await this.#gate.promise;
    }
    return { text: `I write ${part}.txt.`, shell: `echo ${part} > ${part}.txt` };
  };
}

/** A person in a browser; where there is none, at the terminal. */
async function approve(machine: Machine, task: string): Promise<void> {
  const why = 'All of it is there.';
  if (browserFile === undefined) {
    await answerOf(machine, 'review', task, '--approve', '--why', why);
    return;
  }
  const env = { ...machine.env, STAFFETTA_STORE: storeOf(machine) };
  const up = spawn(process.execPath, [command, 'up', '--json', '--no-open', '--port', '0'], {
    cwd: machine.work,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(createInterface({ input: up.stdout }), 'line')) as [string];
  const { url, link } = JSON.parse(line) as { url: string; link: string };
  const browser = await openBrowser(browserFile);
  try {
    const page = await browser.newPage();
    await page.goto(link);
    await page.waitForSelector('.top');
    await page.goto(`${url}/reviews/${task}`);
    await page.waitForSelector('td.code.added:has-text("whole")');
    await page.keyboard.press('a');
    await page.waitForSelector('dialog[open]');
    await page.keyboard.type(why);
    await page.keyboard.press('Control+Enter');
    await page.waitForSelector('.came:has-text("is approved")');
  } finally {
    await browser.close();
    up.kill('SIGINT');
    if (up.exitCode === null) await once(up, 'exit');
  }
}

async function until(what: () => Promise<boolean>): Promise<void> {
  while (!(await what())) await new Promise((resolve) => setTimeout(resolve, 250));
}

test('four programs carry a plan through a killed supervisor, two at once, and a person', async (context) => {
  proves(context, { kind: 'crew', from: 'codex', to: 'claude-code' });
  const play = new Play();
  await using model = await FakeModel.start();
  model.answers = play.answers;
  using machine = Machine.create(programs, model.origin);
  const before = checkout(machine);
  const first = supervisor(machine, plan(machine));
  const early = await Promise.race([play.both, first.ended]);
  expect(early).toBeUndefined();
  // Both wait for their model: two programs are at work at the same time.
  expect([...play.waiting].toSorted()).toEqual(['left', 'right']);
  first.kill();
  await first.ended;
  const both = [supervisor(machine, '--name', 'relay'), supervisor(machine, '--name', 'relay')];
  play.letGo();
  const whole = plannedId('relay', 'whole');
  const over = Promise.all(both.map(async ({ ended }) => await ended));
  const isIn = async (): Promise<boolean> => {
    const shown = await staffetta(machine, 'show', whole, '--json');
    return shown.status === 0 && (JSON.parse(shown.stdout) as { status: string }).status === 'submitted';
  };
  const ended = await Promise.race([until(isIn), over]);
  expect(ended).toBeUndefined();
  await approve(machine, whole);
  for (const { stdout, status } of await over)
    expect([stdout.split('\n')[0], status]).toEqual([
      'The run relay is done: 4 tasks. Their work is on the branch staffetta/relay/+integrated.',
      0,
    ]);
  const merged = git(
    machine,
    'log',
    '--first-parent',
    '--format=%(trailers:key=Staffetta-Task,valueonly,separator=)',
    'main..staffetta/relay/+integrated',
  );
  const tasks = merged.trim().split('\n');
  expect(tasks.toSorted()).toEqual(['left', 'right', 'whole']);
  expect(tasks[0]).toBe('whole');
  expect(git(machine, 'ls-tree', '--name-only', 'staffetta/relay/+integrated').trim().split('\n')).toEqual([
    'README.md',
    'left.txt',
    'right.txt',
    'whole.txt',
  ]);
  // What the halves left reached the whole.
  expect(play.prompts.get('whole')).toMatch(
    /left\.txt is there: done, commit [0-9a-f]{40} on staffetta\/relay/,
  );
  expect(checkout(machine)).toBe(before);
  expect(left(machine)).toEqual([]);
  expect(existsSync(storeOf(machine))).toBe(true);
});

/**
 * What an agent does in a leg: fifteen files from the noted place on, each noted, and then it hands on. In its second leg it is killed,
 * with all that it started, between an edit and its note.
 */
const stamping = `
import { execFileSync } from 'node:child_process';
import { appendFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
const [killed, ...doubtful] = process.argv.slice(2);
const leg = process.env.STAFFETTA_LEG;
const [task, generation] = leg.split('/');
const staffetta = (...args) => execFileSync('staffetta', args, { encoding: 'utf8' });
const { progress, leg: held } = JSON.parse(staffetta('show', task, '--json'));
const parts = (n) => \`part-\${String(n).padStart(2, '0')}.txt\`;
staffetta('ack', task, '--goal', 'stamp', '--gate', 'all stamped', '--next', 'go on');
let done = 0;
for (let n = progress?.at ?? 0; n < 50 && done < 15; n += 1, done += 1) {
  const name = parts(n);
  if (!(doubtful.includes(name) && readFileSync(name, 'utf8').includes('stamp')))
    appendFileSync(name, \`stamp \${generation}\\n\`);
  if (generation === '2' && done === 7 && !existsSync(killed)) {
    writeFileSync(killed, name);
    for (const pid of readdirSync('/proc'))
      try {
        if (Number(pid) !== process.pid && readFileSync(\`/proc/\${pid}/environ\`, 'utf8').includes(\`STAFFETTA_LEG=\${leg}\`)) process.kill(Number(pid), 'SIGKILL');
      } catch {}
    process.kill(process.pid, 'SIGKILL');
  }
  staffetta('progress', '--at', String(n + 1), '--of', '50', '--cursor', name);
}
if ((progress?.at ?? 0) + done < 50)
  staffetta('handoff', task, '--to', held.holder.name === 'one' ? 'agent:two' : 'agent:one', '--next', 'go on from the noted place');
`;

test('fifty files are done once each, over legs of two programs that take turns, one of them killed', async (context) => {
  proves(context, { kind: 'crew in turns', from: 'claude-code', to: 'opencode' });
  await using model = await FakeModel.start();
  using machine = Machine.create(programs, model.origin);
  const script = join(machine.root, 'stamp.mjs');
  const killed = join(machine.root, 'killed');
  writeFileSync(script, stamping);
  const names = Array.from({ length: 50 }, (_, n) => `part-${String(n).padStart(2, '0')}.txt`);
  for (const name of names) writeFileSync(join(machine.work, name), 'part\n');
  git(machine, 'add', '.');
  git(
    machine,
    '-c',
    'user.name=lab',
    '-c',
    'user.email=lab@example.com',
    'commit',
    '-qm',
    'lab: fifty parts',
  );
  const before = checkout(machine);
  model.answers = (told) => {
    const doubtful = /they may be done\. (.*)$/m.exec(wordsTold(told))?.[1]?.split(/, | and /) ?? [];
    return stepsIn(told) === 0
      ? { text: 'I go on.', shell: `node ${script} ${killed} ${doubtful.join(' ')}` }
      : { text: 'That is all I can do.' };
  };
  const file = join(machine.root, 'stamps.json');
  const check = `for (const n of Array(50).keys()) if (require('fs').readFileSync('part-' + String(n).padStart(2, '0') + '.txt', 'utf8').split('stamp').length !== 2) throw n`;
  const agent = { lane: 'execute', permissions: { read: 'allow', edit: 'allow', execute: 'allow' } };
  writeFileSync(
    file,
    JSON.stringify({
      goal: 'Every part is stamped once.',
      tasks: {
        stamp: { goal: 'Fifty parts are stamped', validation: [{ run: [process.execPath, '-e', check] }] },
      },
      crew: {
        agents: { one: { ...agent, runtime: 'claude-code' }, two: { ...agent, runtime: 'opencode' } },
        group: 'any',
      },
    }),
  );
  const ran = await supervisor(machine, file, '--until-idle').ended;
  expect(ran.stdout, `${ran.stdout}${ran.stderr}`).toContain('The run stamps is done: 1 task.');
  for (const name of names)
    expect(git(machine, 'show', `staffetta/stamps/+integrated:${name}`).match(/stamp/g)).toHaveLength(1);
  expect(existsSync(killed)).toBe(true);
  const log = await staffetta(machine, 'log', plannedId('stamps', 'stamp'), '--json');
  const entries = log.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { by: { name: string }; events: { type: string; at?: number }[] });
  const legs = entries.filter(({ events }) => events.some(({ type }) => type === 'leg-started'));
  expect(legs.length).toBeGreaterThanOrEqual(4);
  expect(legs.length).toBeLessThanOrEqual(6);
  expect(new Set(legs.map(({ by }) => by.name))).toEqual(new Set(['one', 'two']));
  const places = entries.flatMap(({ events }) =>
    events.filter(({ type }) => type === 'progress-moved').map(({ at = 0 }) => at),
  );
  expect(places).toEqual(places.toSorted((a, b) => a - b));
  expect(places.at(-1)).toBe(50);
  expect(checkout(machine)).toBe(before);
  expect(left(machine)).toEqual([]);
});
