/** Work that goes somewhere: who waits for it, who says that it is there, and what is shown of it meanwhile. */
import { describe, expect, test } from 'vitest';
import { ada, bea, eve, quinn, sol, stage, type Stage } from '../../../test/support/world.ts';
import type { Digest } from '../../core/journal/digest.ts';
import type { TaskId } from '../../core/journal/id.ts';
import { alertsOf } from '../views/alerts.ts';
import { inboxOf } from '../views/inbox.ts';
import { standingFindings } from '../record/latest.ts';
import { load } from '../record/load.ts';

const integrate = { onto: 'staffetta/limits' };
const made = { onto: 'staffetta/limits', commit: 'a'.repeat(40), tree: 'b'.repeat(40) };

async function approved(at: Stage): Promise<{ readonly task: TaskId; readonly packet: Digest | null }> {
  const contract = { goal: 'The limiter answers 429.', integrate, review: { owner: 'lane:audit' as const } };
  const leg = await at.staffetta.begin(contract, { as: ada });
  const { packet } = (await leg.submit({ claims: { summary: 'It does.' } })).state;
  await at.staffetta.review(leg.task, { approve: true, packet }, { as: quinn });
  return { task: leg.task, packet };
}

describe('a need that goes somewhere', () => {
  test('is met when it is integrated, and not when it is approved', async () => {
    const at = stage();
    const { task, packet } = await approved(at);
    const next = await at.staffetta.open({ goal: 'Routes use it.', needs: [task] }, { as: eve });
    expect(next.status).toBe('blocked');
    await at.staffetta.recover();
    await expect(at.staffetta.take({ task: next.task, as: bea })).rejects.toMatchObject({
      code: 'needs-unmet',
    });
    await at.staffetta.integrate(task, { packet, ...made }, { as: sol });
    expect((await at.staffetta.take({ as: bea }))?.task).toBe(next.task);
    expect((await at.staffetta.verify()).faults).toEqual([]);
  });

  test('leaves its dependents waiting while it is sent back', async () => {
    const at = stage();
    const { task, packet } = await approved(at);
    const next = await at.staffetta.open({ goal: 'Routes use it.', needs: [task] }, { as: eve });
    const findings = [{ text: 'src/limit.ts conflicts.' }];
    await at.staffetta.review(task, { approve: false, packet, findings }, { as: sol });
    expect(await standingFindings(at.context, (await load(at.context, task)).state)).toEqual(findings);
    expect((await at.staffetta.show(next.task)).status).toBe('blocked');
  });
});

describe('integrating', () => {
  test('two that say so at once: one is first, and the same request again changes nothing', async () => {
    const at = stage();
    const { task, packet } = await approved(at);
    const said = async (key: string) =>
      await at.staffetta.integrate(task, { packet, ...made }, { as: sol, key }).then(
        ({ seq }) => seq,
        (error: { code: string }) => error.code,
      );
    const both = await Promise.all([said('one'), said('two')]);
    expect(both).toContain('wrong-state');
    const { seq } = await at.staffetta.show(task);
    expect(await said(both[0] === 'wrong-state' ? 'two' : 'one')).toBe(seq);
    expect((await at.staffetta.show(task)).integrated).toMatchObject({ commit: made.commit, by: 'sol' });
  });

  test.each([
    ['no commit', { commit: 'HEAD' }],
    ['no tree', { tree: '' }],
  ])('%s is no fact', async (_what, wrong) => {
    const at = stage();
    const { task, packet } = await approved(at);
    await expect(
      at.staffetta.integrate(task, { packet, ...made, ...wrong }, { as: sol }),
    ).rejects.toMatchObject({ code: 'invalid-input' });
  });

  test.each(['-f', 'a..b', 'a b', '/a', 'a/', 'a.lock', 'a@{1}', '.a', 'a~1', ''])(
    'no contract sends work onto %j',
    async (onto) => {
      const opening = stage().staffetta.open({ goal: 'x', integrate: { onto } }, { as: eve });
      await expect(opening).rejects.toMatchObject({ code: 'invalid-input' });
    },
  );

  test('an export that is approved arrives as a copy, and one that is integrated as itself', async () => {
    const at = stage();
    const { task, packet } = await approved(at);
    const there = stage();
    const pieces = async (): Promise<() => AsyncIterable<Uint8Array>> => {
      const chunks: Uint8Array[] = [];
      for await (const piece of (await at.staffetta.export(task)).pieces) chunks.push(piece);
      return async function* source() {
        yield* chunks;
      };
    };
    await there.staffetta.import(await pieces());
    expect((await there.staffetta.show(task)).status).toBe('elsewhere');
    await at.staffetta.integrate(task, { packet, ...made }, { as: sol });
    await there.staffetta.import(await pieces());
    expect(await there.staffetta.show(task)).toMatchObject({
      status: 'done',
      integrated: { onto: made.onto },
    });
    expect((await there.staffetta.verify()).faults).toEqual([]);
  });
});

test('a phase that waits for a person is told once, and listed until it is approved', async () => {
  const at = stage();
  const phases = [{ name: 'plan', human: true as const }, { name: 'apply' }];
  const leg = await at.staffetta.begin({ goal: 'The plan is applied.', phases }, { as: ada });
  await leg.startPhase('plan');
  await leg.verifyPhase('plan', { because: 'It is written.' });
  const last = (await at.store.catalog.feed(0, 100)).at(-1);
  const why = 'Phase plan waits for a person to approve it.';
  expect(last === undefined ? [] : await alertsOf(at.context, last)).toMatchObject([
    { kind: 'needs-human', why },
  ]);
  expect(await inboxOf(at.context)).toMatchObject([{ kind: 'phase', phase: 'plan', task: leg.task }]);
  await at.staffetta.approvePhase(leg.task, { phase: 'plan' }, { as: eve });
  expect(await inboxOf(at.context)).toEqual([]);
});
