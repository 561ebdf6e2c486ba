/** A session that came of `resume` is known again as its task's, and its agent can call the command. */
import { execFileSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { newFolder, type Json } from './command.ts';
import { claudePlace, desk, put, sessionText } from './programs.ts';

/** Lets a fake Codex leave a session under an id of its own, stopped before it had done anything. */
const leavesCodex = `
const own = '019a8b00-0000-7000-8000-00000000c0de';
const at = '2026-11-15T18:00:00.000Z';
const said = (role, type, text) => ({ timestamp: at, type: 'response_item', payload: { type: 'message', role, content: [{ type, text }] } });
put(join(process.env.HOME, '.codex/sessions/2026/11/15', 'rollout-2026-11-15T18-00-00-' + own + '.jsonl'), [
  { timestamp: at, type: 'session_meta', payload: { id: own, timestamp: at, cwd: process.cwd(), originator: 'codex_exec', cli_version: '0.166.0' } },
  said('user', 'input_text', stdin),
  said('assistant', 'output_text', 'I went on.'),
  said('user', 'input_text', 'Keep the API stable.'),
].map((line) => JSON.stringify(line) + '\\n').join(''));
`;

/** Lets a fake Claude Code leave a session under the id it was given, its process gone. */
const leavesClaude = `
const said = (type, uuid, parentUuid, content) => ({ type, uuid, parentUuid, sessionId: id, cwd: process.cwd(), version: '2.1.325', timestamp: '2026-11-15T18:00:00.000Z', message: { role: type, content } });
const project = process.cwd().replaceAll(/[^a-zA-Z0-9]/g, '-');
put(join(process.env.HOME, '.claude/projects', project, id + '.jsonl'), [
  said('user', 'u1', null, stdin),
  said('assistant', 'u2', 'u1', [{ type: 'text', text: 'I went on.' }]),
].map((line) => JSON.stringify(line) + '\\n').join(''));
put(join(process.env.HOME, '.claude/sessions/4194305.json'), JSON.stringify({ pid: 4194305, sessionId: id }));
`;

async function byHand(
  runtime: string,
  does: string,
): Promise<Awaited<ReturnType<typeof desk>> & { readonly command: string }> {
  const at = await desk({ does });
  const { json } = await at.run(['resume', '--take', at.task, '--in', runtime, '--json']);
  const command = String((json['commands'] as Json)['headless']);
  execFileSync('sh', ['-c', command], {
    env: { HOME: at.home, PATH: `${join(at.home, 'bin')}:${process.env['PATH'] ?? ''}` },
  });
  return { ...at, command };
}

async function tasksOf({ run }: Pick<Awaited<ReturnType<typeof desk>>, 'run'>): Promise<number> {
  return ((await run(['ls', '--json'])).json['tasks'] as unknown[]).length;
}

describe('a session that was started by hand', () => {
  test.each([
    ['codex', leavesCodex],
    ['claude-code', leavesClaude],
  ])('of %s is handed over as the task it was started for', async (runtime, does) => {
    const at = await byHand(runtime, does);
    const ran = await at.run(
      ['handoff', '--from', runtime, '--to', 'gemini-cli', '--trigger', 'usage-limit', '--json'],
      {},
    );
    expect(ran).toMatchObject({ status: 0, json: { task: at.task } });
    expect(await at.show()).toMatchObject({
      status: 'offered',
      packet: { generation: 2, facts: { session: { runtime } } },
    });
    expect(await tasksOf(at)).toBe(1);
    const briefed = await at.run(['brief', at.task, '--budget', '4000']);
    expect(briefed.stdout).not.toContain('You take over');
    expect(briefed.stdout).not.toContain('Staffetta-Leg');
    const again = await at.run(['rescue', '--json', '--everywhere']);
    expect(again.status).toBe(0);
    expect(await tasksOf(at)).toBe(1);
  });

  test('is rescued as the task it was started for, once', async () => {
    const at = await byHand('claude-code', leavesClaude);
    const rescued = await at.run(['rescue', 'claude-code', '--json']);
    expect(rescued.json).toMatchObject({ rescued: [{ task: at.task, outcome: 'rescued' }] });
    expect(await at.show()).toMatchObject({ status: 'offered', leg: null });
    const again = await at.run(['rescue', 'claude-code', '--json']);
    expect(again.json).toMatchObject({ rescued: [{ task: at.task, outcome: 'already' }] });
  });
});

describe('two files with the same id', () => {
  test('are named by their paths, and are two tasks', async () => {
    const { run, task, home, folder, session } = await desk();
    const second = claudePlace(home, join(folder, 'other'));
    put(second, sessionText('compaction.jsonl', join(folder, 'other')));
    const words = ['--to', 'anyone', '--trigger', 'crash', '--json'];
    const refused = await run(['rescue', session], { cwd: newFolder() });
    expect(refused.status).not.toBe(0);
    for (const path of [second, claudePlace(home, folder)]) expect(refused.stderr).toContain(path);
    const other = await run(['handoff', '--from', second, ...words]);
    expect(other.status).toBe(0);
    expect(other.json['task']).not.toBe(task);
    const again = await run(['handoff', '--from', second, ...words]);
    expect(again.json['task']).toBe(other.json['task']);
    const first = await run(['handoff', '--from', claudePlace(home, folder), ...words]);
    expect(first.json['task']).toBe(task);
  });
});

describe('the command of an agent that was started', () => {
  test('is on its PATH, whatever else is', async () => {
    const does = `
const PATH = process.env.PATH.split(':')[0];
execFileSync('staffetta', ['note', process.env.STAFFETTA_LEG.split('/')[0], 'by its name'], { env: { ...process.env, PATH } });`;
    const { run, task, folder, started } = await desk({ does });
    const ran = await run(['resume', task, '--in', 'codex', '--launch', '--json']);
    expect(ran.json).toMatchObject({ ran: { exit: 0 } });
    expect((await run(['log', task, '--json'])).stdout).toContain('by its name');
    const commands = join(folder, '.staffetta/bin');
    expect(started()?.env['PATH']?.startsWith(`${commands}:`)).toBe(true);
    expect(statSync(join(commands, 'staffetta')).mode & 0o777).toBe(0o700);
  });

  test('is on the PATH of the command that is printed, before that of the shell it is pasted into', async () => {
    const { started, folder, home, command } = await byHand('codex', '');
    expect(command).toContain(`PATH=${folder}/.staffetta/bin:"$PATH"`);
    expect(started()?.env['PATH']).toBe(
      `${folder}/.staffetta/bin:${join(home, 'bin')}:${process.env['PATH'] ?? ''}`,
    );
  });
});

describe('the budget of the briefing', () => {
  test('is kept', async () => {
    const { run, session } = await desk();
    const done = Array.from({ length: 60 }, (_, i) => [
      '--done',
      `file${i}.ts has the check of case ${i} and a test that fails without it`,
    ]);
    const words = ['--to', 'anyone', '--trigger', 'crash', '--json', ...done.flat()];
    const handed = await run(['handoff', '--from', session, ...words]);
    const task = String(handed.json['task']);
    const sizes: number[] = [];
    for (const budget of ['500', '4000']) {
      const ran = await run(['resume', task, '--in', 'codex', '--budget', budget, '--dry-run', '--json']);
      sizes.push(String(ran.json['prompt']).length);
    }
    expect(sizes[0]).toBeLessThan(sizes[1] ?? 0);
    const ran = await run(['resume', '--take', task, '--in', 'codex', '--budget', '500', '--json']);
    const prompt = readFileSync(String(ran.json['promptFile']), 'utf8');
    const briefed = await run(['brief', task, '--budget', '500', '--for', 'codex', '--json']);
    expect(prompt).toContain('Left out for the budget');
    expect(briefed.json['tokens']).toBeLessThanOrEqual(500);
  });

  test('is refused where nothing fits, and where there is no briefing', async () => {
    const { run, task } = await desk();
    const small = await run(['resume', '--take', task, '--in', 'codex', '--budget', '5']);
    expect(small).toMatchObject({ status: 2 });
    expect(small.stderr).toContain('--budget takes 500 to 12000 tokens, not 5.');
    const full = await run([
      'resume',
      '--take',
      task,
      '--in',
      'codex',
      '--history',
      'full',
      '--budget',
      '500',
    ]);
    expect(full).toMatchObject({ status: 2 });
    expect(full.stderr).toContain('it goes with --history briefing');
  });
});
