/** A person moves work from program to program and back; the agents in them say nothing of it. */
import { describe, expect, test } from 'vitest';
import type { Json } from './command.ts';
import { desk, type Desk } from './programs.ts';

const agreed = [
  ['--accept', 'node check.mjs passes'],
  ['--non-goal', 'a gate'],
  ['--validate', 'node check.mjs'],
  ['--review', 'human'],
  ['--why', 'so that it can be handed over as planned'],
].flat();
const words = ['--next', 'add the second post to fence.txt', '--artefact', 'fence.txt'];

interface Hop {
  readonly session: string;
  readonly task: string;
}

/** Goes on in a program with the whole history, as a user who types the printed command. */
async function hop({ run, task }: Desk, program: string): Promise<Hop> {
  const ran = await run(['resume', '--take', task, '--in', program, '--history', 'full', '--json']);
  const { session } = ran.json;
  if (typeof session !== 'string') throw new Error(ran.stdout + ran.stderr);
  return { session, task };
}

async function begun(): Promise<Desk> {
  const at = await desk({ to: 'codex' });
  await at.run(['amend', at.task, ...agreed]);
  return at;
}

const back = ({ session }: Hop, from: string, to: string): string[] => [
  'handoff',
  '--from',
  `${from}:${session}`,
  '--to',
  to,
  '--why',
  'back',
  ...words,
];

describe('hops that come back', () => {
  test('a person hands over a leg that its agent did not acknowledge, as planned and with the diff', async () => {
    const at = await begun();
    const codex = await hop(at, 'codex');
    const ran = await at.run([...back(codex, 'codex', 'claude-code'), '--json']);
    expect(ran).toMatchObject({
      status: 0,
      json: { status: 'offered', offeredTo: 'runtime:claude-code', certification: 'ready' },
    });
    const { packet } = (await at.show()) as { packet: Json };
    expect(packet).toMatchObject({ trigger: 'planned', from: { name: 'codex' }, generation: 2 });
    expect((await at.run(['log', at.task])).stdout).not.toContain('acknowledged');
  });

  test('the task may be named as well as its session', async () => {
    const at = await begun();
    const codex = await hop(at, 'codex');
    const [verb = '', ...rest] = back(codex, 'codex', 'claude-code');
    expect(await at.run([verb, at.task, ...rest])).toMatchObject({ status: 0 });
  });

  test('an agent acknowledges first, and is told how', async () => {
    const at = await begun();
    const codex = await hop(at, 'codex');
    const env = { CODEX_THREAD_ID: codex.session };
    const ran = await at.run(back(codex, 'codex', 'claude-code'), { env });
    expect(ran.status).toBe(6);
    expect(ran.stderr).toContain(`staffetta ack ${at.task} --as codex --goal TEXT`);
  });

  test('a person who would go on elsewhere is told the command that moves it on first, and that works', async () => {
    const at = await begun();
    const codex = await hop(at, 'codex');
    expect(await at.run(back(codex, 'codex', 'claude-code'))).toMatchObject({ status: 0 });
    const claude = await hop(at, 'claude-code');
    const held = await at.run(['resume', '--take', at.task, '--in', 'gemini-cli']);
    expect(held.status).toBe(5);
    expect(held.stderr).toContain(`staffetta reassign ${at.task} --to gemini-cli --why WHY`);
    expect(await at.run(back(claude, 'claude-code', 'gemini-cli'))).toMatchObject({ status: 0 });
    expect(await at.run(['resume', '--take', at.task, '--in', 'gemini-cli'])).toMatchObject({ status: 0 });
  });

  test('what was written into sessions is told and counted once', async () => {
    const at = await begun();
    const steps = async (): Promise<number> => {
      const { json } = await at.run(['history', at.task, '--format', 'json']);
      return (json['steps'] as Json[]).length;
    };
    const first = await steps();
    for (const [from, to] of [
      ['codex', 'claude-code'],
      ['claude-code', 'anyone'],
    ] as const) {
      expect(await at.run(back(await hop(at, from), from, to))).toMatchObject({ status: 0 });
      expect(await steps()).toBe(first);
    }
  });

  test('a receiver that would get back what it gave away unchanged is named at once; a person goes on there', async () => {
    const at = await begun();
    expect(await at.run(back(await hop(at, 'codex'), 'codex', 'claude-code'))).toMatchObject({ status: 0 });
    const ran = await at.run(back(await hop(at, 'claude-code'), 'claude-code', 'codex'));
    expect(ran.status).toBe(0);
    expect(ran.stderr).toContain('codex will be refused: it gave this task away, and nothing has changed');
    expect(ran.stderr).toContain(`staffetta resume ${at.task} --in codex`);
    const agent = await at.run(['take', at.task, '--as', 'codex', '--runtime', 'codex']);
    expect(agent.status).toBe(4);
    const inside = await at.run(['resume', '--take', at.task, '--in', 'codex'], { env: { CLAUDECODE: '1' } });
    expect(inside.status).toBe(4);
    const person = await at.run(['resume', '--take', at.task, '--in', 'codex']);
    expect(person.status).toBe(0);
    expect(person.stderr).toContain('As you decide');
    expect(await at.show()).toMatchObject({ leg: { holder: { name: 'codex' } } });
  });
});
