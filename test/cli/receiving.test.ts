/** What the next holder sees without asking: above all after a lapse, where nobody packed anything for it. */
import { describe, expect, test } from 'vitest';
import { everyArtefact, everyClaim, markers } from '../support/every-field.ts';
import { newRepository, staffetta } from './command.ts';
import { asCode, stages } from './stage.ts';

const told = [
  'the ground is wet',
  'and full of stones',
  'pine posts',
  'they rot',
  'oak',
  'it lasts',
  'rejected: steel',
  'mind the dog',
  'Gate left or right?',
  'left',
  'six holes',
  'set the posts',
  'the old posts are rotten',
];

describe('after a lapse', () => {
  test('take shows what the silent holder put on record since its packet, and before', async () => {
    const { folder, task } = await stages.lapsedMidTask();
    const taken = await staffetta(['take', task, '--as', 'second'], { cwd: folder });
    for (const words of told) expect(taken.stdout).toContain(words);
    expect(taken.stdout).toMatch(/Since packet 1, and not in it\n(?: {2}.*\n)+\nOn record before packet 1\n/);
    expect(taken.stdout).toContain('found code (generation 1) silent');
    expect(taken.stdout).toContain(`staffetta show ${task} --history`);
    expect(taken.stdout).toMatch(/ada, .* ago, answers question 2 \(Gate left or right\?\): left/);
  });

  test('the same is in the JSON of take and show', async () => {
    const { folder, task } = await stages.lapsedMidTask();
    const remarks = {
      since: [
        { by: 'code', event: { type: 'note', text: 'the ground is wet\nand full of stones' } },
        { by: 'code', event: { type: 'attempt-failed', what: 'pine posts', why: 'they rot' } },
        { event: { type: 'decision-made', text: 'oak', why: 'it lasts', rejected: ['pine', 'steel'] } },
        { by: 'ada', event: { type: 'message', text: 'mind the dog' } },
        { event: { type: 'leg-lapsed', generation: 1 } },
      ],
      before: [{ event: { type: 'note', text: 'the old posts are rotten' } }],
      more: false,
    };
    const messages = [
      { from: 'ada', text: 'left', answers: { decision: 2, question: 'Gate left or right?' } },
    ];
    const taken = await staffetta(['take', task, '--as', 'second', '--json'], { cwd: folder });
    expect(taken.json).toMatchObject({ remarks, messages });
    expect((await staffetta(['show', task, '--json'], { cwd: folder })).json).toMatchObject({
      remarks,
      messages,
    });
  });
});

test('an answer waits like a message, is read once, and stays on record', async () => {
  const { folder, task } = await stages.lapsedMidTask();
  const second = ['--as', 'second'];
  const taken = await staffetta(['take', task, ...second], { cwd: folder });
  expect(taken.stderr).toContain(`→ staffetta read ${task}`);
  const key = ['--idempotency-key', 'once'];
  const read = await staffetta(['read', task, ...second, ...key], { cwd: folder });
  expect(read.stdout).toMatch(/^ada, .* ago, answers question 2 \(Gate left or right\?\):\n {2}left\n$/);
  expect((await staffetta(['read', task, ...second, ...key], { cwd: folder })).stdout).toContain('  left\n');
  expect((await staffetta(['read', task, ...second], { cwd: folder })).stdout).toBe('');
  const shown = await staffetta(['show', task], { cwd: folder });
  expect(shown.stdout).toContain('answered question 2 (Gate left or right?): left');
});

test('the history keeps the lines of what was said', async () => {
  const { folder, task } = await stages.lapsedMidTask();
  const { stdout } = await staffetta(['show', task, '--history'], { cwd: folder });
  expect(stdout).toMatch(/Z {2}code noted: the ground is wet\n {26}and full of stones\n/);
});

test('an open question is shown with its options, its owner and how to answer it', async () => {
  const { folder, task } = await stages.held();
  await staffetta(['decide', task, 'Oak?', '--ask', '--option', 'yes', '--option', 'no', ...asCode], {
    cwd: folder,
  });
  const shown = await staffetta(['show', task], { cwd: folder });
  expect(shown.stdout).toContain('1: Oak?\n  options: yes | no\n');
  expect(shown.stdout).toContain(`for a person to answer: staffetta decide ${task} TEXT --answer 1`);
  expect((await staffetta(['show', task, '--json'], { cwd: folder })).json).toMatchObject({
    questions: [{ decision: 1, question: 'Oak?', options: ['yes', 'no'] }],
  });
});

describe('every field of a packet', () => {
  const wanted = markers({ claims: everyClaim, artefacts: everyArtefact }).map(({ marker }) => marker);
  const pages: readonly (readonly [string, (task: string) => readonly string[]])[] = [
    ['take', (task) => ['take', task, '--as', 'qa', '--lane', 'audit', '--dry-run']],
    ['show', (task) => ['show', task]],
    ['show --packet', (task) => ['show', task, '--packet', 'latest']],
    ['show --history', (task) => ['show', task, '--history']],
    ['review', (task) => ['review', task]],
  ];

  test.each(pages)('is in what %s prints, as text and as JSON', async (_name, args) => {
    const { folder, task } = await stages.everyField();
    for (const more of [[], ['--json']]) {
      const { stdout } = await staffetta([...args(task), ...more], { cwd: folder });
      expect(wanted.filter((marker) => !stdout.includes(marker))).toEqual([]);
    }
  });
});

describe('the lease of the command line', () => {
  const halfAnHour = 30 * 60_000;

  test('is half an hour, and take says until when and how to extend it', async () => {
    const { folder, task } = await stages.offered();
    const taken = await staffetta(['take', task, ...asCode, '--json'], { cwd: folder });
    const shown = await staffetta(['show', task, '--json'], { cwd: folder });
    expect(shown.json).toMatchObject({ leg: { leaseMs: halfAnHour }, leaseUntil: taken.json['leaseUntil'] });
    const { folder: other, task: second } = await stages.offered();
    const said = await staffetta(['take', second, ...asCode], { cwd: other });
    expect(said.stdout).toMatch(/until (?:[\d-]+ )?\d\d:\d\d: 30 min left/);
    expect(said.stderr).toMatch(/You hold it until (?:[\d-]+ )?\d\d:\d\d\. .*staffetta renew t/);
  });

  test('is the same for open --take and withdraw, and another one where --lease says so', async () => {
    const folder = newRepository();
    const opened = await staffetta(['open', 'a goal', '--take', ...asCode], { cwd: folder });
    expect(opened.stderr).toContain('staffetta renew');
    const given = await stages.handedOff();
    const back = await staffetta(['withdraw', given.task, ...asCode], { cwd: given.folder });
    expect(back.stderr).toContain('staffetta renew');
    for (const at of [folder, given.folder]) {
      const { tasks } = (await staffetta(['ls', '--json'], { cwd: at })).json as {
        tasks: { task: string }[];
      };
      const shown = await staffetta(['show', tasks[0]?.task ?? '', '--json'], { cwd: at });
      expect(shown.json).toMatchObject({ leg: { leaseMs: halfAnHour } });
    }
    const { folder: other, task } = await stages.offered();
    await staffetta(['take', task, '--lease', '2h', ...asCode], { cwd: other });
    const shown = await staffetta(['show', task, '--json'], { cwd: other });
    expect(shown.json).toMatchObject({ leg: { leaseMs: 4 * halfAnHour } });
  });
});

describe('the lane of an offer', () => {
  test('--to-lane gives it where the address names none', async () => {
    const { folder, task } = await stages.held();
    const packet = ['--next', 'look at the gate in fence.txt', '--artefact', 'fence.txt'];
    const give = ['handoff', task, '--to', 'agent:qa', '--to-lane', 'audit', ...packet, ...asCode];
    const given = await staffetta(give, { cwd: folder });
    expect(given.stdout).toContain('on offer to agent:qa in the audit lane');
    const wrong = await staffetta(['take', task, '--as', 'qa', '--lane', 'execute'], { cwd: folder });
    expect(wrong.status).toBe(4);
    expect(wrong.stderr).toContain(
      `You are asked, but in the audit lane: staffetta take ${task} --lane audit`,
    );
    const other = await staffetta(['take', task, '--as', 'other'], { cwd: folder });
    expect(other.stderr).toContain(`qa takes it with: staffetta take ${task} --as qa --lane audit`);
    const taken = await staffetta(['take', task, '--as', 'qa', '--lane', 'audit', '--json'], { cwd: folder });
    expect(taken.json).toMatchObject({ status: 'held', holder: 'qa' });
    expect((await staffetta(['show', task, '--json'], { cwd: folder })).json).toMatchObject({
      leg: { lane: 'audit' },
    });
  });

  test('open and offer take it too', async () => {
    const folder = newRepository();
    const opened = await staffetta(['open', 'a goal', '--to', 'pia', '--to-lane', 'plan'], { cwd: folder });
    expect(opened.stdout).toContain('offered to agent:pia in the plan lane');
    expect(opened.stderr).toMatch(/staffetta take t\S+ --as pia --lane plan/);
    const { folder: other, task } = await stages.draft();
    const offered = await staffetta(['offer', task, '--to-lane', 'audit'], { cwd: other });
    expect(offered.stdout).toContain('on offer to anyone in the audit lane');
    expect(offered.stderr).toContain(`staffetta take ${task} --as NAME --lane audit`);
  });
});

test('a second init changes nothing, says so, and is no failure', async () => {
  const folder = newRepository();
  expect((await staffetta(['init'], { cwd: folder })).status).toBe(0);
  const again = await staffetta(['init'], { cwd: folder });
  expect(again).toMatchObject({ status: 0, stdout: expect.stringContaining('nothing was changed') });
  expect((await staffetta(['init', '--json'], { cwd: folder })).json).toMatchObject({
    created: false,
    files: [],
  });
});

test('declining says what becomes of the task', async () => {
  const { folder, task } = await stages.offered();
  const decline = ['decline', task, '--reason', 'vague', '--as', 'one'];
  expect((await staffetta(decline, { cwd: folder })).stdout).toContain('It stands for the others');
  expect((await staffetta(decline, { cwd: folder })).stdout).toContain('you declined this offer before');
  const taken = await stages.taken();
  const back = await staffetta(['decline', taken.task, '--reason', 'vague', ...asCode], {
    cwd: taken.folder,
  });
  expect(back.stdout).toContain('until somebody offers it again');
  expect(back.stderr).toContain(`staffetta offer ${taken.task} --to WHO`);
});
