/** From a dead session to the next agent with nothing prepared, and what is said where that cannot be. */
import { readdirSync, readFileSync, utimesSync } from 'node:fs';
import { expect, test } from 'vitest';
import { contentOf, type Json } from './command.ts';
import { hasTerminal, typed } from './terminal.ts';
import { leavesGemini, place, put, says, session } from './programs.ts';

test('says which program worked here, how it stopped, and the command that goes on', async () => {
  const { run, leaves, folder } = place();
  expect((await run()).stdout).toContain('No coding agent has worked in this folder');
  leaves('usage-limit.jsonl');
  const { stdout, stderr } = await run();
  expect(stdout).toMatch(/^Claude Code worked here until .*\d\d:\d\d and stopped at its usage limit\.\n$/);
  expect(stderr).toContain('staffetta resume --in codex');
  expect((await run('sessions')).stderr).toContain('staffetta resume --in codex');
  expect((await run('sessions')).stdout).toMatch(/ usage limit +\d/);
  expect((await run('resume')).stderr).toContain(
    'E.g. staffetta resume --in codex. Here are: claude-code, codex.',
  );
  expect(readdirSync(folder)).not.toContain('.staffetta');
});

test('where no coding agent is installed, none is named and what was done can be read', async () => {
  const { run, leaves } = place([]);
  leaves('usage-limit.jsonl');
  const seals = 'staffetta handoff --from latest --to anyone';
  for (const words of [[], ['sessions'], ['resume', '--print']]) {
    const { stderr } = await run(...words);
    expect(stderr.replaceAll(/\s+/g, ' ')).toMatch(new RegExp(`o coding agent is installed here.*${seals}`));
    expect(stderr).not.toContain('PROGRAM');
  }
  const task = String((await run('handoff', '--from', 'latest', '--to', 'codex', '--json')).json['task']);
  const { inbox } = (await run('inbox', '--json')).json as { inbox: Json[] };
  expect(inbox).toMatchObject([
    { kind: 'left', text: expect.stringContaining('install one.'), command: `staffetta brief ${task}` },
  ]);
  expect((await run('brief', task)).status).toBe(0);
  expect((await run('resume', task)).stderr).toContain(`Without one: staffetta brief ${task}`);
});

test('work that was rescued from a usage limit goes on in another program', async () => {
  const { run, leaves } = place();
  leaves('usage-limit.jsonl');
  expect(await run('rescue')).toMatchObject({ status: 0 });
  expect((await run('inbox')).stdout).toMatch(/→ staffetta resume \w+ --in codex\n/);
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
  const unchanged = contentOf(`${folder}/.staffetta/store.db`);
  const would = { status: 0, stdout: `Would be done: ${task} is done, as you say.\n` };
  expect(await run('complete', task, '--dry-run')).toMatchObject(would);
  const proving = await run('complete', task, '--dry-run', '--validate', 'node --version');
  expect([proving.status, proving.stdout]).toEqual([
    0,
    expect.stringMatching(/^Would run: node --version\n/),
  ]);
  expect(contentOf(`${folder}/.staffetta/store.db`)).toBe(unchanged);
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
  for (const words of [[], ['--from', 'claude'], ['--from', 'latest']])
    await says(
      `staffetta resume --from claude-code:${other} --in codex   (Claude Code had answered: “`,
      'resume',
      '--in',
      'codex',
      ...words,
    );
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
  expect((await run('ls', '--status', 'needs-you')).stdout).toMatch(/ needs you /);
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

test.runIf(hasTerminal)('of two sessions that are equally recent a person says which', async () => {
  const { run, leaves, folder, env } = place(['codex']);
  const other = '11111111-f5d7-4c6f-9cee-22ae9ee57704';
  utimesSync(leaves('basic.jsonl'), 1_790_000_000, 1_790_000_000);
  utimesSync(leaves('usage-limit.jsonl', other), 1_790_000_000, 1_790_000_000);
  // That which had answered needs nobody.
  expect((await run('inbox')).stderr).toMatch(
    /^Claude Code worked .* stopped at its usage limit\. “.+”\n +→ staffetta resume --from claude-code:1{8}-\S+ --in codex\n$/,
  );
  expect((await run()).stdout).toMatch(/ stopped at its usage limit\. “.+”\n.* had answered\. “.+”\n/s);
  const keys = [
    ['Which? 1 or 2', '1\r'],
    ['What should Codex do?', '\u0003'],
  ] as const;
  const { status, text } = await typed(folder, ['resume', '--in', 'codex'], keys, env);
  expect(text).toMatch(/1\. Claude Code stopped at its usage limit: .*\s+2\. Claude Code had answered: /);
  expect([status, text]).toEqual([130, expect.stringContaining('stopped at its usage limit. Sealed in')]);
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
  const where = 'It goes on at 7 of 10 posts (70 %), with post 8.';
  expect((await run('pause', task)).stdout).toContain(`is sealed. ${where}`);
  expect((await run('show', task)).stdout).toContain('paused until you continue it');
  expect((await run('take', '--as', 'bea', '--lane', 'execute')).stderr).toContain(
    `${task} is paused. A person lets it go on: staffetta continue ${task}`,
  );
  const goesOn = await run('continue');
  expect([goesOn.stdout, goesOn.stderr]).toEqual([
    `${task} is on offer to anyone again. ${where}\n`,
    expect.stringContaining(`staffetta take ${task}`),
  ]);
  const taken = await run('take', '--as', 'bea', '--lane', 'execute');
  expect(taken.stdout).toContain('Go on at 7 of 10 posts, with post 8.');
  await run('ack', '--as', 'bea', '--goal', 'a fence', '--gate', 'it stands', '--next', 'dig');
  const done = await run('submit', '--prove', '--as', 'bea', '--done', 'It stands.');
  expect(done.stderr).toContain(`staffetta review ${task} --as NAME --lane audit`);
  // Who looks in a name is told the verdict in that name; whoever pastes it speaks as they looked.
  const looked = await run('review', task, '--as', 'eve', '--lane', 'audit');
  const advised = looked.stderr.split('\n').filter((line) => /--(?:approve|send-back)/.test(line));
  expect(advised.map((line) => line.endsWith(' --as eve --lane audit'))).toEqual([true, true]);
  expect((await run('review', task, '--as', 'bea', '--lane', 'execute')).stderr).toMatch(
    new RegExp(
      `cannot approve it\\. For lane:audit to review: staffetta review ${task} --as NAME --lane audit\\.`,
    ),
  );
  const judged = await run('take', '--as', 'eve', '--lane', 'audit');
  expect(judged.stderr).toContain(`staffetta review ${task}`);
  expect((await run('review', task, '--as', 'eve', '--approve')).stderr).toContain(
    `staffetta review ${task} --as eve --lane audit`,
  );
});

test('after a usage limit the way on is another program, and the same one later where there is no other', async () => {
  const spent = leavesGemini.replace(
    `type: 'gemini', content: 'I went on.'`,
    `type: 'error', content: 'You exceeded your quota'`,
  );
  for (const [installed, next, way] of [
    [['gemini-cli', 'qwen-code'], 'qwen-code', /→ go on: staffetta resume \w+ --in qwen-code\n/],
    [
      ['gemini-cli'],
      'gemini-cli',
      /→ let it rest until the limit is over: staffetta pause \w+ --until TIME\n +→ go on then: staffetta resume \w+ --in gemini-cli\n/,
    ],
  ] as const) {
    const { run, leaves } = place(installed, spent);
    leaves('usage-limit.jsonl');
    const { stderr } = await run('resume', '--in', 'gemini', '--launch');
    expect(stderr).toContain('Gemini CLI stopped at its usage limit.');
    expect(stderr).toMatch(way);
    expect((await run('inbox')).stderr).not.toContain('worked here until');
    const [, command = ''] = /→ (staffetta resume \w+ --in .*)/.exec((await run()).stdout) ?? [];
    expect(command).toMatch(new RegExp(` --in ${next}$`));
    expect((await run('inbox')).stdout).toContain(command);
    const [, task = ''] = command.split(' ').slice(1);
    expect((await run('resume', task)).stderr).toContain(`E.g. ${command}.`);
  }
});

test('who paused their own work pauses it longer, and lets it go on', async () => {
  const { run, folder } = place([]);
  const task = String((await run('open', 'A fence stands.', '--take', '--json')).json['task']);
  await run('progress', '--at', '6', '--of', '10', '--unit', 'posts', '--cursor', 'post 7');
  await run('progress', '--at', '7');
  const at = async (): Promise<unknown> => (await run('show', task, '--json')).json['progress'];
  expect(await at()).toEqual({ at: 7, of: 10, unit: 'posts', cursor: null });
  // What the agent keeps of it in a file of its own.
  put(`${folder}/progress.json`, JSON.stringify({ at: 8, of: 10, cursor: 'post 9', current_phase: 'dig' }));
  for (const time of ['2h', '3h'])
    expect(await run('pause', task, '--until', time)).toMatchObject({ status: 0 });
  const told = await run();
  expect(told.stdout).toMatch(/Paused\n.*\n\w+ +waiting +execute +→ anyone \(rests\)/);
  expect(told.stderr).toContain(`staffetta continue ${task}`);
  expect(await run('continue', '--json')).toMatchObject({
    status: 0,
    json: { status: 'offered', holder: null, offeredTo: 'anyone' },
  });
  expect((await run('take')).stdout).toContain('Go on at 8 of 10 posts, with post 9.');
});

/** What a person is told meanwhile, in another terminal. */
const looksIn = `
for (const name of Object.keys(process.env)) if (/^STAFFETTA_(?!KEEP)/.test(name)) delete process.env[name];
put(process.env.HOME + '/seen.txt', staffetta());
`;

test('who is at work is told while they are, and nothing of a session whose work is over', async () => {
  const { run, leaves, env } = place(['codex'], looksIn);
  const path = leaves('usage-limit.jsonl');
  expect((await run('resume', '--in', 'codex', '--launch')).stderr).toContain('it is done');
  const seen = readFileSync(`${env['HOME']}/seen.txt`, 'utf8');
  expect(seen).toMatch(/In work\n.*\n\w+ +in work +execute +codex/);
  expect((await run('ls', '--status', 'waiting')).stderr).toContain('No task fits.');
  const { tasks } = (await run('ls', '--status', 'needs-you', '--json')).json as { tasks: Json[] };
  const task = String(tasks[0]?.['task']);
  expect((await run()).stdout).toContain('Claude Code worked here');
  expect(await run('cancel', task, '--why', 'rain')).toMatchObject({ status: 0 });
  expect((await run()).stdout).not.toContain('Claude Code');
  // It went on since: that is other work. While it may still be at it, to go on from it would be refused.
  says(path, 'And the gate.');
  const busy = await run();
  expect(busy.stdout).toContain('may be at work here still');
  expect(busy.stderr + (await run('sessions')).stderr).not.toContain('staffetta resume');
  expect(await run('resume', '--in', 'codex')).toMatchObject({ status: 8 });
});
