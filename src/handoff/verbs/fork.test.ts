import { describe, expect, test } from 'vitest';
import {
  ada,
  bea,
  cyd,
  dawn,
  eve,
  pia,
  quinn,
  stage,
  worldText,
  type Stage,
} from '../../../test/support/world.ts';
import { contract, storyOf, told } from '../../../test/support/forks.ts';
import type { Contract } from '../../core/contract/contract.ts';
import type { Digest } from '../../core/journal/digest.ts';
import { sealPacket } from '../../core/packet/packet.ts';
import { amend } from './amend.ts';
import { readContract } from '../history/history.ts';
import { record } from '../record/record.ts';
import { sweep } from './sweep.ts';

const hour = 60 * 60 * 1000;
const day = 24 * hour;

function stricter(given: Contract): Contract {
  return { ...given, constraints: ['Use oak.', 'No nails.'] };
}

describe('forking', () => {
  test('a new task goes on from any packet, and who forked it and why is on record', async () => {
    const at = stage();
    const { leg, packets } = await told(at, ['one', 'two', 'three']);
    const fork = await at.staffetta.fork(leg.task, { at: packets[1] ?? '', why: 'Try pine.', as: bea });
    expect(fork).toMatchObject({ status: 'offered', packet: packets[1], packets: 0, openedBy: 'bea' });
    expect(fork.fork).toMatchObject({ task: leg.task, seq: 2, packet: packets[1], why: 'Try pine.' });
    expect(fork.offer?.packet).toBe(packets[1]);
    const taken = await at.staffetta.take({ task: fork.task, as: cyd });
    await taken?.acknowledge();
    const { state } = (await taken?.checkpoint({ transcript: 'four' })) ?? {};
    expect(await at.staffetta.packet(state?.packet ?? 'sha256:')).toMatchObject({
      task: fork.task,
      parent: packets[1],
    });
    expect((await leg.state()).status).toBe('held');
    expect((await at.staffetta.verify()).faults).toEqual([]);
  });

  test('P4: the history of a fork of a fork is that of all three, in order, up to where each was forked', async () => {
    const at = stage();
    const { leg, packets } = await told(at, ['one', 'two']);
    await leg.note('after the fork point');
    const second = await at.staffetta.fork(leg.task, { at: packets[0] ?? '', why: 'x', take: true, as: ada });
    const carrying = await at.staffetta.leg(second.task, { as: ada });
    await carrying.checkpoint({ transcript: 'three' });
    await carrying.checkpoint({ transcript: 'four' });
    const third = await at.staffetta.fork(second.task, { at: 'latest', why: 'y', as: ada });
    expect(await storyOf(at, third.task)).toEqual([
      `${leg.task} 0`,
      `${leg.task} 1`,
      'one',
      `${second.task} 0`,
      `${second.task} 1`,
      'three',
      `${second.task} 2`,
      'four',
      `${third.task} 0`,
    ]);
    const { tasks, faults } = await at.staffetta.verify(third.task);
    expect({ tasks, faults }).toEqual({ tasks: 3, faults: [] });
  });

  test('P4: at a depth of two hundred forks the history is whole', async () => {
    const at = stage();
    let { leg } = await told(at, ['0']);
    for (let depth = 1; depth <= 200; depth += 1) {
      const { task } = await at.staffetta.fork(leg.task, { at: 'latest', why: 'on', take: true, as: ada });
      leg = await at.staffetta.leg(task, { as: ada });
      await leg.checkpoint({ transcript: String(depth) });
    }
    const said = (await storyOf(at, leg.task)).filter((line) => !/^t\w{12} /.test(line));
    expect(said).toEqual(Array.from({ length: 201 }, (_, depth) => String(depth)));
    expect((await at.staffetta.verify(leg.task)).tasks).toBe(201);
  });

  test('nothing of the history is stored again', async () => {
    const at = stage();
    const { leg } = await told(at, ['one', 'two']);
    const before = [...at.world.blobs].map(([digest, { putAt }]) => [digest, putAt]);
    await at.clock.advance(day);
    await at.staffetta.fork(leg.task, { at: 'latest', why: 'x', as: bea });
    expect([...at.world.blobs].map(([digest, { putAt }]) => [digest, putAt])).toEqual(before);
  });

  test('the contract is the one in force when the packet was sealed', async () => {
    const at = stage();
    const { leg, packets } = await told(at, ['one']);
    const then = (await leg.state()).contract;
    const fork = await at.staffetta.fork(leg.task, { at: packets[0] ?? '', why: 'x', as: bea });
    expect(fork.contract).toBe(then);
    expect(await readContract(at.context, fork.contract)).toMatchObject(contract);
  });

  test.each([
    ['a person', eve],
    ['the plan lane', pia],
  ])('%s may give it another goal', async (_who, by) => {
    const at = stage();
    const { leg } = await told(at, ['one']);
    const fork = await at.staffetta.fork(leg.task, {
      at: 'latest',
      why: 'x',
      goal: 'A wall stands.',
      as: by,
    });
    expect(await readContract(at.context, fork.contract)).toEqual({
      v: 1,
      title: 'A wall stands.',
      ...contract,
      goal: 'A wall stands.',
    });
  });

  test('others may only narrow it, and a refusal touches nothing', async () => {
    const at = stage();
    const { leg } = await told(at, ['one']);
    await leg.complete();
    const before = worldText(at.world);
    const ask = async (change: Partial<Parameters<Stage['staffetta']['fork']>[1]>): Promise<unknown> =>
      await at.staffetta.fork(leg.task, { at: 'latest', why: 'x', as: bea, ...change });
    await expect(ask({ goal: 'A wall stands.' })).rejects.toMatchObject({ code: 'lane-denied' });
    await expect(ask({ change: (given) => ({ ...given, constraints: [] }) })).rejects.toMatchObject({
      code: 'lane-denied',
      details: { widenings: ['constraints: "Use oak." is gone'] },
    });
    await expect(ask({ take: true, leaseMs: 1 })).rejects.toMatchObject({ code: 'invalid-input' });
    expect(worldText(at.world)).toBe(before);
    await ask({ change: (given) => ({ ...given, nonGoals: ['paint'] }) });
  });

  test('a limit that was added since cannot be left behind by forking further back', async () => {
    const at = stage();
    const { leg, packets } = await told(at, ['one']);
    await amend(at.context, leg.task, { change: stricter, asked: 'no nails', why: 'x' }, { by: eve });
    const point = { at: packets[0] ?? '', why: 'x' };
    await expect(at.staffetta.fork(leg.task, { ...point, as: bea })).rejects.toMatchObject({
      code: 'lane-denied',
      details: { widenings: ['constraints: "No nails." is gone'] },
    });
    expect((await at.staffetta.fork(leg.task, { ...point, as: eve })).status).toBe('offered');
  });

  test('P7: the author of what is taken over may not approve what becomes of it', async () => {
    const at = stage();
    const leg = await at.staffetta.begin({ ...contract, review: { owner: 'anyone' } }, { as: ada });
    await leg.checkpoint({ transcript: 'one' });
    const { task, authors } = await at.staffetta.fork(leg.task, {
      at: 'latest',
      why: 'x',
      as: bea,
      take: true,
    });
    expect(authors).toEqual(['ada', 'bea']);
    const { state } = await (await at.staffetta.leg(task, { as: bea })).submit({ transcript: 'two' });
    const approve = { approve: true, packet: state.packet } as const;
    await expect(at.staffetta.review(task, approve, { as: ada })).rejects.toMatchObject({
      code: 'author-review',
    });
    expect((await at.staffetta.review(task, approve, { as: quinn })).status).toBe('done');
  });

  test('needs that were met are met, also where the task that met them is gone', async () => {
    const at = stage();
    const need = await at.staffetta.begin({ goal: 'wood' }, { as: bea });
    const { task } = await at.staffetta.open({ ...contract, needs: [need.task] }, { as: eve });
    await need.complete();
    const leg = await at.staffetta.take({ task, as: ada });
    await leg?.acknowledge();
    await leg?.checkpoint({ transcript: 'one' });
    await at.clock.advance(day);
    await leg?.renew();
    expect((await sweep(at.context, { olderThanMs: hour })).tasks).toEqual([need.task]);
    const fork = await at.staffetta.fork(task, { at: 'latest', why: 'x', as: ada });
    expect(fork).toMatchObject({ status: 'offered', unmet: [] });
  });

  test('repeated with its key it returns the first fork, though the task has moved on', async () => {
    const at = stage();
    const { leg } = await told(at, ['one']);
    const once = { at: 'latest', why: 'x', as: bea, key: 'k' };
    const first = await at.staffetta.fork(leg.task, once);
    await leg.checkpoint({ transcript: 'two' });
    const again = await at.staffetta.fork(leg.task, once);
    expect([again.task, again.fork]).toEqual([first.task, first.fork]);
    await expect(at.staffetta.fork(leg.task, { ...once, why: 'y' })).rejects.toMatchObject({
      code: 'key-reused',
    });
  });

  test('a dry run says what would be and changes nothing', async () => {
    const at = stage();
    const { leg } = await told(at, ['one']);
    await leg.complete();
    const before = worldText(at.world);
    const would = await at.staffetta.fork(leg.task, { at: 'latest', why: 'x', as: bea, dryRun: true });
    expect(would.fork?.task).toBe(leg.task);
    expect(worldText(at.world)).toBe(before);
  });
});

async function refused(at: Stage, task: string, packet: string): Promise<unknown> {
  return await at.staffetta.fork(task, { at: packet, why: 'x', as: bea }).catch((error: unknown) => error);
}

test('an option that is wrong or missing is refused by name', async () => {
  const { staffetta } = stage();
  const ask = async (given: object): Promise<unknown> => await staffetta.fork('t4k9', given as never);
  await expect(ask({ at: 'latest' })).rejects.toMatchObject({
    code: 'invalid-input',
    message: expect.stringMatching(/why/),
  });
  await expect(ask({ why: 'x' })).rejects.toMatchObject({
    code: 'invalid-input',
    message: expect.stringMatching(/at/),
  });
  await expect(ask({ at: 'latest', why: 'x', gaol: 'y' })).rejects.toMatchObject({
    message: expect.stringMatching(/gaol/),
  });
  await expect(staffetta.import('a file' as never)).rejects.toMatchObject({ code: 'invalid-input' });
});

describe('forking at what is no ground to build on', () => {
  test('a task without packets, an unknown packet, one of another task, and no digest at all are refused', async () => {
    const at = stage();
    const { leg } = await told(at, []);
    const other = await told(at, ['one']);
    expect(await refused(at, leg.task, 'latest')).toMatchObject({ code: 'unknown-packet' });
    expect(await refused(at, leg.task, 'abcdef')).toMatchObject({ code: 'unknown-packet' });
    expect(await refused(at, leg.task, other.packets[0] ?? '')).toMatchObject({ code: 'unknown-packet' });
    expect(await refused(at, leg.task, 'the first')).toMatchObject({ code: 'invalid-input' });
    expect(at.world.tasks.size).toBe(2);
  });

  test('a packet from before the fork belongs to the other task, and the refusal names it', async () => {
    const at = stage();
    const { leg, packets } = await told(at, ['one']);
    const { task } = await at.staffetta.fork(leg.task, { at: 'latest', why: 'x', as: bea });
    for (const packet of ['latest', packets[0] ?? '']) {
      const error = await refused(at, task, packet);
      expect(error).toMatchObject({ code: 'unknown-packet', details: { origin: leg.task } });
      expect((error as { hint: string }).hint).toContain(`staffetta fork ${leg.task} --at`);
    }
  });

  test('a draft and an emergency packet are refused, one that passed the gate in an emergency is not', async () => {
    const at = stage();
    const { leg } = await told(at, ['one']);
    const reseal = async (certification: 'draft' | 'valid' | 'ready', packet: Digest): Promise<void> => {
      const sealed = { packet, certification };
      await record(at.context, {
        task: leg.task,
        call: { by: ada },
        request: null,
        prepare: () => ({ command: { type: 'checkpoint', generation: 1, sealed } }),
      });
    };
    const first = (await leg.state()).packet ?? 'sha256:';
    const made = async (trigger: 'planned' | 'crash'): Promise<Digest> => {
      const state = await leg.state();
      const packet = await at.staffetta.packet(first);
      const { bytes, digest } = sealPacket({
        ...packet,
        parent: state.packet,
        head: { seq: state.seq, digest: state.head },
        trigger,
      });
      await at.store.blobs.put(bytes, dawn);
      return digest;
    };
    await reseal('draft', await made('planned'));
    expect(await refused(at, leg.task, 'latest')).toMatchObject({
      code: 'wrong-state',
      details: { certification: 'draft' },
    });
    await reseal('valid', await made('crash'));
    expect(await refused(at, leg.task, 'latest')).toMatchObject({
      code: 'wrong-state',
      details: { trigger: 'crash' },
    });
    await reseal('ready', await made('crash'));
    expect(await refused(at, leg.task, 'latest')).toMatchObject({ status: 'offered' });
  });

  test('a task that was removed is unknown', async () => {
    const at = stage();
    const { leg, packets } = await told(at, ['one']);
    await leg.complete();
    await at.clock.advance(day);
    await sweep(at.context, { olderThanMs: 0 });
    expect(await refused(at, leg.task, packets[0] ?? '')).toMatchObject({ code: 'unknown-task' });
  });
});
