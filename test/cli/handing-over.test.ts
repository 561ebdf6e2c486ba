/** The whole way by hand: the words that one command prints are what the next one needs. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { newRepository, newWorkplace, node, staffetta, type Ran, type RunOptions } from './command.ts';
import { asCode, stages } from './stage.ts';

/** What `take` tells a shell to set. */
function exported(ran: Ran): Record<string, string> {
  const line = /→ export (.+)/.exec(ran.stderr)?.[1] ?? '';
  return Object.fromEntries(line.split(' ').map((word) => word.split('=') as [string, string]));
}

function shell(cwd: string, env: Record<string, string> = {}) {
  return async (args: readonly string[], more: RunOptions = {}): Promise<Ran> =>
    await staffetta(args, { cwd, env, ...more });
}

const contract = [
  '--accept',
  'it holds a cow',
  '--non-goal',
  'paint',
  '--validate',
  `stands: ${node} check.mjs`,
  '--review',
  'human',
];

describe('handing over by hand', () => {
  test('a person, two agents and a reviewer carry a task to its end', async () => {
    const folder = newWorkplace();
    const person = shell(folder);
    const opened = await person(['open', 'The fence is good and solid', ...contract]);
    expect(opened.stderr).toContain('Created the store');
    const task = opened.stdout.slice(0, 13);

    const taken = await person(['take', '--as', 'claude', '--lane', 'execute']);
    expect(taken.stdout).toContain('it holds a cow');
    expect(exported(taken)).toEqual({
      STAFFETTA_AS: 'claude',
      STAFFETTA_LANE: 'execute',
      STAFFETTA_LEG: `${task}/1`,
    });
    const claude = shell(folder, exported(taken));
    await claude(['ack', '--goal', 'a fence', '--gate', 'a cow', '--next', 'dig']);
    await claude(['note', 'the ground is wet']);
    const asked = await claude(['decide', 'Oak or pine?', '--ask', '--option', 'oak', '--option', 'pine']);
    expect(asked.stdout).toBe(`Question 1 of ${task} is raised.\n`);
    await person(['decide', task.slice(0, 8), 'oak', '--answer', '1']);
    await person(['tell', task, '-'], { stdin: 'keep the gate\n' });
    expect((await claude(['read'])).stdout).toMatch(
      /^\S+, .*, answers question 1 \(Oak or pine\?\):\n {2}oak\n\n\S+, .*:\n {2}keep the gate\n$/,
    );
    writeFileSync(join(folder, 'fence.txt'), 'six posts\n');
    const give = ['handoff', '--to', 'codex', '--why', 'it is the carpenter'];

    const hollow = await claude([...give, '--done', 'all tests pass [r99]']);
    expect(hollow.status).toBe(6);
    expect(hollow.stderr).toMatch(
      /is not ready to be handed over\.\n {2}No next step .*\n.*\n {2}Entry 99 of/,
    );
    const exact = 'The fence in fence.txt holds a cow of 600 kg';
    expect((await claude(['amend', task, '--goal', exact, '--why', 'exact'])).status).toBe(4);
    expect((await person(['amend', task, '--goal', exact, '--why', 'exact'])).status).toBe(0);
    const sound = ['--next', 'nail the boards in fence.txt', '--transcript', '-'];
    const given = await claude([...give, ...sound], { stdin: 'I dug six holes.\n' });
    expect(given).toMatchObject({ status: 0, stdout: expect.stringContaining('on offer to runtime:codex') });

    const next = await person(['take', '--as', 'codex-1', '--runtime', 'codex', '--lane', 'execute']);
    expect(next.stdout).toContain('nail the boards');
    const codex = shell(folder, exported(next));
    expect((await codex(['show', '--history'])).stdout).toContain('│ I dug six holes.');
    await codex(['ack', '--goal', 'a fence', '--gate', 'a cow', '--next', 'nail it']);
    writeFileSync(join(folder, 'fence.txt'), 'six posts and twelve boards\n');
    const unproven = await codex(['submit', '--done', 'it stands']);
    expect(unproven).toMatchObject({ status: 6, stderr: expect.stringContaining('was never run') });
    const proven = await codex(['validate']);
    expect(proven).toMatchObject({ status: 0, stdout: expect.stringMatching(/^passed {2}stands: /) });
    expect((await codex(['complete'])).status).toBe(7);
    expect((await codex(['submit', '--done', 'it stands'])).status).toBe(0);
    expect(await codex(['review', task, '--approve'])).toMatchObject({ status: 4 });

    const looked = await person(['review', task]);
    const verdict = /→ staffetta (review .+ --approve .+)/.exec(looked.stderr)?.[1] ?? '';
    const approved = await person(verdict.split(' '));
    expect(approved.stdout).toBe(`${task} is approved and done.\n`);
    const legs = await person(['log', task, '--legs']);
    expect(legs.stdout.split('\n').map((line) => line.split(/ {2,}/).at(-1))).toEqual([
      'ENDED',
      'handed-off: it is the carpenter',
      'submitted',
      '',
    ]);
    expect(await person(['verify', '--json'])).toMatchObject({ status: 0, json: { faults: [] } });
  });

  test('a leg whose lease ran out is taken by another, and its former holder is told by whom', async () => {
    const { folder, task } = await stages.lapsed();
    const former = shell(folder, { STAFFETTA_AS: 'code', STAFFETTA_LEG: `${task}/1` });
    expect((await former(['renew'])).status).toBe(0);
    const { folder: other, task: lapsed } = await stages.lapsed();
    const taken = await staffetta(['take', lapsed, '--as', 'second', '--json'], { cwd: other });
    expect(taken.json).toMatchObject({ generation: 2, holder: 'second', leg: `${lapsed}/2` });
    const stale = shell(other, { STAFFETTA_AS: 'code', STAFFETTA_LEG: `${lapsed}/1` });
    for (const args of [['note', 'still me'], ['renew'], ['handoff', '--to', 'anyone'], ['complete']]) {
      const refused = await stale([...args, '--json']);
      expect(refused.status).toBe(5);
      expect(refused.json).toMatchObject({
        error: {
          code: 'stale-generation',
          details: { yours: 1, generation: 2, holder: 'second', leaseUntil: expect.any(Number) },
        },
      });
      expect(refused.stderr).toMatch(/held by second until (?:[\d-]+ )?\d\d:\d\d\./);
    }
  });

  test('work that is sent back shows its taker what must change', async () => {
    const { folder, task } = await stages.submitted();
    const person = shell(folder);
    const back = await person(['review', task, '--send-back', 'fence.txt:3: the gate is missing']);
    expect(back.stdout).toBe(`${task} goes back to agent:code with 1 finding.\n`);
    const taken = await person(['take', task, ...asCode]);
    expect(taken.stdout).toContain('Sent back: this must change\n  fence.txt:3: the gate is missing');
    expect((await person(['show', task, '--json'])).json).toMatchObject({
      findings: [{ path: 'fence.txt', line: 3, text: 'the gate is missing' }],
    });
  });

  test('a reviewer in a leg of its own sends the work back, and its author takes it', async () => {
    const { folder, task } = await stages.held();
    const [person, reviewer] = [
      shell(folder),
      shell(folder, { STAFFETTA_AS: 'qa', STAFFETTA_LANE: 'audit' }),
    ];
    const words = ['--next', 'look at fence.txt', '--artefact', 'fence.txt'];
    expect((await person(['handoff', task, '--to', 'lane:audit', ...words, ...asCode])).status).toBe(0);
    expect((await reviewer(['take', task])).status).toBe(0);
    expect((await reviewer(['ack', task, '--goal', 'g', '--gate', 'g', '--next', 'n'])).status).toBe(0);
    // The contract asks for a person: to complete it would be refused.
    const { stderr } = await reviewer(['review', task]);
    expect(stderr).toContain(`staffetta submit ${task}`);
    expect(stderr).not.toContain('staffetta complete');
    const verdict = ['review', task, '--send-back', 'fence.txt:3: the gate is missing'];
    const back = await reviewer([...verdict, '--idempotency-key', 'once']);
    expect(back).toMatchObject({
      status: 0,
      stdout: `${task} goes back to agent:code with 1 finding.\n`,
    });
    expect(await reviewer([...verdict, '--idempotency-key', 'once'])).toMatchObject({ status: 0 });
    const taken = await person(['take', task, ...asCode]);
    expect(taken.stdout).toContain('Sent back: this must change\n  fence.txt:3: the gate is missing');
  });

  test('a request that took a leg which is over by now does not bring it back', async () => {
    const { folder, task } = await stages.offered();
    const key = ['--idempotency-key', 'once', '--json'];
    await staffetta(['take', task, ...asCode, ...key], { cwd: folder });
    await staffetta(['decline', task, '--reason', 'vague', ...asCode], { cwd: folder });
    const again = await staffetta(['take', task, ...asCode, ...key], { cwd: folder });
    expect(again).toMatchObject({ status: 5, json: { error: { code: 'stale-generation' } } });
    expect((await staffetta(['show', task], { cwd: folder })).stdout).toContain('Declined, because\n  vague');
  });

  test('a handoff repeated after the next one took it finds its first outcome, and disturbs nothing', async () => {
    const { folder, task } = await stages.held();
    const give = [
      'handoff',
      task,
      '--to',
      'agent:second',
      '--next',
      'nail the boards in fence.txt',
      '--artefact',
      'fence.txt',
      ...asCode,
      '--idempotency-key',
      'k',
      '--json',
    ];
    const first = await staffetta(give, { cwd: folder });
    await staffetta(['take', task, '--as', 'second'], { cwd: folder });
    const again = await staffetta(give, { cwd: folder });
    expect(again).toMatchObject({
      status: 0,
      json: { repeated: true, seq: first.json['seq'], holder: 'second' },
    });
  });

  test('an agent that waits for an offer gets it when it is made', async () => {
    const { folder, task } = await stages.draft();
    const waiting = staffetta(['take', '--wait', '30s', '--json', ...asCode], { cwd: folder });
    await staffetta(['offer', task, ...asCode], { cwd: folder });
    expect(await waiting).toMatchObject({ status: 0, json: { task, holder: 'code' } });
    const none = await staffetta(['take', '--wait', '0s', '--as', 'late', '--json'], { cwd: folder });
    expect(none).toMatchObject({ status: 8, json: { task: null } });
  });

  test('staffetta alone says where you are and what waits', async () => {
    const { folder, task, store } = await stages.handedOff();
    const person = await staffetta([], { cwd: folder });
    expect(person.stdout).toContain(store);
    expect(person.stderr).toContain(`→ staffetta take ${task}`);
    const auditor = await staffetta(['--as', 'qa', '--lane', 'audit', '--json'], { cwd: folder });
    expect(auditor.json).toMatchObject({ exists: true, actor: { name: 'qa' }, offered: [{ task }] });
    const coder = await staffetta(['--as', 'other', '--lane', 'execute', '--json'], { cwd: folder });
    expect(coder.json).toMatchObject({ offered: [], holding: [] });
    const nowhere = await staffetta(['--json'], { cwd: newRepository() });
    expect(nowhere).toMatchObject({ status: 0, json: { exists: false } });
  });
});

test('after an emergency no step is printed that its reader would be refused', async () => {
  const folder = newRepository();
  const taken = await shell(folder)(['open', 'The fence', '--take', '--as', 'code', '--lane', 'execute']);
  const task = taken.stdout.slice(0, 13);
  const code = shell(folder, exported(taken));
  await code(['amend', task, '--strict', '--review', 'human', '--why', 'it matters']);
  const give = ['handoff', '--to', 'codex', '--trigger', 'context-limit', '--next', 'dig in fence.txt'];
  const { status, stderr } = await code(give);
  expect(status).toBe(0);
  const amend = /→ (?:(.*): )?staffetta (amend .*)/.exec(stderr);
  expect(amend?.[1]).toBe('a person, or an agent in the supervise lane');
  const words = ['amend', task, '--accept', 'it holds a cow', '--why', 'it was left open'];
  expect((await code(words)).status).not.toBe(0);
  expect((await shell(folder)(words)).status).toBe(0);
});
