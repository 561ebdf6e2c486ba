/** P5, P6, P7, P9: packets are sealed from the real workspace, judged, and refused where they are not good enough. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { assert } from '../../core/base/assert.ts';
import type { StaffettaError } from '../../core/base/error.ts';
import type { Finding } from '../../core/gate/finding.ts';
import type { Packet } from '../../core/packet/packet.ts';
import type { TaskState } from '../../core/task/state.ts';
import type { Drift } from '../../core/tree/workspace-drift.ts';
import { ada, bea, eve, quinn, stage, worldText, type Stage } from '../../../test/support/world.ts';
import { driftIn } from './drift.ts';
import { judgeDraft, judgeLatest } from './judge.ts';
import { readPacket } from '../history/history.ts';
import { load } from '../record/load.ts';
import { rollBackPhase, startPhase, verifyPhase, phases } from '../verbs/phase.ts';
import { restore } from '../verbs/restore.ts';
import { validate } from '../verbs/validate.ts';

let folder: string;
let at: Stage;

function git(...args: string[]): string {
  return execFileSync('git', ['-C', folder, ...args], {
    encoding: 'utf8',
    env: { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' },
  });
}

function write(path: string, text: string): void {
  writeFileSync(join(folder, path), text);
}

async function driftSince({ facts }: Packet): Promise<readonly Drift[] | undefined> {
  const workspace = await at.context.workspace?.();
  if (workspace === undefined || facts?.workspace === undefined) return undefined;
  return await driftIn(workspace, facts.workspace, await workspace.probe());
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gate-'));
  git('init', '-q', '-b', 'main');
  git('config', 'user.email', 'ada@example.com');
  git('config', 'user.name', 'Ada');
  write('limit.js', 'export const limit = 10;\n');
  write('check.js', 'process.exit(0);\n');
  git('add', '.');
  git('commit', '-qm', 'Begin.');
  at = stage({ gate: 'refuse', workspace: folder });
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

const contract = {
  goal: 'Requests over the limit in limit.js get status 429 with a Retry-After header.',
  acceptance: ['`node check.js` passes'],
  nonGoals: ['limits per user'],
  validation: [{ run: ['node', 'check.js'] }],
  review: { owner: 'lane:audit' as const },
};
const claims = {
  done: [{ text: 'limit.js counts requests', evidence: ['file:limit.js'] }],
  next: 'make the header in limit.js a whole number of seconds',
};

function citing(...evidence: string[]): typeof claims {
  return { ...claims, done: [{ text: 'limit.js counts requests', evidence }] };
}

async function packetOf({ packet }: TaskState): Promise<Packet> {
  assert(packet !== null, 'no packet was sealed');
  return await readPacket(at.context, packet);
}

async function refusal(promise: Promise<unknown>): Promise<StaffettaError> {
  try {
    await promise;
  } catch (error) {
    return error as StaffettaError;
  }
  throw new Error('It was not refused.');
}

function rulesOf(error: StaffettaError): string[] {
  return (error.details['findings'] as Finding[])
    .filter(({ severity }) => severity === 'error')
    .map(({ rule }) => rule);
}

describe('a handoff', () => {
  test('with a hollow packet is refused with what to mend, and nothing is recorded', async () => {
    const leg = await at.staffetta.begin({ goal: 'Fix the login bug' }, { as: ada });
    const before = worldText(at.world);
    const error = await refusal(leg.handoff({ to: 'lane:execute' }));
    expect(error.code).toBe('not-ready');
    expect(rulesOf(error)).toEqual(['next-action', 'gate-missing']);
    expect(error.message).toBe(
      `Task ${leg.task} is not ready to be handed over: No next step is named. Nothing says how to tell that it is done.`,
    );
    expect(worldText(at.world)).toBe(before);
  });

  test('of strict work is refused for all that its contract leaves open', async () => {
    const leg = await at.staffetta.begin({ goal: 'Fix the login bug', strict: true }, { as: ada });
    const asked = { to: 'lane:execute', claims: { next: 'finish limit.js' } } as const;
    expect(rulesOf(await refusal(leg.handoff(asked)))).toEqual([
      'gate-missing',
      'acceptance-missing',
      'non-goals-missing',
      'validation-missing',
      'review-owner',
      'artefacts-missing',
    ]);
    expect((await refusal(leg.amend({ strict: undefined }, 'It is much.'))).code).toBe('lane-denied');
  });

  test('with a sound one goes out as ready, with facts that were probed', async () => {
    const leg = await at.staffetta.begin(contract, { as: ada });
    write('limit.js', 'export const limit = 20;\n');
    write('notes.txt', 'seen\n');
    const { state, certification, findings } = await leg.handoff({ to: 'lane:execute', claims });
    expect(findings).toEqual([]);
    expect(certification).toBe('ready');
    expect(state.sealed).toMatchObject({ certification: 'ready', findings: null });
    const packet = await packetOf(state);
    expect(packet.facts?.workspace).toMatchObject({ kind: 'git', git: { branch: 'main' } });
    expect(packet.facts?.workspace?.changes.map(({ path }) => path)).toEqual(['limit.js', 'notes.txt']);
    expect(packet.facts?.diff).toMatchObject({ added: 2, removed: 1 });
  });

  test('that cites a run needs one that passed after the last edit', async () => {
    const leg = await at.staffetta.begin(contract, { as: ada });
    const cited = async (): Promise<typeof claims> => {
      const [ran] = await validate(at.context, leg.task, { generation: 1 }, { by: ada });
      return citing(`r${ran?.entry ?? 0}`);
    };
    const refused = async (given: typeof claims): Promise<string[]> =>
      rulesOf(await refusal(leg.handoff({ to: 'lane:execute', claims: given })));
    write('limit.js', 'export const limit = 20;\n');
    const stale = await cited();
    write('check.js', 'process.exit(1);\n');
    expect(await refused(stale)).toEqual(['run-not-passed']);
    const failed = await cited();
    expect(await refused(failed)).toEqual(['run-not-passed']);
    const entry = failed.done[0]?.evidence[0]?.replace('r', 'j') ?? '';
    expect(await refused(citing(entry))).toEqual(['run-not-passed']);
    write('check.js', 'process.exit(0);\n');
    const sound = await cited();
    await cited();
    expect((await leg.handoff({ to: 'lane:execute', claims: sound })).findings).toEqual([]);
  });

  test('that cites evidence needs it to exist', async () => {
    const leg = await at.staffetta.begin(contract, { as: ada });
    write('limit.js', 'export const limit = 20;\n');
    await validate(at.context, leg.task, { generation: 1 }, { by: ada });
    const { seq } = (await load(at.context, leg.task)).state;
    await leg.note('seen');
    for (const id of ['j99', `r${seq + 1}`, 'r99', 'd1', 'file:gone.js']) {
      const error = await refusal(leg.handoff({ to: 'lane:execute', claims: citing(id) }));
      expect({ id, rules: rulesOf(error) }).toEqual({ id, rules: ['evidence-unknown'] });
    }
    const sound = citing(`j${seq}`, `r${seq}`, 'file:limit.js');
    expect((await leg.handoff({ to: 'lane:execute', claims: sound })).findings).toEqual([]);
  });

  test('keeps secrets out of everything that is stored', async () => {
    const leg = await at.staffetta.begin(contract, { as: ada });
    const secret = `ghp_${'Ab3dE6gH9j'.repeat(3)}Klm4Pq`;
    write('limit.js', `const key = '${secret}';\n`);
    write('untracked.txt', `export GITHUB_TOKEN=${secret}\n`);
    await leg.note(`The key is ${secret}.`);
    const { state } = await leg.handoff({
      to: 'lane:execute',
      claims: { ...claims, summary: `It was ${secret}.` },
      transcript: JSON.stringify({ role: 'tool', content: `token: ${secret}` }),
    });
    expect(worldText(at.world)).not.toContain(secret);
    for (const { bytes } of at.world.blobs.values())
      expect(Buffer.from(bytes).toString('latin1')).not.toContain(secret);
    const { redactions } = await packetOf(state);
    expect(Object.values(redactions ?? {}).reduce((sum, count) => sum + count, 0)).toBeGreaterThan(4);
  });
});

describe('handing in', () => {
  test('takes a passing run of every command, on the workspace as it is', async () => {
    const leg = await at.staffetta.begin(contract, { as: ada });
    write('limit.js', 'export const limit = 20;\n');
    expect(rulesOf(await refusal(leg.submit({ claims })))).toEqual(['validation-unproven']);
    await validate(at.context, leg.task, { generation: 1 }, { by: ada });
    expect((await leg.submit({ claims })).state.status).toBe('submitted');
  });

  test('a change of a protected path takes a person to approve', async () => {
    const leg = await at.staffetta.begin(
      { ...contract, protectedPaths: ['billing/', 'limit.js'] },
      { as: ada },
    );
    write('limit.js', 'export const limit = 20;\n');
    await validate(at.context, leg.task, { generation: 1 }, { by: ada });
    const { state } = await leg.submit({ claims });
    expect(state.demands).toEqual(['limit.js is protected (limit.js).']);
    const verdict = { approve: true as const, packet: state.packet };
    const error = await refusal(at.staffetta.review(leg.task, verdict, { as: quinn }));
    expect(error.message).toContain('Only a person may approve');
    expect((await at.staffetta.review(leg.task, verdict, { as: eve })).status).toBe('done');
  });

  test('a protected path that was committed first is found all the same', async () => {
    const leg = await at.staffetta.begin({ ...contract, protectedPaths: ['limit.js'] }, { as: ada });
    write('limit.js', 'export const limit = 20;\n');
    git('commit', '-qam', 'Nothing to see here.');
    await validate(at.context, leg.task, { generation: 1 }, { by: ada });
    const { state } = await leg.submit({ claims });
    expect(state.demands).toEqual(['limit.js is protected (limit.js).']);
    const { facts } = await packetOf(state);
    expect(facts?.workspace?.changes).toEqual([]);
    expect(facts?.workspace?.committed).toMatchObject({
      files: [{ path: 'limit.js' }],
      added: 1,
      removed: 1,
    });
  });

  test('a commit is work that needs no artefact', async () => {
    const leg = await at.staffetta.begin({ ...contract, strict: true }, { as: ada });
    const begun = (await leg.state()).start;
    write('limit.js', 'export const limit = 20;\n');
    git('commit', '-qam', 'Raise it.');
    const clean = { next: claims.next, summary: 'The working tree is clean.' };
    const { state } = await leg.handoff({ to: 'lane:execute', claims: clean });
    expect(state.sealed?.certification).toBe('ready');
    const next = await at.staffetta.take({ task: leg.task, as: bea });
    expect((await next?.state())?.start).toEqual(begun);
  });

  test('a history from which the start is gone takes a person', async () => {
    const leg = await at.staffetta.begin({ ...contract, protectedPaths: ['billing/'] }, { as: ada });
    rmSync(join(folder, '.git'), { recursive: true });
    git('init', '-q', '-b', 'main');
    git('config', 'user.email', 'ada@example.com');
    git('config', 'user.name', 'Ada');
    git('add', '.');
    git('commit', '-qm', 'As if nothing had been.');
    await validate(at.context, leg.task, { generation: 1 }, { by: ada });
    const { state, certification } = await leg.submit({ claims, artefacts: [{ path: 'limit.js' }] });
    expect(certification).toBe('ready');
    expect(state.demands).toEqual([
      'The commit where the work began is gone, and what was committed since may touch what is protected.',
    ]);
  });

  test('every phase must be verified', async () => {
    const phased = {
      ...contract,
      phases: [
        {
          name: 'measure',
          verify: [{ run: ['node', 'check.js'] }],
          rollback: [{ run: ['git', 'checkout', '--', '.'] }],
        },
        { name: 'change' },
      ],
    };
    const leg = await at.staffetta.begin(phased, { as: ada });
    const held = { task: leg.task, generation: 1 };
    const call = { by: ada };
    write('notes.txt', 'seen\n');
    await validate(at.context, leg.task, { generation: 1 }, call);
    expect(rulesOf(await refusal(leg.submit({ claims })))).toEqual([
      'phases-unfinished',
      'phases-unfinished',
    ]);
    expect((await refusal(startPhase(at.context, held, 'change', call))).message).toContain('comes first');
    await startPhase(at.context, held, 'measure', call);
    write('check.js', 'process.exit(3);\n');
    expect((await verifyPhase(at.context, held, { phase: 'measure' }, call)).moved).toBe('failed');
    const undone = await rollBackPhase(at.context, held, { phase: 'measure', why: 'It was wrong.' }, call);
    expect(undone.moved).toBe('rolled-back');
    await startPhase(at.context, held, 'measure', call);
    expect((await verifyPhase(at.context, held, { phase: 'measure' }, call)).moved).toBe('verified');
    await startPhase(at.context, held, 'change', call);
    expect((await refusal(verifyPhase(at.context, held, { phase: 'change' }, call))).message).toContain(
      'no command',
    );
    await verifyPhase(at.context, held, { phase: 'change', because: 'The reviewer saw it.' }, call);
    expect((await phases(at.context, leg.task)).map(({ known }) => known?.status)).toEqual([
      'verified',
      'verified',
    ]);
    await validate(at.context, leg.task, { generation: 1 }, call);
    expect((await leg.submit({ claims })).state.status).toBe('submitted');
  });
});

describe('at pickup', () => {
  test('each fact is still true, changed or gone', async () => {
    const leg = await at.staffetta.begin(contract, { as: ada });
    write('limit.js', 'export const limit = 20;\n');
    write('notes.txt', 'seen\n');
    const { state } = await leg.handoff({ to: 'lane:execute', claims });
    const packet = await packetOf(state);
    const standing = async (): Promise<unknown> =>
      Object.fromEntries(((await driftSince(packet)) ?? []).map((one) => [one.fact, one.standing]));
    expect(await standing()).toMatchObject({ tree: 'same', 'limit.js': 'same', 'notes.txt': 'same' });
    write('limit.js', 'export const limit = 30;\n');
    rmSync(join(folder, 'notes.txt'));
    expect(await standing()).toMatchObject({
      tree: 'changed',
      head: 'same',
      'limit.js': 'changed',
      'notes.txt': 'gone',
    });
    const judged = await judgeLatest(at.context, leg.task);
    expect(judged.findings.map(({ rule }) => rule)).toContain('tree-moved');
    expect(judged.certification).toBe('valid');
  });

  test('what was committed since as it was is told so', async () => {
    const leg = await at.staffetta.begin(contract, { as: ada });
    write('limit.js', 'export const limit = 20;\n');
    write('notes.txt', 'seen\n');
    write('other.txt', 'seen\n');
    rmSync(join(folder, 'check.js'));
    const { state } = await leg.checkpoint({ claims });
    write('other.txt', 'changed\n');
    git('add', '-A');
    git('commit', '-qm', 'As it was.');
    const drift = (await driftSince(await packetOf(state))) ?? [];
    expect(Object.fromEntries(drift.map(({ fact, standing }) => [fact, standing]))).toMatchObject({
      head: 'changed',
      'limit.js': 'committed',
      'notes.txt': 'committed',
      'check.js': 'committed',
      'other.txt': 'undone',
    });
  });

  test('the workspace comes back byte for byte into a new worktree', async () => {
    const leg = await at.staffetta.begin(contract, { as: ada });
    write('limit.js', 'export const limit = 20;\n');
    write('notes.txt', 'seen\n');
    await leg.handoff({ to: 'lane:execute', claims });
    const target = `${folder}-again`;
    try {
      const report = await restore(at.context, leg.task, { worktree: target });
      expect(report.written.toSorted()).toEqual(['limit.js', 'notes.txt']);
      expect(execFileSync('cat', [join(target, 'limit.js')], { encoding: 'utf8' })).toBe(
        'export const limit = 20;\n',
      );
      expect((await restore(at.context, leg.task)).written).toEqual([]);
      write('notes.txt', 'more\n');
      expect((await refusal(restore(at.context, leg.task))).code).toBe('workspace-dirty');
    } finally {
      rmSync(target, { recursive: true, force: true });
    }
  });

  test('a draft is judged without being sealed', async () => {
    const leg = await at.staffetta.begin(contract, { as: ada });
    const before = worldText(at.world);
    const judged = await judgeDraft(at.context, leg.task, {}, { by: ada });
    expect(judged.certification).toBe('verified');
    expect(judged.findings.map(({ rule }) => rule)).toContain('next-action');
    expect(worldText(at.world)).toBe(before);
    await expect(judgeLatest(at.context, leg.task)).rejects.toThrow(/No packet/);
  });
});

test('where the program says so, the gate only records', async () => {
  const lenient = stage({ gate: 'record' });
  const leg = await lenient.staffetta.begin({ goal: 'Carry on.' }, { as: ada });
  const { state, certification } = await leg.handoff({ to: 'agent:bea' });
  expect([state.status, certification]).toEqual(['offered', 'verified']);
  expect(await lenient.staffetta.take({ task: leg.task, as: bea })).toBeDefined();
});
