/** Work goes on in another program: what is proven, taken, told and started, and what is not. */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { RuntimeName } from '../../src/ports/index.ts';
import { notProven } from '../faults/not-proven.ts';
import { contentOf, launcher, newFolder, node, type Json } from './command.ts';
import { claudePlace, desk, leavesGemini, programs, put, sessionText } from './programs.ts';

/** Goes on in the session that was captured. */
function inSession(task: string): string[] {
  return ['resume', '--take', task, '--in', 'claude-code', '--history', 'session', '--json'];
}

function text(json: Json, ...names: readonly string[]): string {
  let at: unknown = json;
  for (const name of names) at = (at as Json)[name];
  return String(at);
}

describe('with a briefing', () => {
  test('the task is taken for the agent, and a command is given that can be pasted', async () => {
    const { run, task, folder, started, store, home } = await desk();
    const ran = await run(['resume', '--take', task, '--in', 'gemini-cli', '--json']);
    expect(ran.status).toBe(0);
    expect(ran.json).toMatchObject({
      task,
      runtime: 'gemini-cli',
      agent: 'gemini-cli',
      way: 'briefing',
      leg: `${task}/2`,
    });
    expect(started()).toBeNull();
    expect(existsSync(join(home, '.gemini'))).toBe(false);
    const file = text(ran.json, 'promptFile');
    expect(file).toBe(join(folder, '.staffetta/prompts', `${task}-2.md`));
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const prompt = readFileSync(file, 'utf8');
    expect(prompt).toMatch(/^You take over task /);
    for (const name of ['terminal', 'headless'])
      expect(text(ran.json, 'commands', name)).not.toContain('You take over');
    execFileSync('sh', ['-c', text(ran.json, 'commands', 'headless')], {
      env: { PATH: process.env['PATH'] ?? '', CLAUDECODE: '1' },
    });
    const env = { STAFFETTA_LEG: `${task}/2`, STAFFETTA_AS: 'gemini-cli', STAFFETTA_STORE: store };
    expect(started()).toMatchObject({ cwd: folder, stdin: prompt, env });
  });

  test('without a start nothing is taken, as often as it is asked; the command that is named starts it', async () => {
    const { run, task, store, started } = await desk();
    const before = contentOf(store);
    const first = await run(['resume', task, '--in', 'codex', '--print']);
    const again = await run(['resume', task, '--in', 'opencode', '--json']);
    expect([first.status, again.status, contentOf(store)]).toEqual([0, 0, before]);
    expect(first.stdout).toContain(`staffetta resume ${task} --in codex --launch`);
    expect(again.json).toMatchObject({
      taken: false,
      command: `staffetta resume ${task} --in opencode --launch`,
    });
    expect(started()).toBeNull();
  });

  test('the same task is not given out twice', async () => {
    const { run, task } = await desk();
    await run(['resume', '--take', task, '--in', 'codex']);
    const again = await run(['resume', '--take', task, '--in', 'opencode', '--json']);
    expect(again).toMatchObject({ status: 5, json: { error: { code: 'held' } } });
    const goesOn = await run(['resume', '--take', task, '--in', 'codex', '--generation', '2', '--json']);
    expect(goesOn).toMatchObject({ status: 0, json: { leg: `${task}/2`, agent: 'codex' } });
  });

  test('an offer to somebody else is refused, and one to an agent is taken under its name', async () => {
    const other = await desk({ to: 'codex' });
    const asked = ['resume', '--take', other.task, '--in', 'gemini-cli', '--json'];
    const refused = await other.run(asked, { env: { STAFFETTA_AS: 'lead' } });
    expect(refused).toMatchObject({ status: 4, json: { error: { code: 'not-addressed' } } });
    expect(refused.stderr).toContain(`staffetta reassign ${other.task} --to gemini-cli --why`);
    const named = await desk({ to: 'agent:bea' });
    const taken = await named.run(['resume', '--take', named.task, '--in', 'gemini-cli', '--json']);
    expect(taken.json).toMatchObject({ agent: 'bea' });
  });

  test('an agent that starts another one is its parent', async () => {
    const { run, task, show } = await desk();
    await run(['resume', '--take', task, '--in', 'codex', '--as', 'helper'], {
      env: { STAFFETTA_AS: 'lead' },
    });
    expect(await show()).toMatchObject({ leg: { holder: { name: 'helper', lineage: ['lead'] } } });
  });

  test('a dry run tells all of it and changes nothing', async () => {
    const { run, task, store, folder } = await desk();
    const before = contentOf(store);
    const ran = await run(['resume', task, '--in', 'codex', '--dry-run', '--launch', '--goal', 'Only this']);
    expect(ran.status).toBe(0);
    expect(ran.stdout).toContain('For now: Only this');
    expect(ran.stdout).toContain('Version 0.166.0 is known to work.');
    expect(ran.stderr).toContain('Nothing was taken, written or started');
    expect(contentOf(store)).toBe(before);
    expect(existsSync(join(folder, '.staffetta/prompts'))).toBe(false);
  });

  test('what does not come along is printed, and noted in the journal', async () => {
    const { run, task } = await desk({ fixture: 'compaction.jsonl' });
    const ran = await run(['resume', '--take', task, '--in', 'codex', '--json']);
    expect(ran.json).toMatchObject({
      losses: {
        servers: ['lab'],
        permissions: { runtime: 'claude-code', said: 'bypassPermissions' },
      },
    });
    const log = await run(['log', task, '--json']);
    expect(log.stdout).toContain('MCP server lab: its tools were used');
    expect(log.stdout).toContain('Goes on in codex: a new session with a briefing');
  });

  test('the risk that a program deletes the session is told', async () => {
    const { run, task } = await desk();
    const ran = await run(['resume', task, '--in', 'gemini-cli', '--dry-run']);
    expect(ran.stdout).toContain('Gemini CLI deletes a session that was continued');
    expect(ran.stdout).toContain('Without a terminal Gemini CLI leaves out the tools');
  });
});

describe('--launch', () => {
  test('starts the program, passes its output on and captures the session that it left', async () => {
    const { run, task, started, show } = await desk({ does: leavesGemini });
    const ran = await run([
      'resume',
      task,
      '--in',
      'gemini-cli',
      '--launch',
      '--arg=--approval-mode=auto_edit',
    ]);
    expect(ran.stderr).toContain('Gemini CLI ended with exit code 0.');
    expect(ran).toMatchObject({ status: 0, stdout: 'the answer of the model\n' });
    expect(started()?.argv).toContain('--approval-mode=auto_edit');
    expect(started()?.stdin).toMatch(/^You take over task /);
    const shown = await show();
    expect(shown).toMatchObject({
      status: 'offered',
      packet: { generation: 2, facts: { session: { runtime: 'gemini-cli' } } },
    });
    expect(text(shown, 'packet', 'trigger')).toBe('planned');
  });

  test('keeps data and words of the program apart', async () => {
    const { run, task } = await desk({ does: leavesGemini });
    const ran = await run(['resume', task, '--in', 'gemini-cli', '--launch', '--json']);
    expect(ran.json).toMatchObject({ ran: { exit: 0 }, captured: { outcome: 'captured' } });
    expect(ran.stderr).toContain('the answer of the model');
  });

  test('lets the agent speak under its leg, and adds nothing to a leg that it ended', async () => {
    const does = `
staffetta('note', process.env.STAFFETTA_LEG.split('/')[0], 'from within');
staffetta('ack', '--goal', 'a', '--gate', 'b', '--next', 'c');
staffetta('handoff', '--to', 'anyone', '--trigger', 'context-limit', '--next', 'go on with the fence');`;
    const { run, task } = await desk({ does });
    const ran = await run(['resume', task, '--in', 'codex', '--launch', '--json']);
    expect(ran.json).toMatchObject({
      ran: { exit: 0 },
      captured: { outcome: 'leg-over', status: 'offered' },
    });
    expect((await run(['log', task, '--json'])).stdout).toContain('from within');
  });

  test('ends the program when the task is taken away from it', async () => {
    const does = `
staffetta('cancel', process.env.STAFFETTA_LEG.split('/')[0], '--as', 'boss', '--lane', 'supervise', '--why', 'enough');
setInterval(() => {}, 1000);`;
    const { run, task } = await desk({ does });
    const ran = await run(['resume', task, '--in', 'codex', '--launch', '--lease', '1s', '--json']);
    expect(ran.json).toMatchObject({
      ran: { exit: null, signal: 'SIGTERM' },
      captured: { outcome: 'leg-over', status: 'cancelled' },
    });
    expect(ran.status).toBe(1);
  });

  test('hands the terminal over where there is one', async () => {
    if (spawnSync('script', ['-qec', 'true', '/dev/null']).status !== 0) {
      notProven('that a terminal is handed over', 'there is no script of util-linux here');
      return;
    }
    const { task, folder, home, started } = await desk();
    const env = { HOME: home, PATH: `${join(home, 'bin')}:${process.env['PATH'] ?? ''}`, TERM: 'dumb' };
    const words = [node, launcher, 'resume', task, '--in', 'gemini-cli', '--launch'];
    execFileSync('script', ['-qec', words.join(' '), '/dev/null'], { cwd: folder, env, input: '\x04' });
    const { argv = [] } = started() ?? {};
    expect(argv).toContain('--prompt-interactive');
    expect(argv.at(-1)).toBe(
      `Read the file ${folder}/.staffetta/prompts/${task}-2.md and go on from what it says.`,
    );
  });

  test('tells how a program failed, and that it left nothing', async () => {
    const { run, task } = await desk({ does: 'process.exit(7);' });
    const ran = await run(['resume', task, '--in', 'opencode', '--launch']);
    expect(ran.status).toBe(1);
    expect(ran.stderr).toContain('opencode ended with exit code 7.');
    expect(ran.stderr).toContain('It left no session for this folder');
  });

  test('is refused without the program, and nothing is taken', async () => {
    const { run, task, store } = await desk({ installed: [] });
    const before = contentOf(store);
    const ran = await run(['resume', task, '--in', 'codex', '--launch', '--json']);
    expect(ran).toMatchObject({ status: 3, json: { error: { code: 'runtime-missing' } } });
    expect(contentOf(store)).toBe(before);
    const printed = await run(['resume', '--take', task, '--in', 'codex']);
    expect(printed).toMatchObject({ status: 3, stdout: '' });
    expect(printed.stderr).toContain('--unproven');
    expect(contentOf(store)).toBe(before);
    const agreed = await run(['resume', '--take', task, '--in', 'codex', '--unproven']);
    expect(agreed.stdout).toContain('is not on the PATH');
  });
});

describe('with the full history', () => {
  test.each(['codex', 'gemini-cli'] as const)(
    'a new session of %s is written and gone on with',
    async (name) => {
      const { run, task, home, folder, started } = await desk();
      const ran = await run(['resume', task, '--in', name, '--history', 'full', '--launch', '--json']);
      expect(ran).toMatchObject({ status: 0, json: { way: 'full', ran: { exit: 0 } } });
      const { argv = [], stdin } = started() ?? {};
      expect(stdin).toMatch(/^The conversation so far, begun in claude-code, is the work on task /);
      const place =
        name === 'codex'
          ? fileBelow(join(home, '.codex/sessions'))
          : (argv[argv.indexOf('--session-file') + 1] ?? '');
      const written = readFileSync(place, 'utf8');
      expect(written).toContain('Please create out.txt');
      expect(written).toContain('all done');
      expect(argv.join(' ')).toContain(
        name === 'codex' ? 'exec resume ' : join(folder, '.staffetta/prompts'),
      );
    },
  );

  test.each([
    ['claude-code', '--resume NEW-SESSION-ID', '/NEW-SESSION-ID.jsonl'],
    ['codex', 'resume NEW-SESSION-ID', '-NEW-SESSION-ID.jsonl'],
    ['gemini-cli', '-NEW-SESSION-ID.jsonl', '-NEW-SESSION-ID.jsonl'],
    ['opencode', '--session NEW-SESSION-ID', 'opencode.db'],
  ] as const)('a dry run says what %s would get, and the command after it', async (name, command, path) => {
    const { run, task, home, store, folder } = await desk();
    const before = contentOf(store);
    const args = ['resume', task, '--in', name, '--history', 'full', '--model', 'a/b', '--dry-run'];
    const { json, status } = await run([...args, '--json']);
    expect([status, text(json, 'commands', 'headless')]).toEqual([0, expect.stringContaining(command)]);
    expect(json).toMatchObject({ dryRun: true, wouldWrite: { id: 'NEW-SESSION-ID', steps: 3 } });
    expect(text(json, 'wouldWrite', 'path').endsWith(path)).toBe(true);
    const { stderr } = await run(args);
    expect(stderr).toContain(`Would write a new session of ${name} with 3 steps to `);
    expect(stderr).toContain('NEW-SESSION-ID stands for its id');
    expect(contentOf(store)).toBe(before);
    for (const made of ['.codex', '.gemini', '.local']) expect(existsSync(join(home, made))).toBe(false);
    expect(existsSync(join(folder, '.staffetta/prompts'))).toBe(false);
  });

  test('an unproven version needs consent, and nothing is written before it', async () => {
    const { run, task, home, store } = await desk({ version: '99.0.0' });
    const before = contentOf(store);
    const args = ['resume', '--take', task, '--in', 'codex', '--history', 'full', '--json'];
    const refused = await run(args);
    expect(refused).toMatchObject({ status: 5, json: { error: { code: 'not-resumable' } } });
    expect(contentOf(store)).toBe(before);
    expect(existsSync(join(home, '.codex'))).toBe(false);
    expect((await run([...args, '--unproven'])).status).toBe(0);
    expect(fileBelow(join(home, '.codex/sessions'))).toMatch(/rollout-/);
  });

  test('is not put where no program would look for it', async () => {
    const { run, task, home } = await desk({ installed: [] });
    const args = ['resume', '--take', task, '--history', 'full', '--unproven', '--json', '--in'];
    for (const name of ['codex', 'opencode'])
      expect(await run([...args, name])).toMatchObject({
        status: 3,
        json: { error: { code: 'runtime-missing' } },
      });
    expect(readdirSync(home).sort()).toEqual(['.claude', 'bin']);
  });

  test('a task without a session has no history', async () => {
    const { run } = await desk();
    const opened = await run(['open', 'A goal', '--json']);
    const ran = await run([
      'resume',
      '--take',
      text(opened.json, 'task'),
      '--in',
      'codex',
      '--history',
      'full',
    ]);
    expect(ran.status).toBe(5);
    expect(ran.stderr).toContain('No session was captured');
  });
});

describe('in the session it was in', () => {
  test('goes on there', async () => {
    const { run, task, session } = await desk();
    const ran = await run(inSession(task));
    expect(ran).toMatchObject({ status: 0, json: { session } });
    expect(text(ran.json, 'commands', 'headless')).toContain(`--resume ${session}`);
  });

  test('is refused while a process holds it, by its number', async () => {
    const { run, task, home, session, store } = await desk();
    const before = contentOf(store);
    const { pid } = process;
    put(join(home, '.claude/sessions', `${pid}.json`), JSON.stringify({ pid, sessionId: session }));
    const ran = await run(inSession(task));
    expect(ran).toMatchObject({ status: 5, json: { error: { code: 'held' } } });
    expect(text(ran.json, 'error', 'message')).toContain(`Process ${pid} still holds the session ${session}`);
    expect(contentOf(store)).toBe(before);
    const briefed = await run(['resume', '--take', task, '--in', 'codex']);
    expect(briefed.stdout).toContain(`Process ${pid} still holds the session ${session} of claude-code`);
  });

  test('is refused where it is gone, of another program, or none of this folder', async () => {
    const gone = await desk();
    const place = claudePlace(gone.home, gone.folder);
    writeFileSync(place, 'nothing\n');
    expect((await gone.run(inSession(gone.task))).json).toMatchObject({ error: { code: 'not-resumable' } });
    const elsewhere = await gone.run([
      'resume',
      '--take',
      gone.task,
      '--in',
      'codex',
      '--history',
      'session',
    ]);
    expect(elsewhere).toMatchObject({ status: 5 });
    expect(elsewhere.stderr).toContain('is of claude-code and not of codex');
  });

  test('finds it in another folder of the program', async () => {
    const { run, task, home, folder, session } = await desk();
    const moved = newFolder();
    put(claudePlace(home, moved), sessionText('basic.jsonl', folder));
    expect(await run(inSession(task))).toMatchObject({ status: 0, json: { session } });
  });
});

test.each(Object.keys(programs) as RuntimeName[])(
  '%s is started with the prompt on its input',
  async (name) => {
    const { run, task, started } = await desk();
    await run(['resume', task, '--in', name, '--launch', '--model', 'm/odel', '--json']);
    const { argv = [], stdin = '' } = started() ?? {};
    expect(stdin).toMatch(/^You take over task /);
    expect(argv.join(' ')).not.toContain('take over');
    expect(argv[argv.indexOf('--model') + 1]).toBe('m/odel');
  },
);

describe('advice about the session', () => {
  const ask = ['--to', 'codex', '--trigger', 'user', '--json'];

  test('says how it stands, by its own figures', async () => {
    const { run, task, home, folder } = await desk();
    const fresh = await run(['advise', task, ...ask]);
    expect(fresh.json).toMatchObject({ session: 'fresh', sessionFacts: { resumable: true } });
    const place = claudePlace(home, folder);
    utimesSync(place, 1_000_000, 1_000_000);
    expect((await run(['advise', task, ...ask])).json).toMatchObject({ session: 'stale' });
    writeFileSync(place, readFileSync(place, 'utf8').replaceAll('"input_tokens":', '"input_tokens":19'));
    expect((await run(['advise', task, ...ask])).json).toMatchObject({ session: 'overloaded' });
  });

  test('says that there is none where it is gone, or its program is', async () => {
    const { run, task, home, folder } = await desk();
    const without = await run(['advise', task, ...ask], { env: { PATH: process.env['PATH'] } });
    expect(without.json).toMatchObject({ session: 'none', sessionFacts: { resumable: false } });
    rmSync(claudePlace(home, folder));
    expect((await run(['advise', task, ...ask])).json).toMatchObject({ session: 'none', sessionFacts: null });
  });
});

function fileBelow(folder: string): string {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const found = names.find((name) => name.endsWith('.jsonl')) ?? '';
  return join(folder, found);
}
