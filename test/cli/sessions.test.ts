/** What coding agents left on this machine, as the command lists it. */
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runtimeNames } from '../../src/ports/index.ts';
import { newRepository, newWorkplace, staffetta } from './command.ts';

const fixtures = join(import.meta.dirname, '..', 'runtimes', 'fixtures');

function homeWith(files: readonly (readonly [from: string, to: string])[]): string {
  const home = mkdtempSync(join(tmpdir(), 'agents-'));
  for (const [from, to] of files) {
    mkdirSync(join(home, to, '..'), { recursive: true });
    cpSync(join(fixtures, from), join(home, to), { recursive: true });
  }
  return home;
}

const claude = 'claude-code/basic.jsonl';
const session = '11111111-2222-4333-8444-555555555555';
const place = `.claude/projects/-repo/${session}.jsonl`;

test('sessions of all folders are listed with the program, the id and what was said last', async () => {
  const home = homeWith([[claude, place]]);
  const before = statSync(join(home, place)).mtimeMs;
  const ran = await staffetta(['sessions', '--everywhere', '--json'], {
    cwd: newRepository(),
    env: { HOME: home },
  });
  expect(ran).toMatchObject({
    status: 0,
    json: { installed: ['claude-code'], sessions: [{ runtime: 'claude-code' }], troubles: [] },
  });
  expect(statSync(join(home, place)).mtimeMs).toBe(before);
  expect(readFileSync(join(home, place))).toEqual(readFileSync(join(fixtures, claude)));
});

test('turns and the last message are told, for people and in the data', async () => {
  const at = { cwd: newRepository(), env: { HOME: homeWith([[claude, place]]) } };
  const { json } = await staffetta(['sessions', '--everywhere', '--json'], at);
  expect(json).toMatchObject({ sessions: [{ turns: 1, lastMessage: 'all done' }] });
  const { stdout } = await staffetta(['sessions', '--everywhere'], at);
  expect(stdout).toMatch(/^RUNTIME +SESSION +STATE +AGE +TURNS +SIZE +LAST MESSAGE$/m);
  expect(stdout).toMatch(/ 1 .* all done$/m);
});

/** A workplace with a session of Claude Code in lines that nobody knows. */
function foreign(): { readonly path: string; readonly at: { cwd: string; env: { HOME: string } } } {
  const home = homeWith([]);
  const cwd = newWorkplace();
  const path = join(home, '.claude/projects', cwd.replaceAll(/[^a-zA-Z0-9]/g, '-'), `${session}.jsonl`);
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, '{"foreign":1}\n{"foreign":2}\n');
  return { path, at: { cwd, env: { HOME: home } } };
}
const unknown = 'its 2 records are of kinds that are not known here.';

test('a session of lines that nobody knows is not handed over as if it were empty', async () => {
  const { path, at } = foreign();
  const ran = await staffetta(['handoff', '--from', session, '--to', 'anyone', '--json'], at);
  expect(ran).toMatchObject({
    status: 1,
    json: { error: { code: 'session-unreadable', details: { path } } },
  });
  expect(ran.stdout).toContain('--trigger crash');
});

test('it is listed as a pointer, with the reason', async () => {
  const { at } = foreign();
  const { json } = await staffetta(['sessions', '--json'], at);
  expect(json).toMatchObject({ sessions: [{ pointerOnly: unknown, turns: null }] });
  const { stdout } = await staffetta(['sessions'], at);
  expect(stdout).toContain('pointer only: its 2 records');
});

test('in an emergency it goes out as a pointer: the packet names the file and what is missing', async () => {
  const { path, at } = foreign();
  const words = ['--to', 'codex', '--trigger', 'usage-limit', '--json'];
  const ran = await staffetta(['handoff', '--from', session, ...words], at);
  expect(ran).toMatchObject({ status: 0, json: { status: 'offered', offeredTo: 'runtime:codex' } });
  expect(JSON.stringify(ran.json['missing'])).toContain(`the session: pointer only: ${unknown}`);
  const { packet } = (await staffetta(['show', String(ran.json['task']), '--json'], at)).json;
  expect(packet).toMatchObject({
    trigger: 'usage-limit',
    transcript: [],
    losses: [{ what: 'the session' }],
  });
  expect(JSON.stringify(packet)).toContain(path);
  const again = await staffetta(['rescue', session, '--json'], at);
  expect(again.json).toMatchObject({ rescued: [{ outcome: 'already', task: ran.json['task'] }] });
});

test('rescued by its name it goes out as a pointer; nobody is asked for those that nobody named', async () => {
  const { path, at } = foreign();
  utimesSync(path, Date.now() / 1000 - 3600, Date.now() / 1000 - 3600);
  const all = await staffetta(['rescue', '--json'], at);
  expect(all.json).toMatchObject({ rescued: [{ outcome: 'unreadable', task: null }] });
  const ran = await staffetta(['rescue', session, '--json'], at);
  expect(ran.json).toMatchObject({ rescued: [{ outcome: 'rescued', trigger: 'crash' }] });
  expect(JSON.stringify(ran.json)).toContain(`Pointer only: ${unknown}`);
});

test('sessions that began in a folder of the repository are found from anywhere in it', async () => {
  const home = homeWith([]);
  const cwd = newWorkplace();
  const below = join(cwd, 'pkg', 'a');
  mkdirSync(below, { recursive: true });
  const path = join(home, '.claude/projects', below.replaceAll(/[^a-zA-Z0-9]/g, '-'), `${session}.jsonl`);
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, readFileSync(join(fixtures, claude), 'utf8').replaceAll('/home/dev/demo', below));
  for (const folder of [cwd, below]) {
    const { json } = await staffetta(['sessions', '--json'], { cwd: folder, env: { HOME: home } });
    expect(json).toMatchObject({ sessions: [{ id: session, folder: below }] });
  }
});

test('without any agent it says what it looked for', async () => {
  const home = mkdtempSync(join(tmpdir(), 'agents-'));
  const ran = await staffetta(['sessions'], { cwd: newRepository(), env: { HOME: home } });
  expect(ran).toMatchObject({ status: 0, stdout: '' });
  expect(ran.stderr).toContain(`Looked for: ${runtimeNames.join(', ')}.`);
});

test('a program that is not known is refused with the one that was meant', async () => {
  const ran = await staffetta(['sessions', '--of', 'codx'], { cwd: newRepository() });
  expect(ran.status).toBe(2);
  expect(ran.stderr).toContain('Did you mean: --of codex');
});

test('a folder of sessions that cannot be read is named, and not taken for an empty one', async () => {
  const home = homeWith([]);
  const projects = join(home, '.claude/projects');
  mkdirSync(join(home, '.claude'));
  // Not even an administrator reads a link that leads to itself.
  symlinkSync(projects, projects);
  for (const command of ['sessions', 'rescue']) {
    const ran = await staffetta([command], { cwd: newRepository(), env: { HOME: home } });
    expect(ran.stderr).toContain(
      `claude-code could not be looked at: The folder ${projects} cannot be read (ELOOP).`,
    );
  }
});

test('the folder of one project that cannot be read is named, by sessions and by doctor', async () => {
  const home = homeWith([[claude, place]]);
  const project = join(home, '.claude/projects/-closed');
  symlinkSync(project, project);
  const at = { cwd: newRepository(), env: { HOME: home } };
  const why = `The folder ${project} cannot be read (ELOOP).`;
  const listed = await staffetta(['sessions', '--everywhere', '--json'], at);
  expect(listed.json).toMatchObject({ sessions: [{ id: session }], troubles: [{ text: why }] });
  const examined = await staffetta(['doctor', '--dry-run', '--json'], at);
  const { findings } = examined.json as { findings: { check: string }[] };
  expect(findings).toContainEqual(
    expect.objectContaining({ check: 'claude-code-sessions', status: 'wrong', text: why }),
  );
  expect(examined.status).toBe(1);
});

test('what is left out is counted, a dead session is not left out, and what a session started is marked', async () => {
  const ids = Array.from(
    { length: 22 },
    (_, i) => `${String(i).padStart(8, '0')}-2222-4333-8444-555555555555`,
  );
  const [dead = '', parent = ''] = ids;
  const home = homeWith([
    ...ids.map((id) => [claude, `.claude/projects/-repo/${id}.jsonl`] as const),
    [claude, `.claude/projects/-repo/${parent}/subagents/agent-abc.jsonl`],
  ]);
  for (const [i, id] of ids.entries())
    utimesSync(join(home, `.claude/projects/-repo/${id}.jsonl`), 1_700_000_000 + i, 1_700_000_000 + i);
  mkdirSync(join(home, '.claude/sessions'));
  // No process ever has this number.
  const holder = { pid: 2 ** 30, sessionId: dead };
  writeFileSync(join(home, `.claude/sessions/${holder.pid}.json`), JSON.stringify(holder));
  const at = { cwd: newRepository(), env: { HOME: home } };
  const { stdout, stderr } = await staffetta(['sessions', '--everywhere'], at);
  expect(stderr).toContain('3 more; all of them: --limit 23');
  expect(stdout).toMatch(new RegExp(`${dead} +dead`));
  expect(stdout).toContain(`[subagent of ${parent.slice(0, 8)}] `);
  const { json } = await staffetta(['sessions', '--everywhere', '--json'], at);
  expect(json).toMatchObject({ more: 3 });
});
