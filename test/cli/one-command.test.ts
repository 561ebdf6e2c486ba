/** From a dead session to the next agent with nothing prepared, and what is said where that cannot be. */
import { readdirSync, utimesSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { RuntimeName } from '../../src/ports/index.ts';
import { newFolder, newWorkplace, staffetta, type Ran } from './command.ts';
import { hasTerminal, typed } from './terminal.ts';
import { claudePlace, fakePrograms, put, session, sessionText } from './programs.ts';

interface Place {
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  readonly run: (...args: readonly string[]) => Promise<Ran>;
  readonly leaves: (fixture: string, id?: string) => string;
}

function place(installed: readonly RuntimeName[] = ['claude-code', 'codex'], does = ''): Place {
  const home = newFolder();
  const folder = newWorkplace();
  const { env } = fakePrograms(home, installed, does);
  return {
    folder,
    env,
    run: async (...args) => await staffetta(args, { cwd: folder, env }),
    leaves: (fixture, id = session) => {
      const path = claudePlace(home, folder, id);
      put(path, sessionText(fixture, folder).replaceAll(session, id));
      return path;
    },
  };
}

test('says which program worked here, how it stopped, and the command that goes on', async () => {
  const { run, leaves, folder } = place();
  expect((await run()).stdout).toContain('No coding agent has worked in this folder');
  leaves('usage-limit.jsonl');
  const { stdout, stderr } = await run();
  expect(stdout).toMatch(/^Claude Code worked here until .*\d\d:\d\d and stopped at its usage limit\.\n$/);
  expect(stderr).toContain('staffetta resume --in codex');
  expect((await run('sessions')).stderr).toContain('staffetta resume --in codex');
  expect(readdirSync(folder)).not.toContain('.staffetta');
});

test('seals once, takes nothing until it starts, and leaves what a person can finish with one command', async () => {
  const { run, leaves, folder } = place(['codex'], `put('fence.txt', 'two posts\\n');`);
  leaves('usage-limit.jsonl');
  const first = await run('resume', '--in', 'codex', '--json');
  const again = await run('resume', '--in', 'codex', '--json');
  expect(first.json).toMatchObject({ taken: false, runtime: 'codex' });
  expect(again.json).toEqual(first.json);
  const task = String(first.json['task']);
  expect((await run('log', task)).stdout).not.toContain('codex took it');
  const ran = await run('resume', '--in', 'codex', '--launch');
  expect(ran.stderr).toContain(`it is done: staffetta complete ${task}`);
  put(`${folder}/fence.txt`, 'mended by hand\n');
  expect(await run('complete', task)).toMatchObject({ status: 0, stdout: `${task} is done, as you say.\n` });
  expect((await run()).stderr).not.toContain('staffetta resume');
  const over = await run('resume', '--in', 'codex');
  expect(over).toMatchObject({ status: 5 });
  expect(over.stderr).toContain('staffetta fork');
});

test('every door says the next step', async () => {
  const { run, leaves, folder } = place(['codex']);
  const says = async (words: string, ...args: readonly string[]): Promise<void> => {
    const { status, stderr } = await run(...args);
    expect([args, status === 0, stderr]).toEqual([args, false, expect.stringContaining(words)]);
  };
  await says('staffetta open "what should be done"', 'resume', '--in', 'codex');
  await says('staffetta sessions --everywhere', 'handoff', '--from', 'latest');
  await says('staffetta sessions --everywhere', 'resume', '--from', 'nothing', '--in', 'codex');
  expect(await run('watch', '--once', '--adopt')).toMatchObject({ status: 0 });
  await says('staffetta resume --in codex', 'resume');
  await says('Did you mean: --in codex', 'resume', '--in', 'codx');
  await says('staffetta resume --in PROGRAM', 'switch');
  const other = '11111111-f5d7-4c6f-9cee-22ae9ee57704';
  for (const id of [session, other]) utimesSync(leaves('basic.jsonl', id), 1_790_000_000, 1_790_000_000);
  await says('Here are: codex', 'resume', '--from', session, '--in', 'qwen');
  await says(`staffetta resume --from claude-code:${other} --in codex`, 'resume', '--in', 'codex');
  for (const words of [[], ['sessions']])
    for (const id of [session, other])
      expect((await run(...words)).stderr).toContain(`staffetta resume --from claude-code:${id} --in codex`);
  await says('staffetta resume --in PROGRAM', 'take', '--as', 'ada');
  // Nothing was done, and nothing is there that was not.
  expect(readdirSync(folder)).not.toContain('.staffetta');
  expect(await run('resume', '--from', `claude:${other}`, '--in', 'codex')).toMatchObject({ status: 0 });
});

test('what needs a person is one list, and work can rest', async () => {
  const { run, leaves } = place(['codex']);
  expect((await run('inbox')).stderr).toContain('Nothing needs you.');
  expect((await run('continue')).stderr).toContain('staffetta resume --in PROGRAM');
  leaves('usage-limit.jsonl');
  const task = String((await run('resume', '--in', 'codex', '--json')).json['task']);
  const left = { kind: 'left', task, command: `staffetta resume ${task} --in codex` };
  expect((await run('inbox', '--json')).json).toMatchObject({ inbox: [left] });
  expect((await run()).stdout).toContain(left.command);
  expect(await run('pause', task, '--until', '2h')).toMatchObject({ status: 0 });
  expect((await run('inbox', '--json')).json).toEqual({ inbox: [] });
  const early = await run('resume', task, '--in', 'codex', '--launch');
  expect([early.status, early.stderr]).toEqual([8, expect.stringContaining(`staffetta continue ${task}`)]);
  expect(await run('continue')).toMatchObject({ status: 0 });
  await run('take', task, '--as', 'codex', '--runtime', 'codex');
  await run('decide', task, 'Left or right?', '--ask', '--as', 'codex');
  const asked = {
    kind: 'question',
    text: 'Left or right?',
    command: `staffetta decide ${task} "ANSWER" --answer 1`,
  };
  expect((await run('inbox', '--json')).json).toMatchObject({ inbox: [asked] });
  expect((await run('ls', '--status', 'in-work')).stdout).toMatch(/ in work /);
  expect(await run('pause', task, '--reason', 'later')).toMatchObject({ status: 0 });
});

test.runIf(hasTerminal)('at a terminal it is answered on the spot, and Ctrl-C answers nothing', async () => {
  const { run, folder, env } = place([]);
  const { json } = await run(
    'open',
    'The fence stands',
    '--take',
    '--as',
    'ada',
    '--lane',
    'execute',
    '--json',
  );
  const task = String(json['task']);
  await run('decide', task, 'Left or right?', '--ask', '--as', 'ada');
  const stopped = await typed(folder, ['inbox'], [['Answer it now?', '\u0003']], env);
  expect([stopped.status, stopped.text]).toEqual([
    130,
    expect.stringContaining('Interrupted; nothing was changed.'),
  ]);
  const keys = [
    ['Answer it now?', '1\r'],
    ['Your answer', 'Left\r'],
  ] as const;
  const { status, text } = await typed(folder, ['inbox'], keys, env);
  expect([status, text]).toEqual([0, expect.stringContaining(`Question 1 of ${task} is answered.`)]);
  expect((await run('inbox', '--json')).json).toEqual({ inbox: [] });
});

test('work that was paused or handed in says how it goes on', async () => {
  const { run } = place(['codex']);
  const terms = ['--accept', 'it stands', '--review', 'lane:audit', '--validate', 'node --version'];
  const { json } = await run('open', 'A fence stands.', ...terms, '--json');
  const task = String(json['task']);
  await run('take', '--as', 'ada', '--lane', 'execute');
  // Nothing runs for what is refused afterwards.
  const early = await run('submit', '--prove', '--as', 'ada');
  expect(early.stderr).toMatch(/^staffetta: Task \w+ was taken but not acknowledged/);
  await run('progress', '--as', 'ada', '--at', '7', '--of', '10', '--unit', 'posts', '--cursor', 'post 8');
  await run('pause', task);
  expect((await run('take', '--as', 'bea', '--lane', 'execute')).stderr).toContain(
    `${task} is paused. A person lets it go on: staffetta continue ${task}`,
  );
  expect((await run('continue')).stderr).toContain(`staffetta take ${task}`);
  const taken = await run('take', '--as', 'bea', '--lane', 'execute');
  expect(taken.stdout).toContain('Go on at 7 of 10 posts, with post 8.');
  await run('ack', '--as', 'bea', '--goal', 'a fence', '--gate', 'it stands', '--next', 'dig');
  const done = await run('submit', '--prove', '--as', 'bea', '--done', 'It stands.');
  expect(done.stderr).toContain(`staffetta review ${task} --as NAME --lane audit`);
  const judged = await run('take', '--as', 'eve', '--lane', 'audit');
  expect(judged.stderr).toContain(`staffetta review ${task}`);
  expect((await run('review', task, '--as', 'eve', '--approve')).stderr).toContain(
    `staffetta review ${task} --as eve --lane audit`,
  );
});
