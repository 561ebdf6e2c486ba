/** A verdict at a terminal says as much as one on the page: a reason over warnings, comments on lines, a signature, a witness. */
import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openStaffetta } from '../../src/library/staffetta.ts';
import { staffetta } from './command.ts';
import { stages, type Stage } from './stage.ts';

/** Submitted although the gate found something. */
async function hollow(): Promise<Stage> {
  const at = await stages.held();
  const relay = await openStaffetta({
    store: at.store,
    as: { name: 'code', lane: 'execute' },
    gate: 'record',
  });
  const leg = await relay.leg(at.task);
  await leg.submit({ claims: { done: ['all tests pass'] } });
  await relay.store.close();
  return at;
}

test('approving over what the gate found needs a reason, which goes on record', async () => {
  const at = await hollow();
  const mute = await staffetta(['review', at.task, '--approve', '--json'], { cwd: at.folder });
  expect(mute.status).toBe(2);
  expect(mute.json).toMatchObject({
    error: { code: 'invalid-input', details: { findings: expect.any(Array) } },
  });
  const words = await staffetta(['review', at.task, '--approve'], { cwd: at.folder });
  expect(words.stderr).toContain('an approval over that says why');
  expect(words.stderr).toContain('--why');
  const both = ['review', at.task, '--approve', '--why', 'a', '--reason', 'b'];
  expect((await staffetta(both, { cwd: at.folder })).status).toBe(2);
  const key = ['--idempotency-key', 'k', '--json'];
  const said = ['review', at.task, '--approve', '--reason', 'a known gap', ...key];
  expect((await staffetta(said, { cwd: at.folder })).json).toMatchObject({ status: 'done' });
  expect((await staffetta(said, { cwd: at.folder })).json).toMatchObject({ repeated: true });
  const log = await staffetta(['log', at.task], { cwd: at.folder });
  expect(log.stdout).toContain('a known gap');
});

test('after an amendment the terminal says what changed, and the command it shows is taken', async () => {
  const at = await hollow();
  const run = async (...args: readonly string[]) => await staffetta(args, { cwd: at.folder });
  expect((await run('amend', at.task, '--non-goal', 'a gate', '--why', 'agreed')).status).toBe(0);
  const stale = await run('review', at.task, '--approve', '--why', 'fine');
  expect([stale.status, stale.stderr]).toEqual([5, expect.stringContaining('looked at: contract.')]);
  const { stderr } = await run('review', at.task);
  expect(stderr).toContain('The contract was amended after the work was submitted.');
  const [, shown = ''] = /→ staffetta (review .+ --approve .+) --why WHY/.exec(stderr) ?? [];
  expect((await run(...shown.split(' '), '--why', 'fine')).stdout).toContain('approved');
});

test('comments on lines are findings of the packet that goes back', async () => {
  const at = await stages.submitted();
  const wrong = await staffetta(['review', at.task, '--comment', 'fence.txt: no line'], { cwd: at.folder });
  expect([wrong.status, wrong.stderr]).toEqual([2, expect.stringContaining('PATH:LINE:TEXT')]);
  const comments = ['--comment', 'fence.txt:2:one nail short', '--comment', 'fence.txt:-1: keep this post'];
  const back = await staffetta(['review', at.task, '--send-back', 'nearly', ...comments], { cwd: at.folder });
  expect(back.stdout).toContain('with 3 findings');
  const shown = await staffetta(['show', at.task, '--json'], { cwd: at.folder });
  expect(shown.json['findings']).toEqual([
    { text: 'nearly' },
    { text: 'one nail short', path: 'fence.txt', line: 2 },
    { text: 'keep this post', path: 'fence.txt', line: 1, side: 'old' },
  ]);
  const page = await staffetta(['show', at.task], { cwd: at.folder });
  expect(page.stdout).toContain('fence.txt:-1: keep this post');
});

test('work that comes back is shown with what it was sent back for, and whether anything was done about it', async () => {
  const at = await stages.submitted();
  const run = async (...args: readonly string[]) => await staffetta(args, { cwd: at.folder });
  expect((await run('review', at.task, '--json')).json).toMatchObject({ sentBack: null });
  const round = async (): Promise<void> => {
    expect((await run('review', at.task, '--send-back', 'fence.txt:1: still bad')).status).toBe(0);
    expect((await run('take', at.task, '--as', 'code', '--lane', 'execute')).status).toBe(0);
    const restated = ['--goal', 'it holds 600 kg', '--gate', 'check.mjs passes', '--next', 'mend fence.txt'];
    expect((await run('ack', at.task, '--as', 'code', ...restated)).status).toBe(0);
  };
  await round();
  await run('validate', at.task, '--as', 'code');
  const done = [
    '--as',
    'code',
    '--done',
    'mended [file:fence.txt]',
    '--next',
    'look at the diff',
    '--artefact',
    'fence.txt',
  ];
  const submitted = async (): Promise<unknown[]> => {
    const { status, stderr } = await run('submit', at.task, ...done);
    return [status, status === 0 ? '' : stderr];
  };
  expect(await submitted()).toEqual([0, '']);
  const page = await run('review', at.task);
  // Whose verdict would be refused is told none, but whose is asked for.
  for (const [name, lane, words] of [
    ['eve', 'audit', "asks for a person's approval. A person who did not work on it decides"],
    ['code', 'execute', 'cannot approve it. A person who did not work on it decides'],
  ] as const) {
    const named = await run('review', at.task, '--as', name, '--lane', lane);
    expect([named.status, named.stderr]).toEqual([0, expect.stringContaining(words)]);
    expect(named.stderr).not.toMatch(/--(?:approve|send-back)/);
  }
  expect(page.stderr).toMatch(/--approve .*\n.*--send-back /);
  expect(page.stderr).not.toContain('--as');
  expect(page.stdout).toContain('Sent back once before; the last time for');
  expect(page.stdout).toContain('fence.txt:1: still bad');
  expect(page.stdout).toContain('Nothing in the workspace has changed since.');
  await round();
  writeFileSync(join(at.folder, 'fence.txt'), 'posts\nboards\nnails\n');
  await run('validate', at.task, '--as', 'code');
  expect(await submitted()).toEqual([0, '']);
  expect((await run('review', at.task, '--json')).json).toMatchObject({
    sentBack: { findings: [{ path: 'fence.txt', line: 1, text: 'still bad' }], unchanged: false },
  });
});

test('a task that is done is not told how its packet could be handed on, and what does not hold completion up is not named', async () => {
  const { folder, task } = await stages.offered();
  const run = async (...args: readonly string[]) => await staffetta(args, { cwd: folder });
  const opened = ['fence.txt holds 42', '--kind', 'code', '--accept', 'it does', '--non-goal', 'paint'];
  const made = await run(
    'open',
    ...opened,
    '--validate',
    'grep -q 42 fence.txt',
    '--take',
    '--as',
    'bob',
    '--lane',
    'execute',
    '--json',
  );
  const bob = String(made.json['task']);
  expect(bob).not.toBe(task);
  const restated = ['--goal', 'fence.txt holds 42', '--gate', 'grep passes', '--next', 'write it'];
  expect((await run('ack', bob, '--as', 'bob', ...restated)).status).toBe(0);
  const refused = await run('complete', bob, '--as', 'bob', '--done', 'it holds 42', '--json');
  expect(refused.status).toBe(6);
  const { details } = refused.json['error'] as {
    details: { findings: { rule: string; severity: string }[] };
  };
  const errors = details.findings.filter(({ severity }) => severity === 'error').map(({ rule }) => rule);
  expect(errors).toContain('validation-unproven');
  expect(errors).not.toContain('review-owner');
  writeFileSync(join(folder, 'fence.txt'), '42\n');
  expect((await run('validate', bob, '--as', 'bob')).status).toBe(0);
  const complete = await run('complete', bob, '--as', 'bob', '--done', 'it holds 42');
  expect([complete.status, complete.stdout]).toEqual([0, expect.stringContaining('is done')]);
  expect(complete.stderr).not.toContain('amend');
  expect(complete.stderr).not.toContain('handed on');
});

test('what was sealed and approved is signed, and a journal is held to what somebody kept', async () => {
  const at = await stages.submitted();
  const run = async (...args: readonly string[]) => await staffetta(args, { cwd: at.folder });
  const packet = join(at.folder, 'packet.json');
  writeFileSync(packet, (await run('show', at.task, '--packet', 'latest', '--json')).stdout);
  expect((await run('review', at.task, '--approve', '--why', 'fine')).status).toBe(0);
  const good = await run('verify', at.task, '--against', packet, '--signed', '--json');
  expect(good.json).toMatchObject({ faults: [], signatures: { valid: 2, foreign: 0, unsigned: 0 } });
  expect((await run('verify')).stdout).toContain('signatures: 2 valid, 0 unsigned');
  const folder = `${at.store}.keys`;
  expect(readdirSync(folder).map((name) => statSync(join(folder, name)).mode & 0o777)).toEqual([
    0o600, 0o600,
  ]);
  const envelopes = await run('export', at.task, '--envelopes');
  expect(envelopes.lines).toHaveLength(2);
  const other = JSON.stringify({ task: at.task, seq: 1, head: `sha256:${'0'.repeat(64)}` });
  writeFileSync(packet, other);
  const rewritten = await run('verify', at.task, '--against', packet);
  expect([rewritten.status, rewritten.stdout]).toEqual([
    9,
    expect.stringContaining('the journal was rewritten'),
  ]);
});
