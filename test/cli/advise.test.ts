/** Resume, switch, or fix the packet first: with the rules that fired, and nothing pretended. */
import { expect, test } from 'vitest';
import { validate } from '../../src/handoff/verbs/validate.ts';
import { splitCommand } from '../../src/cli/contract/split-command.ts';
import { contentOf, staffetta } from './command.ts';
import { claims, contract, repository, withRelay, work } from './worked.ts';

const by = { name: 'code', lane: 'execute', runtime: 'claude-code', kind: 'agent' } as const;

async function sealed(input: { readonly claims: object } | null): Promise<{ folder: string; task: string }> {
  const folder = repository();
  const task = await withRelay(folder, async (relay) => {
    const leg = await relay.begin(contract, { as: by });
    work(folder);
    await validate(relay.context, leg.task, { generation: 1 }, { by });
    if (input !== null) await leg.checkpoint({ artefacts: [{ path: 'limit.js' }], ...input });
    return leg.task;
  });
  return { folder, task };
}

/** The commands that were printed as the next ones, as typed. */
function steps({ stderr }: { readonly stderr: string }): string[][] {
  return [...stderr.matchAll(/→ staffetta (.+)/g)].map(([, typed = '']) => splitCommand(typed));
}

function rules(json: Readonly<Record<string, unknown>>): string[] {
  return (json['reasons'] as { rule: string }[]).map(({ rule }) => rule);
}

test('without a reason to switch, the work stays; the session is unknown and said to be', async () => {
  const { folder, task } = await sealed({ claims });
  const before = contentOf(`${folder}/.staffetta/store.db`);
  const ran = await staffetta(['advise', task, '--to', 'codex'], { cwd: folder });
  expect(ran.status).toBe(0);
  expect(ran.stdout).toMatch(
    /^Resume: stay where the work is\.\nFrom claude-code in the execute lane to codex/,
  );
  expect(ran.stdout).toMatch(/to resume unknown; to switch about \d+\. Session: unknown\./);
  const { json } = await staffetta(['advise', task, '--to', 'codex', '--json'], { cwd: folder });
  expect(json).toMatchObject({ task, answer: 'resume', session: 'unknown', cost: { resume: null } });
  expect(rules(json)).toEqual(['no-reason', 'session-unknown']);
  const same = await staffetta(['advise', task, '--to', 'claude-code', '--json'], { cwd: folder });
  expect(rules(same.json)).toEqual(['same-runtime', 'session-unknown']);
  expect(contentOf(`${folder}/.staffetta/store.db`)).toBe(before);
});

test('a review boundary speaks for a switch, once the packet is ready', async () => {
  const { folder, task } = await sealed({ claims });
  const ran = await staffetta(['advise', task, '--to', 'codex', '--to-lane', 'audit', '--json'], {
    cwd: folder,
  });
  expect(ran.json).toMatchObject({ answer: 'switch', certification: 'ready', to: { lane: 'audit' } });
  expect(ran.status).toBe(0);
  expect(rules(ran.json)).toEqual(['review-boundary']);
  const lane = await staffetta(['advise', task, '--to', 'lane:audit'], { cwd: folder });
  expect(lane.stdout).toContain('Switch: hand it over.');
  expect(steps(lane)).toEqual([
    ['brief', task, '--write', '.staffetta/brief'],
    `handoff ${task} --to lane:audit --claims .staffetta/brief/HANDOFF.md --artefact limit.js`.split(' '),
  ]);
  for (const step of steps(lane)) {
    const typed = await staffetta([...step, '--as', 'code', '--lane', 'execute'], { cwd: folder });
    expect(typed.status).toBe(0);
  }
});

test('half-formed work is not switched: fix the packet first, with what is in the way', async () => {
  const { folder, task } = await sealed({ claims: { done: ['something'] } });
  const args = ['advise', task, '--to', 'codex', '--to-lane', 'audit'];
  const ran = await staffetta(args, { cwd: folder });
  expect(ran.status).toBe(6);
  expect(ran.stdout).toMatch(/^Fix the packet first\./);
  expect(ran.stdout).toContain('next-action: ');
  const hurry = await staffetta([...args, '--trigger', 'usage-limit', '--json'], { cwd: folder });
  expect(hurry).toMatchObject({ status: 0, json: { answer: 'switch' } });
  expect(rules(hurry.json)).toContain('usage-limit');
});

test('a draft is judged where one is given, or where nothing was sealed yet', async () => {
  const { folder, task } = await sealed(null);
  const args = ['advise', task, '--to', 'lane:audit', '--as', 'code'];
  const empty = await staffetta([...args, '--json'], { cwd: folder });
  expect(empty).toMatchObject({
    status: 6,
    json: { packet: null, answer: 'fix-packet', cost: { switch: expect.any(Number) } },
  });
  const draft = await staffetta([...args, '--next', claims.next, '--artefact', 'limit.js', '--json'], {
    cwd: folder,
  });
  expect(draft).toMatchObject({
    status: 0,
    json: { packet: null, answer: 'switch', certification: 'ready' },
  });
  const words = ['--next', claims.next, '--artefact', 'limit.js'];
  const [step = []] = steps(await staffetta([...args, ...words], { cwd: folder }));
  expect(step).toEqual(['handoff', task, '--to', 'lane:audit', ...words]);
  expect((await staffetta([...step, '--as', 'code'], { cwd: folder })).status).toBe(0);
});

test('after a crash the work goes to a new session, and the command says why', async () => {
  const { folder, task } = await sealed({ claims });
  const args = ['advise', task, '--to', 'claude-code', '--trigger', 'crash'];
  const ran = await staffetta(args, { cwd: folder });
  expect(ran.stdout).toMatch(/^Switch: hand it over\.\n/);
  const [step = []] = steps(ran);
  const typed = `handoff ${task} --to runtime:claude-code --to-lane execute --trigger crash`;
  expect(step).toEqual(typed.split(' '));
  expect((await staffetta([...step, '--as', 'code'], { cwd: folder })).status).toBe(0);
});

test('advice is about a runtime or a lane', async () => {
  const { folder, task } = await sealed({ claims });
  expect((await staffetta(['advise', task], { cwd: folder })).stderr).toContain('advise needs --to');
  const agent = await staffetta(['advise', task, '--to', 'agent:bea'], { cwd: folder });
  expect(agent).toMatchObject({ status: 2, stderr: expect.stringContaining('neither') });
});
