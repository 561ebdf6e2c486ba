/** What the gate finds, and what the contract's commands show, as the command says it. */
import { readFileSync, watch, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { newFolder, newWorkplace, node, staffetta, type Json, type Ran } from './command.ts';
import { asCode, stages, type Stage } from './stage.ts';

async function inside({ folder }: Pick<Stage, 'folder'>, ...args: readonly string[]): Promise<Ran> {
  return await staffetta(args, { cwd: folder });
}

function rulesIn(json: Json): string[] {
  return (json['findings'] as { rule: string }[]).map(({ rule }) => rule);
}

describe('findings', () => {
  test('a checkpoint is sealed all the same, and says what is in the way', async () => {
    const at = await stages.held();
    const sealed = await inside(at, 'checkpoint', at.task, '--done', 'posts', ...asCode);
    expect(sealed.status).toBe(0);
    expect(sealed.stdout).toMatch(/^Sealed a packet of t\w+: \w{12} \(not ready\)\n$/);
    expect(sealed.stderr).toMatch(/^The packet is not ready; the gate found 1 error\./);
    expect(sealed.stderr).toContain('  error: next-action, claims.next\n');
    const shown = await inside(at, 'show', at.task);
    expect(shown.stdout).toMatch(/The gate found it not ready\n {2}error: next-action, claims\.next: /);
  });

  test('lines are wrapped to the width there is, and hold no control characters', async () => {
    const at = await stages.held();
    const evil = 'gone/\u001b[2J\u0007/and then some more words that go on for a while, and a while longer';
    const args = ['handoff', at.task, '--to', 'anyone', '--artefact', evil, ...asCode];
    const { stderr } = await staffetta(args, { cwd: at.folder, env: { COLUMNS: '60' } });
    expect(stderr).not.toMatch(/[\u0000-\u0009\u000b-\u001f]/);
    const findings = stderr.split('\n').filter((line) => /^ {2}/.test(line));
    expect(findings.length).toBeGreaterThan(4);
    expect(findings.filter((line) => line.length > 60)).toEqual([]);
  });

  test('in JSON they are the details of the refusal', async () => {
    const at = await stages.held();
    const { json } = await inside(at, 'handoff', at.task, '--to', 'anyone', ...asCode, '--json');
    const { code, details } = json['error'] as { code: string; details: Json };
    expect(code).toBe('not-ready');
    expect(details).toMatchObject({ certification: 'verified', occasion: 'handoff' });
    expect(rulesIn(details)).toEqual(['next-action']);
  });

  test('a task is opened with what the gate will ask for, and the command that mends it', async () => {
    const folder = newWorkplace();
    const opened = await inside({ folder }, 'open', 'Make it better', '--accept', 'it is', '--strict');
    expect(opened.status).toBe(0);
    expect(opened.stderr).toContain(
      'Not ready to be handed over yet: Nobody has said what is not part of it. No command proves the result. Nobody is named',
    );
    const task = opened.stdout.slice(0, 13);
    const [, mend = ''] = /→ staffetta (amend .+)/.exec(opened.stderr) ?? [];
    const answers = ['none', `${node} check.mjs`, 'it was open'];
    const words = mend.split(' ').map((word) => (word === '"…"' ? (answers.shift() ?? '') : word));
    expect(words[1]).toBe(task);
    const mended = await inside({ folder }, ...words);
    expect(mended).toMatchObject({ status: 0, stdout: `The contract of ${task} is amended.\n` });
    const judged = await inside(
      { folder },
      'lint',
      task,
      '--next',
      'count the lines',
      '--artefact',
      'fence.txt',
    );
    expect(judged).toMatchObject({
      status: 0,
      stdout: 'What would be sealed is ready: nothing was found.\n',
    });
  });

  test('a program that cannot be started here is told when the task is opened', async () => {
    const folder = newWorkplace();
    const { json } = await inside({ folder }, 'open', 'x', '--validate', 'no-such-program', '--json');
    expect(json['findings']).toContainEqual(
      expect.objectContaining({
        rule: 'validation-unrunnable',
        text: 'no-such-program cannot be started here.',
      }),
    );
  });
});

describe('lint', () => {
  test('finds that the workspace moved since the packet was sealed', async () => {
    const at = await stages.handedOff();
    expect((await inside(at, 'lint', at.task)).stdout).toMatch(
      /^Packet sha256:.* is ready: nothing was found/,
    );
    writeFileSync(join(at.folder, 'fence.txt'), 'seven posts\n');
    const judged = await inside(at, 'lint', at.task, '--json');
    expect(judged.status).toBe(6);
    expect(judged.json).toMatchObject({ certification: 'valid', findings: [{ rule: 'tree-moved' }] });
  });

  test('judges a draft as what it is meant for, and stores nothing', async () => {
    const at = await stages.held();
    const before = readFileSync(at.store);
    const handoff = await inside(at, 'lint', '--draft', ...asCode, '--json');
    expect(rulesIn(handoff.json)).toEqual(['next-action']);
    const submission = await inside(
      at,
      'lint',
      '--for',
      'submit',
      '--artefact',
      'fence.txt',
      ...asCode,
      '--json',
    );
    expect(submission).toMatchObject({ status: 6, json: { packet: null } });
    expect(rulesIn(submission.json)).toEqual(['validation-unproven']);
    expect(readFileSync(at.store).equals(before)).toBe(true);
  });
});

describe('validate', () => {
  test('says how each command ended, what it speaks for, and the end of what it printed', async () => {
    const at = await stages.held();
    const passed = await inside(at, 'validate', ...asCode);
    expect(passed).toMatchObject({
      status: 0,
      stderr: expect.stringMatching(/^Running: stands: .*\nEverything passed/),
    });
    expect(passed.stdout).toMatch(
      /^passed {2}stands: .* check\.mjs {2}\(.+\)\n {2}Holds for the files as they are now, until the next edit\.\n {2}On record as (r\d+): a claim that rests on it ends in \[\1\]\.\n {2}│ looked at 9 letters\n$/,
    );
    writeFileSync(join(at.folder, 'fence.txt'), 'fallen\n');
    const failed = await inside(at, 'validate', at.task, 'stands', ...asCode, '--json');
    expect(failed).toMatchObject({
      status: 6,
      json: {
        passed: false,
        runs: [{ name: 'stands', passed: false, ended: 'exited', exit: 3, output: 'looked at 7 letters' }],
      },
    });
    const [{ entry, evidence }] = failed.json['runs'] as [{ entry: number; evidence: string }];
    expect(evidence).toBe(`r${entry}`);
    const [, first] = /On record as (r\d+)/.exec(passed.stdout) ?? [];
    const cited = ['--done', `it stood [${first}]`, '--done', `it fell [${evidence}]`];
    const judged = await inside(at, 'lint', at.task, ...cited, ...asCode, '--json');
    expect(rulesIn(judged.json)).not.toContain('evidence-unknown');
    const log = await inside(at, 'log', at.task);
    expect(log.stdout).toMatch(/check\.mjs: passed after .*\n.*check\.mjs: failed with exit code 3/);
  });

  test('a command that changes the workspace speaks for no state of it', async () => {
    const folder = newWorkplace();
    const touch = `${node} -e "require('fs').appendFileSync('fence.txt','.')"`;
    const opened = await inside({ folder }, 'open', 'x', '--validate', touch, '--take', ...asCode, '--json');
    const ran = await inside({ folder }, 'validate', ...asCode);
    expect(ran.status).toBe(0);
    expect(ran.stdout).toContain(
      'The workspace changed while it ran, by the command or by somebody else: its result speaks for no state of it.\n',
    );
    expect(ran.stderr).toContain('Everything passed, but 1 result speaks for no state of the workspace.');
    const data = await inside({ folder }, 'validate', String(opened.json['task']), ...asCode, '--json');
    expect(data.json).toMatchObject({ runs: [{ workspace: null, changedWorkspace: true }] });
  });

  test('a line for the shell, a name, a time limit and all of the output', async () => {
    const folder = newWorkplace();
    const line = 'many: i=0; while [ $i -lt 40 ]; do i=$((i+1)); echo line $i; done | cat';
    const more = ['--validate-shell', line, '--validate', `${node} -e "setInterval(()=>{},1000)"`];
    const opened = await inside({ folder }, 'open', 'x', ...more, '--time-limit', '1s', '--take', ...asCode);
    expect(opened.stderr).not.toContain('cannot be started');
    const tail = await inside({ folder }, 'validate', 'many', ...asCode);
    expect(tail.stdout).toMatch(
      /\(37 lines before that; --output prints all\)\n {2}│ line 38\n {2}│ line 39\n {2}│ line 40\n$/,
    );
    expect((await inside({ folder }, 'validate', '2', '--output', ...asCode)).stdout).toContain('│ line 1\n');
    const slow = await inside({ folder }, 'validate', '1', ...asCode, '--json');
    expect(slow).toMatchObject({ status: 6, json: { runs: [{ ended: 'timed-out', exit: null }] } });
  });

  test('Ctrl-C ends what it started, and the record says so', async () => {
    const folder = newWorkplace();
    const elsewhere = newFolder();
    const place = join(elsewhere, 'pid');
    const sleeper = `${node} -e "require('fs').writeFileSync('${place}',''+process.pid);setInterval(()=>{},1000)"`;
    await inside({ folder }, 'open', 'x', '--validate', sleeper, '--take', ...asCode);
    const ran = await staffetta(['validate', ...asCode], {
      cwd: folder,
      meanwhile: (child) => {
        const watcher = watch(elsewhere, () => {
          if (readFileSync(place, 'utf8') === '') return;
          watcher.close();
          child.kill('SIGINT');
        });
      },
    });
    expect(ran.status).toBe(130);
    expect(ran.stdout).toMatch(/^interrupted {2}/);
    expect(() => process.kill(Number(readFileSync(place, 'utf8')), 0)).toThrow(/ESRCH/);
    const log = await inside({ folder }, 'log', '--json', ...asCode);
    expect(log.stdout).toContain('"ended":"interrupted"');
  });
});

describe('an emergency', () => {
  test('seals what there is, with the diff, and says what is missing', async () => {
    const at = await stages.held();
    writeFileSync(join(at.folder, 'fence.txt'), 'half a fence\n');
    const sealed = await staffetta(['checkpoint', '--emergency', '--transcript', '-', ...asCode], {
      cwd: at.folder,
      stdin: 'I was in the middle of it.\n',
    });
    expect(sealed.status).toBe(0);
    expect(sealed.stderr).toContain('error: next-action, claims.next\n    No next step is named.');
    expect(sealed.stderr).toMatch(
      /An emergency packet\. The receiver is told to ask first for what is missing\n {2}- the next action: /,
    );
    const { json } = await inside(at, 'show', at.task, '--packet', 'latest', '--json');
    expect(json).toMatchObject({ trigger: 'context-limit', transcript: [{ bytes: 27 }] });
    expect(Object.keys(json['facts'] as Json)).toContain('diff');
  });

  test('tells the receiver what is missing, and to ask for that first', async () => {
    const at = await stages.held();
    const args = ['handoff', at.task, '--emergency', '--next', 'dig', ...asCode, '--json'];
    const given = await inside(at, ...args);
    const { missing } = given.json as { missing: string[] };
    expect(missing).toEqual(expect.arrayContaining([expect.stringMatching(/^the transcript: /)]));
    const ask = `Before anything else, ask for what is missing: staffetta decide ${at.task} "…" --ask`;
    const taken = await inside(at, 'take', at.task, '--as', 'next');
    expect(taken.stdout).toContain('  Missing\n    - the state of the work: ');
    expect(taken.stdout).toContain(`  ${ask}\n`);
    expect(taken.stderr).toContain(`  → ${ask}\n`);
    for (const args of [
      ['show', at.task],
      ['show', at.task, '--packet', 'latest'],
      ['brief', at.task],
    ])
      expect((await inside(at, ...args)).stdout).toContain(ask);
    expect((await inside(at, 'show', at.task, '--json')).json).toMatchObject({ missing });
  });

  test('is not what was planned', async () => {
    const at = await stages.held();
    const args = ['handoff', at.task, '--to', 'anyone', '--emergency', '--trigger', 'planned', ...asCode];
    expect(await inside(at, ...args)).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('--trigger planned is no emergency') as string,
    });
  });

  test('hands on nothing that is said against facts, nor without a next step', async () => {
    const at = await stages.held();
    const give = ['handoff', at.task, '--trigger', 'crash', ...asCode, '--json'];
    expect((await inside(at, ...give)).status).toBe(6);
    const untrue = await inside(at, ...give, '--next', 'dig', '--artefact', 'gone.txt');
    expect(untrue.status).toBe(6);
    const { details } = untrue.json['error'] as { details: Json };
    expect(rulesIn(details)).toEqual(['path-absent']);
    expect(await inside(at, ...give, '--next', 'dig')).toMatchObject({
      status: 0,
      json: { status: 'offered' },
    });
  });
});

test('what failed is mended by citing the run that it is about', async () => {
  const at = await stages.held();
  writeFileSync(join(at.folder, 'check.mjs'), 'process.exit(1);\n');
  const ran = await inside(at, 'validate', at.task, ...asCode, '--json');
  const [{ entry } = { entry: 0 }] = ran.json['runs'] as { entry: number }[];
  const { stderr } = await inside(at, 'checkpoint', at.task, '--next', 'dig', ...asCode);
  expect(stderr).toContain(`--blocker "… [r${entry}]"`);
});

describe('a new user', () => {
  test('is told in one message what a handoff needs, and goes on with one option', async () => {
    const folder = newWorkplace();
    await inside({ folder }, 'open', 'Fix the login bug', '--take', ...asCode);
    const refused = await inside({ folder }, 'handoff', '--next', 'finish x.js', ...asCode);
    expect(refused.status).toBe(6);
    expect(refused.stderr).toMatch(
      /^staffetta: Task t\w+ is not ready to be handed over\.\n {2}Nothing says how to tell that it is done\.\n {4}→ Give a criterion, [^→]*--review human\n$/,
    );
    const handed = await inside(
      { folder },
      'handoff',
      '--next',
      'finish x.js',
      '--review',
      'human',
      ...asCode,
    );
    expect(handed).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('on offer to anyone') as string,
    });
  });

  test('can try a handoff that agrees on something first, and nothing is stored', async () => {
    const folder = newWorkplace();
    await inside({ folder }, 'open', 'Fix the login bug', '--take', ...asCode);
    const before = await inside({ folder }, 'show', '--json');
    const given = ['handoff', '--next', 'finish x.js', '--accept', 'it works', '--dry-run', ...asCode];
    expect(await inside({ folder }, ...given)).toMatchObject({
      status: 0,
      stderr: expect.stringContaining('would be amended: acceptance.') as string,
    });
    expect((await inside({ folder }, ...given, '--artefact', 'gone.txt')).status).toBe(6);
    expect((await inside({ folder }, 'show', '--json')).json['contract']).toEqual(before.json['contract']);
  });

  test('of a project that is strict is asked for all of the contract', async () => {
    const folder = newWorkplace();
    writeFileSync(join(folder, 'staffetta.json'), '{ "strict": true }');
    const opened = await inside({ folder }, 'open', 'Fix the login bug', '--review', 'human', '--json');
    expect(rulesIn(opened.json)).toEqual(['acceptance-missing', 'non-goals-missing', 'validation-missing']);
    writeFileSync(join(folder, 'staffetta.json'), '{ "strict": "no" }');
    expect((await inside({ folder }, 'open', 'Fix the login bug')).stderr).toContain(
      'staffetta.json cannot be read',
    );
  });
});
