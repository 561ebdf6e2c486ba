/** Work moves out of a session of a coding agent: handed over, rescued, watched. Nobody prepared anything. */
import { readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { newFolder, newWorkplace, staffetta, type Json, type Ran } from './command.ts';
import { claudePlace, put, session, sessionText } from './programs.ts';
import { personLooks } from '../../src/core/reasoning/draft.ts';
import { hasTerminal, typed } from './terminal.ts';

interface Place {
  readonly home: string;
  readonly folder: string;
  readonly path: string;
  readonly run: (...args: readonly string[]) => Promise<Ran>;
}

/** A workplace where Claude Code has left a session, so many minutes ago. */
function left(fixture: string, minutes = 60): Place {
  const home = newFolder();
  const folder = newWorkplace();
  const path = claudePlace(home, folder);
  put(path, sessionText(fixture, folder));
  const at = Date.now() / 1000 - minutes * 60;
  utimesSync(path, at, at);
  const run = async (...args: readonly string[]): Promise<Ran> =>
    await staffetta(args, { cwd: folder, env: { HOME: home } });
  return { home, folder, path, run };
}

const agreed = [
  ['--goal', 'fence.txt has 6 posts'],
  ['--accept', 'node check.mjs passes'],
  ['--non-goal', 'a gate'],
  ['--validate', 'node check.mjs'],
  ['--review', 'human'],
  ['--next', 'add the second post to fence.txt'],
  ['--artefact', 'fence.txt'],
  ['--kind', 'code'],
].flat();

async function shown({ run }: Place, task: unknown): Promise<Json> {
  return (await run('show', String(task), '--json')).json;
}

describe('handoff --from', () => {
  test('opens a task in the name of the session, and hands it over', async () => {
    const place = left('basic.jsonl');
    const ran = await place.run('handoff', '--from', 'latest', '--to', 'codex', ...agreed, '--json');
    expect(ran).toMatchObject({
      status: 0,
      json: { status: 'offered', offeredTo: 'runtime:codex', certification: 'ready' },
    });
    const task = await shown(place, ran.json['task']);
    expect(task).toMatchObject({
      contract: { goal: 'fence.txt has 6 posts' },
      packet: {
        from: { name: 'claude-code-9ee57704', kind: 'agent', session },
        facts: { session: { runtime: 'claude-code', id: session, before: 0 }, workspace: { kind: 'git' } },
      },
    });
  });

  test('is never refused for what nobody stated: the tool says what it put there', async () => {
    const place = left('basic.jsonl');
    const ran = await place.run('handoff', '--from', 'claude-code', '--to', 'codex');
    expect(ran.status).toBe(0);
    expect(ran.stderr).toContain('No user stated when it is accepted.');
    expect(ran.stderr).toMatch(/Nobody named a next step\. “.+” \[s\d+\]/);
    const { packet, contract } = (await place.run('show', ran.stdout.split(' ')[0] ?? '', '--json')).json as {
      packet: Json;
      contract: Json;
    };
    expect(packet['claims']).toMatchObject({ next: expect.stringMatching(/^Nobody named a next step; /) });
    expect(contract).toMatchObject({ acceptance: [personLooks], review: { human: true } });
  });

  test('says off a terminal what the gate refuses, as data, and opens nothing', async () => {
    const place = left('basic.jsonl');
    const absent = ['--artefact', 'none.txt'];
    const ran = await place.run('handoff', '--from', 'claude-code', '--to', 'codex', ...absent, '--json');
    expect(ran.status).toBe(6);
    const { error } = ran.json as {
      error: {
        code: string;
        details: { missing: Json[]; draft: { contract: { goal: string }; evidence: Json } };
      };
    };
    expect(error.code).toBe('not-ready');
    const { goal } = error.details.draft.contract;
    expect(goal).toMatch(/^“.+” \[s\d+\]$/);
    expect(error.details.draft.evidence['goal']).toEqual([/\[(s\d+)\]/.exec(goal)?.[1]]);
    expect(ran.stderr).toContain('none.txt');
    expect((await place.run('ls', '--all', '--json')).json).toMatchObject({
      error: { code: 'store-missing' },
    });
  });

  test('is named as the way by a handoff of somebody who holds no task', async () => {
    const place = left('basic.jsonl');
    const way = 'staffetta handoff --from latest --to codex';
    expect((await place.run('handoff', '--to', 'codex')).stderr).toContain(way);
    await place.run('open', 'Something else');
    const none = await place.run('handoff', '--to', 'codex');
    expect([none.status, none.stderr]).toEqual([2, expect.stringContaining(way)]);
  });

  test('asks for nothing in an emergency', async () => {
    const place = left('basic.jsonl');
    const ran = await place.run('handoff', '--from', session, '--to', 'codex', '--trigger', 'usage-limit');
    expect(ran.status).toBe(0);
    expect(ran.stdout).toContain('is on offer to runtime:codex');
  });

  test('leaves a session in the middle of a turn alone, unless told otherwise', async () => {
    const place = left('crash-mid-tool.jsonl', 0);
    const busy = await place.run('handoff', '--from', session, '--to', 'codex', ...agreed);
    expect(busy).toMatchObject({ status: 8 });
    expect(busy.stderr).toContain('is in the middle of a turn: it waits for Bash');
    const taken = await place.run(
      'handoff',
      '--from',
      session,
      '--to',
      'codex',
      '--trigger',
      'timeout',
      '--json',
    );
    expect(taken).toMatchObject({ status: 0, json: { status: 'offered' } });
  });

  test('goes on with the same task when it is said again', async () => {
    const place = left('basic.jsonl');
    const args = ['handoff', '--from', 'latest', '--to', 'codex', ...agreed, '--json'];
    const first = await place.run(...args);
    const second = await place.run(...args);
    expect(second).toMatchObject({ status: 0, json: { task: first.json['task'], status: 'offered' } });
    expect((await place.run('ls', '--all', '--json')).json['tasks']).toHaveLength(1);
  });

  test('changes nothing in a dry run', async () => {
    const place = left('basic.jsonl');
    const ran = await place.run(
      'handoff',
      '--from',
      'latest',
      '--to',
      'codex',
      ...agreed,
      '--dry-run',
      '--json',
    );
    expect(ran).toMatchObject({ status: 0, json: { runtime: 'claude-code', session, task: null } });
    expect((await place.run('ls', '--all')).stderr).toContain('no store');
  });

  test('names the version that wrote a session and those that are proven, where it is another', async () => {
    const place = left('basic.jsonl');
    const newer = readFileSync(place.path, 'utf8').replaceAll('"version":"2.1.325"', '"version":"9.0.0"');
    writeFileSync(place.path, newer);
    const words = 'written by claude-code 9.0.0; reading is proven with 2.1.325';
    expect((await place.run('sessions')).stderr).toContain(`1 session was ${words}.`);
    expect((await place.run('sessions', '--json')).json).toMatchObject({
      sessions: [{ version: '9.0.0' }],
      proven: { 'claude-code': ['2.1.325'] },
    });
    const handed = await place.run('handoff', '--from', session, '--to', 'anyone', ...agreed, '--json');
    expect(handed.json).toMatchObject({ from: { version: '9.0.0', proven: ['2.1.325'] } });
    const again = await place.run('handoff', '--from', session, '--to', 'anyone', ...agreed);
    expect(again.stderr).toContain(`The session ${session} was ${words}`);
    const resumed = await place.run('resume', String(handed.json['task']), '--in', 'codex', '--unproven');
    expect(resumed.stdout).toContain(`The session ${session} was ${words}.`);
    writeFileSync(place.path, '{"foreign":1,"version":"9.0.0"}\n');
    const unread = await place.run('handoff', '--from', session, '--to', 'anyone', '--json');
    expect(unread.stderr).toContain(`It was ${words}.`);
  });

  test('is refused in a dry run as it would be: where another holds the task', async () => {
    const place = left('basic.jsonl');
    const args = ['handoff', '--from', 'latest', '--to', 'codex', ...agreed, '--json'];
    const { task } = (await place.run(...args)).json;
    await place.run('take', String(task), '--as', 'bea', '--runtime', 'codex');
    const real = await place.run(...args);
    const dry = await place.run(...args, '--dry-run');
    expect(real).toMatchObject({ status: 5, json: { error: { code: 'held' } } });
    expect(dry).toMatchObject({ status: 5, json: { error: real.json['error'] } });
  });

  test('says in a dry run which task it would go on with', async () => {
    const place = left('basic.jsonl');
    const args = ['handoff', '--from', 'latest', '--to', 'codex', ...agreed, '--json'];
    const { task } = (await place.run(...args)).json;
    const dry = await place.run(...args, '--dry-run');
    expect(dry).toMatchObject({ status: 0, json: { task, session } });
  });

  test.each([
    ['nothing', 'ffffffff', 3, /No session is called ffffffff\. .* has 1 session\./],
    ['a program without sessions', 'codex', 3, /No session is called codex/],
  ])('names %s that is not there', async (_, given, status, words) => {
    const ran = await left('basic.jsonl').run('handoff', '--from', given, '--to', 'codex');
    expect(ran.status).toBe(status);
    expect(ran.stderr).toMatch(words);
  });

  test('lists the sessions that an id could mean', async () => {
    const place = left('basic.jsonl');
    const other = `${session.slice(0, -4)}0000`;
    put(claudePlace(place.home, place.folder, other), sessionText('basic.jsonl', place.folder));
    const ran = await place.run('handoff', '--from', session.slice(0, 8), '--to', 'codex', '--json');
    expect(ran).toMatchObject({ status: 3, json: { error: { code: 'ambiguous-session' } } });
    expect(ran.stderr).toContain(`claude-code:${other}`);
  });

  test.runIf(hasTerminal)('asks at a terminal only for what is missing', async () => {
    const { folder, home } = left('basic.jsonl');
    const asked = new Set(['--accept', '--validate', '--review', '--next']);
    const given = agreed.filter((_, i) => !asked.has(agreed[i - (i % 2)] ?? ''));
    const ran = await typed(
      folder,
      ['handoff', '--from', 'latest', '--to', 'codex', ...given],
      [
        // What the session suggests is taken out first.
        ['The one next action: ', '\u0015add the second post to fence.txt\r'],
        ['It is accepted when: ', '\u0015node check.mjs passes\r'],
      ],
      { HOME: home },
    );
    expect(ran).toMatchObject({
      status: 0,
      text: expect.stringContaining('is on offer to runtime:codex') as unknown,
    });
    expect(ran.text).not.toContain('What is not part of it');
  });
});

describe('at a terminal, a session', () => {
  test.runIf(hasTerminal)('is handed over by accepting what it suggests', async () => {
    const { folder, home } = left('basic.jsonl');
    const ran = await typed(
      folder,
      ['handoff', '--from', 'latest', '--to', 'codex', '--kind', 'code', '--artefact', 'fence.txt'],
      [
        ['The one next action: ', '\r'],
        ['It is accepted when: ', '\r'],
      ],
      { HOME: home },
    );
    expect(ran.text).toContain('is on offer to runtime:codex');
    expect(ran.status).toBe(0);
  });
});

describe('rescue', () => {
  test('turns a session that died into a packet, once, and touches nothing of the agent', async () => {
    const place = left('crash-mid-tool.jsonl');
    const before = [readFileSync(place.path, 'utf8'), statSync(place.path).mtimeMs];
    const would = await place.run('rescue', '--dry-run', '--json');
    expect(would.json).toMatchObject({
      dryRun: true,
      rescued: [{ outcome: 'would-rescue', trigger: 'crash' }],
    });
    const ran = await place.run('rescue', '--to', 'gemini-cli', '--json');
    expect(ran).toMatchObject({
      status: 0,
      json: { rescued: [{ outcome: 'rescued', trigger: 'crash', session: { id: session } }] },
    });
    const [{ task }] = ran.json['rescued'] as [{ task: string }];
    expect(await shown(place, task)).toMatchObject({
      status: 'offered',
      offer: { to: 'runtime:gemini-cli', trigger: 'crash' },
      packet: {
        trigger: 'crash',
        why: expect.stringContaining('In the middle of a call of Bash') as unknown,
      },
    });
    const again = await place.run('rescue', '--json');
    expect(again.json).toMatchObject({ rescued: [{ outcome: 'already', task }] });
    expect([readFileSync(place.path, 'utf8'), statSync(place.path).mtimeMs]).toEqual(before);
  });

  test('tells a limit of usage from a limit of requests', async () => {
    const limit = left('usage-limit.jsonl');
    expect((await limit.run('rescue', '--json')).json).toMatchObject({
      rescued: [{ outcome: 'rescued', trigger: 'usage-limit' }],
    });
    const rate = left('rate-limited.jsonl');
    const { rescued } = (await rate.run('rescue', '--json')).json as { rescued: Json[] };
    expect(rescued.map(({ trigger }) => trigger)).not.toContain('usage-limit');
  });

  test('leaves a session alone that ended as sessions end, and says so', async () => {
    const place = left('basic.jsonl');
    const ran = await place.run('rescue');
    expect(ran).toMatchObject({ status: 0, stdout: '' });
    expect(ran.stderr).toContain('None of 1 session died');
    expect((await place.run('rescue', session)).stderr).toContain('ended as sessions end');
  });

  test.each([
    ['died', 'open', [{ outcome: 'would-rescue', trigger: 'crash' }]],
    ['came to its end', 'settled', []],
  ])('believes hooks that a session %s in which it does not show', async (_, turn, rescued) => {
    const { home, folder, run } = left('basic.jsonl', 60 * 48);
    const chats = join(home, '.gemini/tmp/demo/chats');
    put(join(chats, '../.project_root'), folder);
    const id = 'aaaaaaaa-2222-4333-8444-555555555555';
    const lines = [
      { sessionId: id, projectHash: 'h', startTime: '2026-11-15T18:00:00Z' },
      { id: '1', type: 'user', content: [{ text: 'Measure the import.' }] },
      { id: '2', type: 'gemini', content: 'I measure it.' },
    ];
    const path = join(chats, 'session-2026-11-15T18-00-aaaaaaaa.jsonl');
    put(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    await run('init');
    // No process ever has this number.
    const host = { pid: 2 ** 30, started: null };
    const record = { v: 1, runtime: 'gemini-cli', session: id, host, folder, at: 1, turn, ended: false };
    put(
      join(folder, '.staffetta/hooks', `session-gemini-cli-${id}.json`),
      JSON.stringify({ ...record, agent: 'gemini-cli-55555555', leg: null }),
    );
    const ran = await run('rescue', '--dry-run', '--json');
    expect(ran.json).toMatchObject({ looked: 1, rescued });
  });

  test('goes on in another name, with the whole story', async () => {
    const place = left('crash-mid-tool.jsonl');
    const { rescued } = (await place.run('rescue', '--json')).json as { rescued: [{ task: string }] };
    const [{ task }] = rescued;
    const told = await place.run('history', task, '--format', 'json');
    const { steps } = told.json as { steps: { name: string; source: string; text: string }[] };
    const asked = steps.find(({ source }) => source === 'user');
    const evidence = await place.run('show', task, asked?.name ?? 's0');
    expect(evidence).toMatchObject({
      status: 0,
      stdout: expect.stringContaining(asked?.text ?? '?') as unknown,
    });
    const nearest = await place.run('show', task, 's1');
    expect([nearest.status, nearest.stdout]).toEqual([0, expect.stringContaining(steps[0]?.name ?? '?')]);
    const records = readFileSync(place.path, 'utf8').split('\n').length;
    for (const beyond of [`s${records + 1}`, 's999999'])
      expect(await place.run('show', task, beyond)).toMatchObject({
        status: 3,
        stderr: expect.stringMatching(/There are s\d+ to s\d+\./) as unknown,
      });
    expect(await place.run('show', task, 'q1')).toMatchObject({ status: 2 });
  });
});

describe('watch', () => {
  test('seals a settled session once, and again when there is more', async () => {
    const place = left('basic.jsonl');
    const first = await place.run('watch', '--once', '--adopt', '--json');
    expect(first).toMatchObject({ status: 0, lines: [{ what: 'sealed', trigger: 'planned' }] });
    expect((await place.run('watch', '--once', '--adopt', '--json')).lines).toEqual([]);
    put(place.path, sessionText('after-resume.jsonl', place.folder));
    expect((await place.run('watch', '--once', '--json')).lines).toMatchObject([{ what: 'sealed' }]);
  });

  test('follows nothing that has no task unless it is told to adopt', async () => {
    const place = left('basic.jsonl');
    expect((await place.run('watch', '--once', '--json')).lines).toEqual([]);
  });

  test('seals nothing between a call and its result', async () => {
    const place = left('crash-mid-tool.jsonl', 0);
    expect((await place.run('watch', '--once', '--adopt', '--json')).lines).toEqual([]);
  });

  test('takes notes that stand in a file, each line once', async () => {
    const place = left('basic.jsonl');
    const opened = await place.run('open', 'The fence stands', '--take', '--as', 'code', '--json');
    const notes = join(place.folder, '.staffetta', 'notes.md');
    writeFileSync(notes, 'the posts are oak\n');
    for (let round = 0; round < 2; round += 1) await place.run('watch', '--once');
    writeFileSync(notes, 'the posts are oak\nthe gate is left\n');
    await place.run('watch', '--once');
    const { lines } = await place.run('log', String(opened.json['task']), '--json');
    const texts = lines.flatMap((entry) => entry['events'] as Json[]).filter(({ type }) => type === 'note');
    expect(texts.map(({ text }) => text)).toEqual([
      'notes.md:\nthe posts are oak',
      'notes.md:\nthe gate is left',
    ]);
  });

  test('can be switched off and on', async () => {
    const place = left('basic.jsonl');
    await place.run('init', '--yes');
    await place.run('watch', '--off');
    const off = await place.run('watch', '--once', '--adopt');
    expect(off).toMatchObject({
      status: 0,
      stdout: '',
      stderr: expect.stringContaining('switched off') as unknown,
    });
    await place.run('watch', '--on');
    expect((await place.run('watch', '--once', '--adopt', '--json')).lines).toHaveLength(1);
  });
});
