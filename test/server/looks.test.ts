/** What is worked out for a reader. JSON answers are held against the OpenAPI document as they come. */
import { describe, expect, test } from 'vitest';
import { storeAddress } from '../../src/home/locate.ts';
import { openStore } from '../../src/compose/open-store.ts';
import { workspaceOf } from '../../src/compose/workspace.ts';
import { captured, write } from '../cli/worked.ts';
import { ada, bea, eve, sol, stage } from '../support/world.ts';
import { fence, House, newHouse, submitted } from './house.ts';

const talk = JSON.stringify([
  { role: 'user', content: 'Build a fence.' },
  { role: 'assistant', content: 'I dig.' },
]);

describe('the timeline', () => {
  test('has the legs, and a mark for every change of hands and every judgement', async () => {
    const house = newHouse();
    const task = await submitted(house);
    const token = await house.token(eve);
    const binds = (await house.ask(`/api/tasks/${task}`, { token })).json['binds'];
    await house.post(`/api/tasks/${task}/verdict`, token, {
      approve: false,
      binds,
      findings: [{ text: 'a gap' }],
    });
    const { json } = await house.ask(`/api/tasks/${task}/timeline`, { token });
    expect(json['legs']).toMatchObject([{ agent: 'ada', ended: 'submitted' }]);
    const marks = json['marks'] as { kind: string; text: string | null; by: string; lane: string | null }[];
    expect(marks.map(({ kind }) => kind)).toEqual([
      'opened',
      'accept',
      'checkpoint',
      'submit',
      'send-back',
      'offer',
    ]);
    expect(marks[4]).toMatchObject({ by: 'eve', text: 'a gap', lane: 'execute' });
  });

  test('knows lapses, refusals, escalations and ends', async () => {
    const house = newHouse();
    const { staffetta, clock } = house.at;
    const leg = await staffetta.begin({ ...fence, caps: { attempts: 3 } }, { as: ada, leaseMs: 1000 });
    clock.set(clock.now() + 2000);
    await staffetta.recover();
    const second = await staffetta.take({ task: leg.task, as: bea });
    await second?.decline(['too wet']);
    const token = await house.token(eve);
    await house.post(`/api/tasks/${leg.task}/escalate`, token, { why: 'nobody wants it' });
    await house.post(`/api/tasks/${leg.task}/cancel`, token, { why: 'it rains' });
    const { json } = await house.ask(`/api/tasks/${leg.task}/timeline`, { token });
    const kinds = (json['marks'] as { kind: string }[]).map(({ kind }) => kind);
    expect(kinds).toEqual(expect.arrayContaining(['lapse', 'decline', 'escalation', 'end']));
  });
});

describe('the drift of a packet', () => {
  test('says of each fact whether it is still true', async () => {
    const { store, task, folder } = await captured();
    write(folder, 'limit.js', 'export const limit = 30;\n');
    write(folder, 'fresh.txt', 'new\n');
    const workspace = workspaceOf(folder);
    const at = stage({ store: await openStore(storeAddress(store)) });
    const house = new House({ ...at, context: { ...at.context, ...(workspace && { workspace }) } });
    const { json } = await house.ask(`/api/tasks/${task}/packets/latest/drift`, {
      token: await house.token(eve),
    });
    const drift = json['drift'] as { fact: string; standing: string }[];
    const standingOf = (fact: string): string | undefined => drift.find((one) => one.fact === fact)?.standing;
    expect(standingOf('head')).toBe('same');
    expect(standingOf('limit.js')).toBe('changed');
    expect(standingOf('fresh.txt')).toBe('new');
    expect(standingOf('notes.txt')).toBe('gone');
    await at.store.close();
  });

  test('is null where there is no workspace to look at', async () => {
    const house = newHouse();
    const task = await submitted(house);
    const { status, json } = await house.ask(`/api/tasks/${task}/packets/latest/drift`, {
      token: await house.token(eve),
    });
    expect(status).toBe(200);
    expect(json).toMatchObject({ drift: null, validation: [] });
  });
});

describe('the briefing', () => {
  test('keeps to its budget and counts its tokens', async () => {
    const house = newHouse();
    const token = await house.token(eve);
    const task = await submitted(house);
    const { json } = await house.ask(`/api/tasks/${task}/briefing?budget=2000`, { token });
    expect(json).toMatchObject({
      task,
      budget: 2000,
      briefing: expect.stringContaining('The fence stands.'),
    });
    expect(json['tokens']).toBeGreaterThan(10);
    expect(json['tokens']).toBeLessThanOrEqual(2000);
    expect((await house.ask(`/api/tasks/${task}/briefing?budget=13000`, { token })).status).toBe(400);
  });
});

describe('the history', () => {
  test('says whose the steps are, and finds a step by its name', async () => {
    const house = newHouse();
    const token = await house.token(eve);
    const leg = await house.at.staffetta.begin(fence, { as: ada });
    await leg.handoff({ to: 'agent:bea', claims: { next: 'nail' }, transcript: talk });
    const next = await house.at.staffetta.take({ task: leg.task, as: bea });
    const more = [
      ...(JSON.parse(talk) as unknown[]),
      ...['Painted?', 'Not yet.'].map((content, i) => ({ role: i === 0 ? 'user' : 'assistant', content })),
    ];
    await next?.checkpoint({ claims: { next: 'paint' }, transcript: JSON.stringify(more) });
    const { json } = await house.ask(`/api/tasks/${leg.task}/history?at=3&limit=2`, { token });
    expect(json).toMatchObject({
      total: 4,
      at: 2,
      from: 1,
      legs: [
        { ref: 1, generation: 1, agent: 'ada', lane: 'execute' },
        { ref: 3, generation: 2, agent: 'bea', lane: 'execute' },
      ],
      steps: [{ ref: 2 }, { ref: 3, given: { text: 'Painted?' } }],
    });
    const beyond = await house.ask(`/api/tasks/${leg.task}/history?at=5&limit=1`, { token });
    expect(beyond.json).toMatchObject({ total: 4, at: null });
  });

  test('is given out as a file in every format', async () => {
    const house = newHouse();
    const token = await house.token(eve);
    const leg = await house.at.staffetta.begin(fence, { as: ada });
    await leg.checkpoint({ claims: { next: 'nail' }, transcript: talk });
    for (const ending of ['md', 'json', 'atif.json']) {
      const answer = await house.raw(`/api/tasks/${leg.task}/history.${ending}`, { token });
      expect(answer.headers.get('content-disposition')).toContain(`filename="${leg.task}.${ending}"`);
      expect(await answer.text()).toContain('I dig.');
    }
  });
});

describe('the export', () => {
  test('is the file that import takes', async () => {
    const house = newHouse();
    const task = await submitted(house);
    const answer = await house.raw(`/api/tasks/${task}/export`, { token: await house.token(eve) });
    const bytes = new Uint8Array(await answer.arrayBuffer());
    const pieces: Uint8Array[] = [];
    for await (const piece of (await house.at.staffetta.export(task)).pieces) pieces.push(piece);
    expect(Buffer.from(bytes).equals(Buffer.concat(pieces))).toBe(true);
    expect(answer.headers.get('content-disposition')).toBe(`attachment; filename="${task}.staffetta"`);
  });
});

describe('a run', () => {
  test('that nobody made is refused, and a name that is none', async () => {
    const house = newHouse();
    const token = await house.token(eve);
    const task = await submitted(house);
    expect((await house.raw(`/api/tasks/${task}/runs/r1/output`, { token })).status).toBe(404);
    expect((await house.raw(`/api/tasks/${task}/runs/..%2f..%2fx/output`, { token })).status).toBe(400);
  });
});

describe('what needs a person', () => {
  test('is listed by kind with since when, why, and what answers it', async () => {
    const house = newHouse();
    const { staffetta, clock } = house.at;
    const token = await house.token(eve);
    const asking = await staffetta.begin({ goal: 'Asking.' }, { as: ada, leaseMs: 3_600_000 });
    await asking.ask('Red or blue?', { options: ['red', 'blue'] });
    const dead = await staffetta.begin({ goal: 'Dead.', caps: { attempts: 1 } }, { as: ada });
    await dead.retry('wet wood');
    const stopped = await staffetta.begin({ goal: 'Stopped.' }, { as: ada });
    await house.post(`/api/tasks/${stopped.task}/escalate`, token, { why: 'two owners' });
    const failed = await staffetta.begin({ goal: 'Failed.' }, { as: ada });
    await failed.fail('no wood at all');
    const refused = await staffetta.open({ goal: 'Refused.' }, { as: eve, to: 'agent:bea' });
    await staffetta.decline(refused.task, ['not mine'], { as: bea });
    const silent = await staffetta.begin({ goal: 'Silent.' }, { as: bea, leaseMs: 1000 });
    await staffetta.open({ goal: 'All is well.' }, { as: ada });
    clock.set(clock.now() + 5000);
    const { json } = await house.ask('/api/inbox', { token });
    expect(json['items']).toMatchObject([
      { kind: 'question', task: asking.task, text: 'Red or blue?', decision: 1, options: ['red', 'blue'] },
      { kind: 'dead', task: dead.task, status: 'escalated', text: expect.stringContaining('wet wood') },
      { kind: 'escalated', task: stopped.task, text: 'two owners' },
      { kind: 'declined', task: refused.task, text: 'not mine' },
      { kind: 'failed', task: failed.task, text: 'no wood at all' },
      { kind: 'left', task: silent.task, text: expect.stringContaining('bea fell silent') },
    ]);
  });
});

test('who found out what became of an effect says it, and nobody is asked again', async () => {
  const house = newHouse();
  const leg = await house.at.staffetta.begin({ goal: 'Acting.' }, { as: ada });
  const { task } = leg;
  const act = leg.effect('deploy', () => {
    throw new Error('The line broke.');
  });
  await expect(act).rejects.toThrow('The line broke.');
  await leg.retry('the line broke');
  const token = await house.token(eve);
  const { json } = await house.ask('/api/inbox', { token });
  expect(json['items']).toMatchObject([{ kind: 'effect', task, effect: 'deploy' }]);
  const body = { effect: 'deploy', outcome: 'done', receipt: 'release 7' };
  expect(await house.post(`/api/tasks/${task}/settle`, token, body)).toMatchObject({ status: 200 });
  expect((await house.ask('/api/inbox', { token })).json['items']).toEqual([]);
});

test('what failed is tried anew or let be, and what somebody left is completed, by a person alone', async () => {
  const house = newHouse();
  const { staffetta } = house.at;
  const token = await house.token(eve);
  const waits = async (): Promise<unknown> => (await house.ask('/api/inbox', { token })).json;
  const failed = await staffetta.begin({ goal: 'A gate hangs.', constraints: ['no nails'] }, { as: ada });
  await failed.fail('no hinges');
  const again = await house.post(`/api/tasks/${failed.task}/again`, token, {});
  expect(again.json).toMatchObject({ status: 'offered', twin: `staffetta open --again ${failed.task}` });
  const task = String(again.json['task']);
  expect((await house.ask(`/api/tasks/${task}`, { token })).json).toMatchObject({
    contract: { contract: { goal: 'A gate hangs.', constraints: ['no nails'] } },
  });
  expect(await waits()).toMatchObject({ items: [], needing: [] });
  const other = await staffetta.begin({ goal: 'A wall stands.' }, { as: ada });
  await other.fail('no bricks');
  expect(await waits()).toMatchObject({ items: [{ kind: 'failed', task: other.task }], needing: [] });
  expect(await house.post(`/api/tasks/${other.task}/let-be`, token, {})).toMatchObject({ status: 200 });
  expect((await house.post(`/api/tasks/${task}/let-be`, token, {})).status).toBe(409);
  expect(await waits()).toMatchObject({ items: [] });
  // Nobody has worked on it yet; then somebody has it; then they left it.
  expect((await house.post(`/api/tasks/${task}/complete`, token, {})).status).toBe(409);
  await staffetta.take({ task, as: ada });
  expect((await house.post(`/api/tasks/${task}/complete`, token, {})).json['detail']).toContain(
    'held by ada',
  );
  await house.post(`/api/tasks/${task}/pause`, token, { why: 'It rains.' });
  const agent = await house.token(sol);
  expect((await house.post(`/api/tasks/${task}/complete`, agent, {})).status).toBe(403);
  const done = await house.post(`/api/tasks/${task}/complete`, token, { accept: 'It hangs.' });
  expect(done.json).toMatchObject({
    status: 'done',
    twin: `staffetta complete ${task} --accept 'It hangs.'`,
  });
  expect((await house.ask(`/api/tasks/${task}`, { token })).json).toMatchObject({
    contract: { contract: { acceptance: ['It hangs.'] } },
  });
});

test('a person opens, pauses and continues a task, and the overview counts what happened', async () => {
  const house = newHouse();
  const { staffetta, clock } = house.at;
  const token = await house.token(eve);
  const opened = await house.post('/api/tasks', token, {
    goal: 'A gate hangs.',
    acceptance: ['It opens.'],
    to: 'execute',
  });
  expect(opened.json).toMatchObject({ status: 'offered', offeredTo: 'lane:execute' });
  const task = String(opened.json['task']);
  const fork = { goal: 'The gate is painted.', needs: [task] };
  const waits = await staffetta.open(fork as never, { as: eve });
  const leg = await staffetta.take({ task, as: ada });
  clock.set(clock.now() + 60_000);
  const rested = await house.post(`/api/tasks/${task}/pause`, token, { forMs: 3_600_000 });
  const notBefore = clock.now() + 3_600_000;
  expect(rested.json).toMatchObject({ status: 'offered', holder: null, notBefore });
  await expect(leg?.note('late')).rejects.toMatchObject({ code: 'stale-generation' });
  expect((await house.post(`/api/tasks/${task}/continue`, token, {})).json).toMatchObject({
    status: 'offered',
    notBefore: null,
  });
  expect((await house.post(`/api/tasks/${task}/continue`, token, { why: 'Sun.' })).status).toBe(409);
  const { json } = await house.ask('/api/overview', { token });
  expect(json['hours']).toMatchObject([
    { counts: { opened: 2, done: 0 }, lanes: [{ lane: 'execute', legs: 1, ms: 60_000 }] },
  ]);
  // Silence counts once, before anybody has recorded it and after.
  await staffetta.begin({ goal: 'Its holder is gone.' }, { as: ada, leaseMs: 1000 });
  clock.set(clock.now() + 2000);
  const silent = async () => (await house.ask('/api/overview', { token })).json['hours'];
  expect(await silent()).toMatchObject([{ counts: { lapsed: 1 } }]);
  await staffetta.recover();
  expect(await silent()).toMatchObject([{ counts: { lapsed: 1 } }]);
  const graph = await house.ask('/api/graph', { token });
  expect(graph.json['nodes']).toMatchObject([
    { card: { task: waits.task }, needs: [task] },
    { card: { task } },
  ]);
});

/** A step of ATIF, at a minute after ten. */
const step = (step_id: number, source: string, minute: string) => ({
  step_id,
  source,
  message: `step ${step_id}`,
  timestamp: `2026-01-01T10:${minute}:00Z`,
  ...(source === 'agent' ? { metrics: { completion_tokens: 7 } } : {}),
});

test('every transcript is drawn, and a session took as long as it says itself, though its leg only sealed it', async () => {
  const house = newHouse();
  const { staffetta } = house.at;
  const token = await house.token(eve);
  const leg = await staffetta.begin({ goal: 'A fence.' }, { as: ada });
  const claims = { next: 'paint it' };
  await leg.checkpoint({ claims, transcript: 'Just words, of nobody in particular.' });
  const steps = [step(1, 'user', '00'), step(2, 'agent', '30'), step(3, 'agent', '45')];
  const document = {
    schema_version: 'ATIF-v1.4',
    session_id: 's',
    agent: { name: 'a', version: '1' },
    steps,
  };
  await leg.checkpoint({ claims, transcript: JSON.stringify(document) });
  const { json } = await house.ask(`/api/tasks/${leg.task}/history`, { token });
  expect((json['steps'] as { text: string }[]).map(({ text }) => text)).toEqual([
    expect.stringContaining('Just words, of nobody in particular.'),
    expect.stringContaining('step 1'),
    'step 2',
    'step 3',
  ]);
  const said = await house.ask(`/api/tasks/${leg.task}/history?show=said`, { token });
  expect(said.json).toMatchObject({ total: 2 });
  const ran = await house.ask(`/api/tasks/${leg.task}/sessions`, { token });
  const from = Date.parse('2026-01-01T10:00:00Z');
  expect(ran.json['sessions']).toMatchObject([
    { generation: 1, from, until: from + 45 * 60_000, steps: 3, written: 14 },
  ]);
  // Nobody counted what it used; its session did.
  const tokensAt = async () => {
    const hours = (await house.ask('/api/overview', { token })).json['hours'];
    return (hours as { at: number; counts: { tokens: number } }[]).find(({ at }) => at === from)?.counts
      .tokens;
  };
  expect(await tokensAt()).toBe(14);
  await leg.countUsage({ source: 'a', tokens: 9 });
  expect(await tokensAt()).toBe(0);
  await leg.fail('no nails');
  const { hours } = (await house.ask('/api/overview', { token })).json as { hours: { lanes: object[] }[] };
  expect(hours.flatMap(({ lanes }) => lanes)).toEqual([{ lane: 'execute', legs: 1, ms: 45 * 60_000 }]);
});
