import { describe, expect, test } from 'vitest';
import { ada, bea, dawn, eve, quinn, seededEntropy, stage, type Stage } from '../../../test/support/world.ts';
import type { Actor } from '../../core/task/actor.ts';
import { backoffMs } from '../../core/base/backoff.ts';
import { retry } from './finish.ts';
import type { Leg } from './leg.ts';
import { load } from '../record/load.ts';

async function begin(at: Stage, reviewed = false): Promise<Leg> {
  const review = reviewed ? { review: { owner: 'lane:audit' as const } } : {};
  return await at.staffetta.begin({ goal: 'The fence stands.', ...review }, { as: ada });
}

describe('ends of a leg', () => {
  test('completing seals a last packet, ends the task and takes the lease along', async () => {
    const at = stage();
    const leg = await begin(at);
    const { state } = await leg.complete({ claims: { summary: 'Done.' } });
    expect(state).toMatchObject({ status: 'done', packets: 1, leg: null });
    expect((await load(at.context, leg.task)).lease).toBeNull();
    expect((await at.staffetta.packet(state.packet ?? 'sha256:')).claims.summary).toBe('Done.');
  });

  test('what needs a review cannot be completed, and the refusal says what to do instead', async () => {
    const leg = await begin(stage(), true);
    await expect(leg.complete()).rejects.toMatchObject({
      code: 'review-required',
      hint: `Submit it instead: staffetta submit ${leg.task}`,
    });
  });

  test('a refused ending stores no packet', async () => {
    const at = stage();
    const leg = await begin(at, true);
    const blobs = at.world.blobs.size;
    await expect(leg.complete({ transcript: 'x' })).rejects.toMatchObject({ code: 'review-required' });
    expect(at.world.blobs.size).toBe(blobs);
  });

  test('a failed task says why', async () => {
    const at = stage();
    const leg = await begin(at);
    await leg.fail('No wood.');
    const [only] = await at.staffetta.timeline(leg.task);
    expect(only).toMatchObject({ ended: 'failed', why: 'No wood.' });
  });

  test('an ending of a task that does not exist is unknown', async () => {
    const { context } = stage();
    const held = { task: 't000000000042', generation: 1 } as const;
    await expect(retry(context, held, 'x', { by: ada })).rejects.toMatchObject({ code: 'unknown-task' });
  });
});

describe('resting', () => {
  test('the rest is drawn once from the attempts so far, and the receiver is woken at its end', async () => {
    const at = stage({ seed: 5 });
    const leg = await begin(at);
    const entropy = seededEntropy(5);
    entropy.bytes(8);
    await leg.retry('Rain.');
    const { offer } = (await load(at.context, leg.task)).state;
    const rest = backoffMs(1, entropy.fraction());
    expect(offer).toMatchObject({ notBefore: dawn + rest, cause: 'retry', attempt: 2 });
    expect([...at.world.hints.values()]).toMatchObject([{ due: dawn + rest, to: 'lane:execute' }]);
  });
});

async function submitted(at: Stage): Promise<{ task: Leg['task']; packet: `sha256:${string}` | null }> {
  const leg = await begin(at, true);
  const { state } = await leg.submit();
  return { task: leg.task, packet: state.packet };
}

describe('reviews', () => {
  test('P7: the author is refused, whatever it calls itself', async () => {
    const at = stage();
    const { task, packet } = await submitted(at);
    const disguises: Actor[] = [
      ada,
      { name: 'ada', kind: 'agent', lane: 'audit' },
      { name: 'ada', kind: 'human' },
      { name: 'kid', kind: 'agent', lane: 'audit', lineage: ['ada'] },
    ];
    for (const as of disguises)
      await expect(at.staffetta.review(task, { approve: true, packet }, { as })).rejects.toMatchObject({
        code: 'author-review',
      });
    expect((await load(at.context, task)).state.status).toBe('submitted');
  });

  test('findings go back to the author as an offer that wakes it', async () => {
    const at = stage();
    const { task, packet } = await submitted(at);
    const findings = [{ text: 'A gap.', path: 'fence.md', line: 3 }];
    const view = await at.staffetta.review(task, { approve: false, packet, findings }, { as: quinn });
    expect(view).toMatchObject({ status: 'rework', offer: { to: 'agent:ada' } });
    expect([...at.world.hints.values()]).toMatchObject([{ to: 'agent:ada', task }]);
  });

  test('a review without findings sends nothing back', async () => {
    const at = stage();
    const { task, packet } = await submitted(at);
    const empty = at.staffetta.review(task, { approve: false, packet, findings: [] }, { as: quinn });
    await expect(empty).rejects.toMatchObject({ code: 'invalid-input' });
  });

  test('of two that review at once one is heard, and the other is told that it is over', async () => {
    const at = stage();
    const { task, packet } = await submitted(at);
    const results = await Promise.allSettled([
      at.staffetta.review(task, { approve: true, packet }, { as: quinn }),
      at.staffetta.review(
        task,
        { approve: false, packet, findings: [{ text: 'x' }] },
        { as: { name: 'eve', kind: 'human' } },
      ),
    ]);
    expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(1);
    const refused = results.find((result) => result.status === 'rejected');
    expect(refused?.reason).toMatchObject({ code: 'wrong-state' });
  });

  test('a person may review where no reviewer is named, another agent may not', async () => {
    const at = stage();
    const leg = await begin(at);
    const { state } = await leg.submit();
    const verdict = { approve: true, packet: state.packet } as const;
    await expect(at.staffetta.review(leg.task, verdict, { as: bea })).rejects.toMatchObject({
      code: 'lane-denied',
    });
    expect((await at.staffetta.review(leg.task, verdict, { as: eve })).status).toBe('done');
  });
});
