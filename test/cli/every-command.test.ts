/**
 * What holds for every command: it explains itself, answers in JSON, names an unknown task, changes nothing in a dry run, and
 * repeats nothing under the same key. A command without a row here fails the first test.
 */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { commands } from '../../src/cli/frame/commands.ts';
import { contentOf, newRepository, staffetta } from './command.ts';
import { planRows } from './planned.ts';
import { travelRows } from './travelled.ts';
import { asCode, stages, type Stage } from './stage.ts';
import { captured } from './worked.ts';

interface Row {
  /** Absent: an empty repository without a store. */
  readonly stage?: () => Promise<Stage>;
  readonly args: (stage: Stage) => readonly string[];
  /** Fields of the answer that show it did what it says. */
  readonly answers?: Readonly<Record<string, unknown>>;
  /** `keyed`: repeating it under its key returns the first outcome. `plain`: it writes, but has no entry to keep a key in. */
  readonly writes?: 'keyed' | 'plain';
  readonly exit?: number;
  /** Answers with one JSON document a line. */
  readonly streams?: true;
  /** Has nothing to answer. */
  readonly silent?: true;
}

const none = 'tzzzzzzzzzzzz';
const rests = { writes: 'plain', answers: { status: 'offered' } } as const;
const restated = ['--goal', 'a fence', '--gate', 'it stands', '--next', 'dig'];

const rows: Readonly<Record<string, Row>> = {
  open: {
    stage: stages.offered,
    args: () => ['open', 'a goal'],
    writes: 'keyed',
    answers: { status: 'offered', seq: 0 },
  },
  take: {
    stage: stages.offered,
    args: ({ task }) => ['take', task, ...asCode],
    writes: 'keyed',
    answers: { status: 'held', holder: 'code', generation: 1 },
  },
  restore: {
    stage: captured,
    args: ({ task }) => ['restore', task],
    writes: 'plain',
    answers: { written: ['limit.js', 'notes.txt'], deleted: ['old.js'] },
  },
  skills: {
    stage: captured,
    args: ({ task }) => ['skills', task],
    answers: { skills: [] },
  },
  advise: {
    stage: captured,
    args: ({ task }) => ['advise', task, '--to', 'lane:execute'],
    answers: { answer: 'resume', session: 'unknown' },
  },
  resume: {
    stage: stages.offered,
    args: ({ task }) => ['resume', task, '--in', 'codex', '--unproven', '--take'],
    writes: 'keyed',
    answers: { runtime: 'codex', agent: 'codex', commands: { headless: expect.any(String) } },
  },
  pause: { stage: stages.held, args: ({ task }) => ['pause', task], ...rests },
  continue: { stage: stages.paused, args: ({ task }) => ['continue', task], ...rests },
  inbox: { stage: stages.submitted, args: () => ['inbox'], answers: { inbox: [{ kind: 'review' }] } },
  ack: { stage: stages.taken, args: ({ task }) => ['ack', task, ...restated, ...asCode], writes: 'keyed' },
  decline: {
    stage: stages.taken,
    args: ({ task }) => ['decline', task, '--why', 'too vague', ...asCode],
    writes: 'keyed',
    answers: { status: 'declined' },
  },
  handoff: {
    stage: stages.held,
    args: ({ task }) => [
      'handoff',
      task,
      '--to',
      'lane:audit',
      '--next',
      'look at fence.txt',
      '--artefact',
      'fence.txt',
      ...asCode,
    ],
    writes: 'keyed',
    answers: { status: 'offered', offeredTo: 'lane:audit', certification: 'ready', findings: [] },
  },
  amend: {
    stage: stages.held,
    args: ({ task }) => ['amend', task, '--non-goal', 'a gate', '--why', 'agreed', ...asCode],
    writes: 'keyed',
  },
  fork: {
    stage: stages.handedOff,
    args: ({ task }) => ['fork', task, '--at', 'latest', '--why', 'another way', ...asCode],
    writes: 'keyed',
    answers: { status: 'offered', seq: 0, fork: { why: 'another way' } },
  },
  offer: {
    stage: stages.draft,
    args: ({ task }) => ['offer', task, '--to', 'lane:plan', ...asCode],
    writes: 'keyed',
    answers: { status: 'offered', offeredTo: 'lane:plan' },
  },
  withdraw: {
    stage: stages.handedOff,
    args: ({ task }) => ['withdraw', task, '--why', 'found it', ...asCode],
    writes: 'keyed',
    answers: { status: 'held', holder: 'code', generation: 2 },
  },
  submit: {
    stage: stages.proven,
    args: ({ task }) => ['submit', task, '--done', 'the posts', '--artefact', 'fence.txt', ...asCode],
    writes: 'keyed',
    answers: { status: 'submitted', certification: 'ready' },
  },
  complete: {
    stage: stages.survey,
    args: ({ task }) => ['complete', task, '--summary', 'it stands', '--artefact', 'fence.txt', ...asCode],
    writes: 'keyed',
    answers: { status: 'done' },
  },
  fail: {
    stage: stages.held,
    args: ({ task }) => ['fail', task, '--why', 'no wood', ...asCode],
    writes: 'keyed',
    answers: { status: 'failed' },
  },
  note: { stage: stages.held, args: ({ task }) => ['note', task, 'wet wood', ...asCode], writes: 'keyed' },
  decide: {
    stage: stages.held,
    args: ({ task }) => ['decide', task, 'oak', '--why', 'it lasts', ...asCode],
    writes: 'keyed',
    answers: { decision: 1 },
  },
  tell: { stage: stages.held, args: ({ task }) => ['tell', task, 'keep the gate'], writes: 'keyed' },
  read: {
    stage: stages.withMessage,
    args: ({ task }) => ['read', task, ...asCode],
    writes: 'keyed',
    answers: { messages: [{ from: 'ada', at: expect.any(Number), text: 'keep the gate' }] },
  },
  checkpoint: {
    stage: stages.held,
    args: ({ task }) => ['checkpoint', task, '--done', 'posts', '--artefact', 'fence.txt', ...asCode],
    writes: 'keyed',
    answers: {
      packet: expect.stringMatching(/^sha256:/),
      certification: 'verified',
      findings: expect.arrayContaining([expect.objectContaining({ rule: 'next-action' })]),
    },
  },
  lint: {
    stage: stages.handedOff,
    args: ({ task }) => ['lint', task],
    answers: { certification: 'ready', findings: [] },
  },
  validate: {
    stage: stages.held,
    args: ({ task }) => ['validate', task, ...asCode],
    writes: 'plain',
  },
  phase: {
    stage: stages.phased,
    args: ({ task }) => ['phase', 'start', task, 'dig', ...asCode],
    writes: 'keyed',
    answers: { phase: 'dig' },
  },
  progress: {
    stage: stages.held,
    args: ({ task }) => ['progress', task, '--at', '730', '--of', '1000', '--unit', 'posts', ...asCode],
    writes: 'keyed',
    answers: { progress: { at: 730, of: 1000, unit: 'posts', cursor: null } },
  },
  renew: {
    stage: stages.held,
    args: ({ task }) => ['renew', task, '--lease', '10m', ...asCode],
    writes: 'plain',
    answers: { generation: 1, leaseUntil: expect.any(Number) },
  },
  settle: {
    stage: stages.withEffect,
    args: ({ task }) => ['settle', task, 'paint', '--done', '--receipt', 'it is green', ...asCode],
    writes: 'keyed',
  },
  ls: { stage: stages.held, args: () => ['ls'], answers: { next: null } },
  ...planRows,
  ...travelRows,
  search: {
    stage: stages.held,
    args: () => ['search', 'fence'],
    answers: { more: false, hits: expect.arrayContaining([expect.objectContaining({ where: 'goal' })]) },
  },
  report: {
    stage: stages.handedOff,
    args: ({ task }) => ['report', task],
    answers: { html: expect.stringContaining('<h1>') },
  },
  sessions: { stage: stages.held, args: () => ['sessions'], answers: { sessions: [], troubles: [] } },
  rescue: {
    stage: stages.held,
    args: () => ['rescue'],
    writes: 'plain',
    answers: { rescued: [], looked: 0, troubles: [] },
  },
  watch: {
    stage: stages.held,
    args: () => ['watch', '--off'],
    writes: 'plain',
    answers: { watching: false },
  },
  show: { stage: stages.handedOff, args: ({ task }) => ['show', task], answers: { status: 'offered' } },
  history: {
    stage: stages.handedOff,
    args: ({ task }) => ['history', task],
    answers: { v: 1, steps: [{ mark: 'context' }], unread: [] },
  },
  brief: {
    stage: stages.handedOff,
    args: ({ task, folder }) => ['brief', task, '--write', join(folder, 'brief')],
    writes: 'plain',
    answers: { progress: expect.objectContaining({ status: 'offered' }) },
  },
  log: { stage: stages.handedOff, args: ({ task }) => ['log', task], streams: true },
  diff: { stage: captured, args: ({ task }) => ['diff', task], answers: { cut: false } },
  review: {
    stage: stages.submitted,
    args: ({ task }) => ['review', task, '--approve', '--why', 'looked at'],
    writes: 'keyed',
    answers: { status: 'done' },
  },
  cancel: {
    stage: stages.held,
    args: ({ task }) => ['cancel', task, '--why', 'no need'],
    writes: 'keyed',
    answers: { status: 'cancelled' },
  },
  escalate: {
    stage: stages.held,
    args: ({ task }) => ['escalate', task, '--why', 'which wood?', ...asCode],
    writes: 'keyed',
    answers: { status: 'escalated' },
  },
  dead: {
    stage: stages.dead,
    args: ({ task }) => ['dead', task, '--again', '--why', 'it is dry'],
    writes: 'keyed',
    answers: { status: 'offered' },
  },
  up: {
    stage: stages.held,
    args: () => ['up', '--dry-run'],
    writes: 'plain',
    answers: { url: 'http://127.0.0.1:4747' },
  },
  key: {
    stage: stages.held,
    args: () => ['key', 'rotate', ...asCode],
    writes: 'plain',
    answers: { name: 'code', kind: 'agent' },
  },
  reassign: {
    stage: stages.held,
    args: ({ task }) => ['reassign', task, '--to', 'agent:bea', '--why', 'ill'],
    writes: 'keyed',
  },
  extend: {
    stage: stages.held,
    args: ({ task }) => ['extend', task, '--lease', '2h', '--why', 'slow'],
    writes: 'keyed',
    answers: { status: 'held' },
  },
  token: {
    stage: stages.held,
    args: () => ['token', 'create', '--may', 'read'],
    writes: 'plain',
    answers: { verbs: ['read'], task: null },
  },
  init: { args: () => ['init'], writes: 'plain', answers: { store: expect.any(String) } },
  uninstall: { stage: stages.held, args: () => ['uninstall'], answers: { agreed: true, files: [] } },
  // Whatever it is called with: a host must not notice it.
  hook: { args: () => ['hook', 'claude-code', 'Stop'], silent: true, answers: { said: '' } },
  verify: { stage: stages.handedOff, args: () => ['verify'], answers: { tasks: 1, faults: [] } },
  recover: {
    stage: stages.lapsed,
    args: () => ['recover'],
    writes: 'plain',
    answers: { lapsed: [expect.any(String)], expired: [], freed: [], escalated: [], dead: [], doubted: [] },
  },
  backup: {
    stage: stages.held,
    args: ({ folder }) => ['backup', join(folder, 'copy.db')],
    writes: 'plain',
    answers: { file: expect.stringMatching(/copy\.db$/) },
  },
  sweep: {
    stage: stages.doneLongAgo,
    args: () => ['sweep', '--older-than', '1m', '--grace', '1m'],
    writes: 'plain',
    answers: { tasks: [expect.any(String)] },
  },
  doctor: {
    stage: stages.held,
    args: () => ['doctor', '--dry-run'],
    answers: { findings: expect.any(Array) },
  },
  completion: { args: () => ['completion', 'bash'], answers: { shell: 'bash' } },
  // Without a dry run it speaks the protocol, whatever else is asked; see test/mcp.
  mcp: {
    args: () => ['mcp', '--dry-run'],
    answers: { exists: false, tools: expect.arrayContaining(['take']) },
  },
};

async function set(row: Row): Promise<Stage> {
  if (row.stage !== undefined) return await row.stage();
  const folder = newRepository();
  return { folder, store: join(folder, '.staffetta', 'store.db'), task: none };
}

test('every command has a row here', () => {
  expect(Object.keys(rows).sort()).toEqual(commands.map((command) => command.name).sort());
});

test('the built command explains every one, with examples', async () => {
  const { json } = await staffetta(['--help', '--json']);
  const told = json['commands'] as { name: string; summary: string; examples: string[] }[];
  expect(told.map(({ name }) => name)).toEqual(commands.map((command) => command.name));
  expect(told.filter(({ summary, examples }) => summary === '' || examples.length === 0)).toEqual([]);
});

describe('every command', () => {
  test.each(Object.entries(rows))('%s answers with JSON and nothing else', async (_, row) => {
    const stage = await set(row);
    const ran = await staffetta([...row.args(stage), '--json'], { cwd: stage.folder });
    expect({ status: ran.status, stderr: ran.stderr }).toEqual({ status: row.exit ?? 0, stderr: '' });
    const answer =
      row.streams === true ? ran.lines[0] : row.silent === true ? { said: ran.stdout } : ran.json;
    expect(answer).toMatchObject(row.answers ?? { task: stage.task });
  });

  const writing = Object.entries(rows).filter(([, row]) => row.writes !== undefined);
  test.each(writing)('%s changes nothing in a dry run', async (_, row) => {
    const stage = await set(row);
    const before = contentOf(stage.store);
    const files = readdirSync(stage.folder).sort();
    const ran = await staffetta([...row.args(stage), '--dry-run', '--json'], { cwd: stage.folder });
    expect({ status: ran.status, stderr: ran.stderr }).toEqual({ status: row.exit ?? 0, stderr: '' });
    expect(ran.json).toMatchObject({ ...row.answers, dryRun: true });
    expect(contentOf(stage.store)).toBe(before);
    expect(readdirSync(stage.folder).sort()).toEqual(files);
  });

  const keyed = writing.filter(([, row]) => row.writes === 'keyed');
  test.each(keyed)('%s returns its first outcome when repeated with its key', async (_, row) => {
    const stage = await set(row);
    const args = [...row.args(stage), '--json', '--idempotency-key', 'once'];
    const first = await staffetta(args, { cwd: stage.folder });
    const after = contentOf(stage.store);
    const second = await staffetta(args, { cwd: stage.folder });
    expect({ status: second.status, stderr: second.stderr }).toEqual({ status: first.status, stderr: '' });
    expect(second.json).toEqual({ ...first.json, repeated: true });
    expect(contentOf(stage.store)).toBe(after);
  });

  const aboutTask = commands.filter((command) => command.arguments?.[0]?.name === 'TASK');
  test.each(aboutTask.map((command) => command.name))('%s names a task that is not there', async (name) => {
    const row = rows[name];
    const { folder, store } = await stages.offered();
    const args = row?.args({ folder, store, task: none }) ?? [];
    const named = args.includes(none) ? args : [...args, none];
    const ran = await staffetta([...named, '--json'], { cwd: folder });
    expect(ran.status).toBe(3);
    expect(ran.json).toMatchObject({ error: { code: 'unknown-task', hint: expect.any(String) } });
    expect(ran.stderr).toMatch(/^staffetta: There is no task tzzzzzzzzzzzz in this store\.\n {2}/);
  });
});

test('a dry run of the first task makes neither store nor folder', async () => {
  const folder = newRepository();
  const ran = await staffetta(['open', 'a goal', '--dry-run'], { cwd: folder });
  expect(ran.status).toBe(0);
  expect(ran.stdout).toBe('Would be done: a goal  (offered to anyone in the execute lane)\n');
  expect(ran.stderr).toContain('Would also create the store');
  expect(existsSync(join(folder, '.staffetta'))).toBe(false);
});
