/** The demonstration is the claim: what it prints must be what its journal says. */
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openStaffetta, type Staffetta } from '../src/library/staffetta.ts';
import type { Entry } from '../src/core/journal/entry.ts';
import type { Event } from '../src/core/journal/event.ts';

const root = join(import.meta.dirname, '..');
if (!existsSync(join(root, 'dist', 'lib', 'index.js')))
  throw new Error('The library is not built: run "npm run build" before these tests.');

const home = realpathSync(mkdtempSync(join(tmpdir(), 'staffetta demo-')));
const clone = join(home, 'my clone');
let said = '';
let task = '';
let relay: Staffetta;
const entries: Entry[] = [];

beforeAll(async () => {
  symlinkSync(root, clone, 'dir');
  const asItStands = ['--preserve-symlinks', '--preserve-symlinks-main'];
  const played = spawnSync(process.execPath, [...asItStands, join(clone, 'examples', 'relay', 'play.ts')], {
    encoding: 'utf8',
    env: { ...process.env, TMPDIR: home, HOME: home },
  });
  if (played.status !== 0) throw new Error(`The relay failed:\n${played.stdout}${played.stderr}`);
  said = played.stdout;
  const folder = /^A relay in (.+)$/m.exec(said)?.[1] ?? '';
  relay = await openStaffetta({ store: join(folder, '.staffetta', 'store.db') });
  task = (await relay.list({ oldestFirst: true })).cards[0]?.task ?? '';
  for await (const item of relay.history(task)) if (item.kind === 'entry') entries.push(item.entry);
});
afterAll(async () => {
  await relay.close();
  rmSync(home, { recursive: true, force: true });
});

function events<T extends Event['type']>(type: T): (Extract<Event, { type: T }> & { readonly by: string })[] {
  return entries.flatMap((entry) =>
    entry.events
      .filter((event): event is Extract<Event, { type: T }> => event.type === type)
      .map((event) => ({ ...event, by: entry.by.name })),
  );
}

test('three roles carried it in four legs, one of them cut short', async () => {
  const legs = await relay.timeline(task);
  expect(legs.map(({ agent, lane, ended }) => ({ agent, lane, ended }))).toEqual([
    { agent: 'research', lane: 'plan', ended: 'handed-off' },
    { agent: 'code-1', lane: 'execute', ended: 'lapsed' },
    { agent: 'code-2', lane: 'execute', ended: 'handed-off' },
    { agent: 'qa', lane: 'audit', ended: 'completed' },
  ]);
});

test('the one that was killed had sealed half of the work, and the next one went on from there', () => {
  expect(said).toMatch(/you +killed code-1 \(pid \d+\) with SIGKILL/);
  expect(events('leg-lapsed')).toMatchObject([{ generation: 2 }]);
  expect(events('checkpoint-sealed').map(({ by }) => by)).toEqual(['research', 'code-1', 'code-2', 'qa']);
  expect(said).toMatch(/code-2 +carrying on after: accents/);
});

test('back from the dead, it was refused and left no trace', () => {
  expect(said).toMatch(/code-1 +refused \(stale-generation\): Generation 2 .* no longer holds it/);
  const afterLapse = entries.slice(
    entries.findIndex((entry) => entry.events.some((event) => event.type === 'leg-lapsed')),
  );
  expect(afterLapse.filter((entry) => entry.by.name === 'code-1')).toEqual([]);
});

test('a packet that facts contradict was refused, and every run is on record', () => {
  expect(said).toMatch(/code-2 +refused \(not-ready\): accents\.md does not exist/);
  expect(events('validation-run').map(({ by, exit }) => [by, exit])).toEqual([
    ['research', 1],
    ['code-2', 0],
    ['qa', 0],
  ]);
});

test('every packet that changed hands was ready, and qa left the workspace as it was', async () => {
  const sealed = events('checkpoint-sealed');
  expect(sealed.map(({ by, certification }) => [by, certification])).toEqual([
    ['research', 'ready'],
    ['code-1', 'ready'],
    ['code-2', 'ready'],
    ['qa', 'ready'],
  ]);
  expect(sealed.at(-1)?.workspace).toBe(sealed.at(-2)?.workspace);
  const [, code, qa] = events('validation-run');
  expect(qa?.workspace).toBe(code?.workspace);
  const packet = await relay.packet(sealed.at(-1)?.packet ?? 'sha256:');
  expect(packet.facts?.runs?.map(({ passed }) => passed?.workspace)).toEqual([sealed.at(-1)?.workspace]);
  expect(await relay.findings(task)).toEqual([]);
});

test('it was verified by somebody else than its authors, and is done', async () => {
  const { status, authors } = await relay.show(task);
  expect(status).toBe('done');
  const [approval] = events('review-approved');
  expect(approval?.by).toBe('qa');
  expect(authors).not.toContain('qa');
});

test('the journal holds together', async () => {
  expect((await relay.verify()).faults).toEqual([]);
  expect(said).toMatch(/^verify: ok \(\d+ entries, \d+ blobs/m);
});

test('a crew follows: one of its agents is killed, its part is tried again, and all of it is merged', async () => {
  expect(said).toMatch(/you +killed the agent at count \(pid \d+\) with SIGKILL/);
  expect(said).toMatch(/^count failed with code: the program ended with SIGKILL/m);
  expect(said).toContain('The run names is done: 3 tasks.');
  expect(said).toMatch(/^ {2}\w+ names\.mjs makes a short name/m);
  const { cards } = await relay.list({ statuses: ['done'] });
  const count = cards.find(({ title }) => title.startsWith('count.mjs'))?.task ?? '';
  expect((await relay.timeline(count)).map(({ agent, ended }) => `${agent} ${ended ?? ''}`)).toEqual([
    'code attempt-failed',
    'code submitted',
  ]);
});

test('it says first what will be seen', () => {
  expect(said.split('\n').slice(0, 5).join('\n')).toMatch(/One is killed.*call no model/s);
});

test('it ends with what to try next, and that works as it stands, in folders with a space', () => {
  const tries = said.slice(said.indexOf('Try next')).split('\n');
  const lines = tries.filter((line) => line.startsWith('  '));
  expect(lines.filter((line) => line.includes('staffetta ')).length).toBeGreaterThan(3);
  const script = join(home, 'try-next.sh');
  // The server would go on until somebody stops it; test/browser/start.test.ts does that.
  const ending = lines.map((line) => (line.startsWith('  staffetta up ') ? `${line} --dry-run` : line));
  expect(ending).not.toEqual(lines);
  writeFileSync(script, ['set -e', 'shopt -s expand_aliases', ...ending].join('\n'));
  // The terminal's own settings apply, as they would for a user who pastes this.
  const ran = spawnSync('bash', [script], { encoding: 'utf8', env: { ...process.env, HOME: home } });
  expect({ status: ran.status, wrong: /^staffetta: /m.exec(ran.stderr) }).toEqual({ status: 0, wrong: null });
  expect(ran.stdout).toContain('your own task');
  expect(lines.join('\n')).toContain(clone);
});

test('where the gate refuses an agent, the relay ends with the reason', { timeout: 300_000 }, () => {
  const other = join(home, 'refused');
  mkdirSync(other);
  for (const name of ['package.json', 'dist', 'node_modules'])
    symlinkSync(join(root, name), join(other, name));
  cpSync(join(root, 'examples'), join(other, 'examples'), { recursive: true });
  const agent = join(other, 'examples', 'relay', 'agent.ts');
  const silent = readFileSync(agent, 'utf8').replace(/next: 'make slug\(\).*',/, '');
  expect(silent).not.toContain('make slug()');
  writeFileSync(agent, silent);
  const played = spawnSync(process.execPath, [join(other, 'examples', 'relay', 'play.ts')], {
    encoding: 'utf8',
    env: { ...process.env, TMPDIR: home, HOME: home },
    timeout: 250_000,
  });
  expect(played.status).toBe(1);
  expect(played.stdout).toMatch(/research +refused \(not-ready\): .*\n.*research +error: next-action: /);
  expect(played.stdout).toContain('research did not get through (exit code 1): the relay ends here');
});
