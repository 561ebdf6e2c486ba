import { describe, expect, test } from 'vitest';
import { ada, bea, dawn, eve, pia, quinn, stage, worldText } from '../../../test/support/world.ts';
import { readPacket } from '../history/history.ts';
import type { Leg } from './leg.ts';

async function begin(at = stage(), as = ada): Promise<Leg> {
  return await at.staffetta.begin({ goal: 'The fence stands.' }, { as });
}

describe('handing off', () => {
  test('P1: it is one entry: the packet, the end of the leg and the offer, and the receiver is woken', async () => {
    const at = stage();
    const leg = await begin(at);
    const { entry, state } = await leg.handoff({ to: 'agent:bea', why: 'Sawing is done.' });
    expect(entry?.events.map((event) => event.type)).toEqual([
      'checkpoint-sealed',
      'leg-ended',
      'offer-made',
    ]);
    expect(entry).toMatchObject({ seq: 1, generation: 1, by: ada });
    expect(state.offer).toMatchObject({ to: 'agent:bea', by: 'ada', cause: 'handoff', packet: state.packet });
    expect([...at.world.hints.values()]).toMatchObject([{ to: 'agent:bea', task: leg.task, offer: 1 }]);
  });

  test('the next leg is in the lane addressed, else in the one asked for, else in the own', async () => {
    const lanes = [];
    for (const input of [
      { to: 'lane:audit' },
      { to: 'agent:quinn', lane: 'audit' },
      { to: 'agent:quinn' },
      { to: 'anyone' },
    ] as const) {
      const { state } = await (await begin(stage(), pia)).handoff(input);
      lanes.push(state.offer?.lane);
    }
    expect(lanes).toEqual(['audit', 'audit', 'plan', 'plan']);
  });

  test('the packet says to whom, in which lane and what for', async () => {
    const at = stage();
    const { state } = await (await begin(at)).handoff({ to: 'lane:audit', trigger: 'usage-limit' });
    expect(await readPacket(at.context, state.packet ?? 'sha256:')).toMatchObject({
      to: 'lane:audit',
      lane: 'audit',
      trigger: 'usage-limit',
      generation: 1,
      at: dawn,
    });
  });

  test('in an emergency, what the leg said at its last checkpoint is said again, and marked as older', async () => {
    const at = stage();
    const leg = await begin(at);
    const claims = { done: ['the posts'], remaining: ['the boards'], next: 'nail the first board' };
    const { state: before } = await leg.checkpoint({ claims });
    const { state, missing } = await leg.handoff({ to: 'agent:bea', trigger: 'crash' });
    const packet = await readPacket(at.context, state.packet ?? 'sha256:');
    expect(packet.claims).toEqual(claims);
    expect(packet.losses).toMatchObject([{ what: 'newer words' }]);
    expect(missing).toContainEqual(expect.stringContaining(before.packet ?? 'none'));
    expect(missing.join()).not.toContain('did not say');
  });

  test('in an emergency, what another leg said before stays where it is', async () => {
    const at = stage();
    const leg = await begin(at);
    await leg.handoff({ to: 'agent:bea', claims: { next: 'nail the first board' } });
    const second = await at.staffetta.take({ as: bea });
    const handed = await second?.handoff({ to: 'agent:eve', trigger: 'crash' });
    const packet = await readPacket(at.context, handed?.state.packet ?? 'sha256:');
    expect([packet.claims, packet.losses]).toEqual([{}, undefined]);
  });

  test('an offer with an end expires when it says', async () => {
    const { state } = await (await begin()).handoff({ to: 'anyone', expiresMs: 5000 });
    expect(state.offer?.expiresAt).toBe(dawn + 5000);
  });

  test('returning unchanged work is answered with an escalation, and nobody is woken', async () => {
    const at = stage();
    const leg = await begin(at);
    await leg.handoff({ to: 'agent:bea' });
    const second = await at.staffetta.take({ as: bea });
    await second?.acknowledge();
    const returned = await second?.handoff({ to: 'agent:ada' });
    expect(returned?.state).toMatchObject({ status: 'escalated', escalation: { reason: 'bounce' } });
    expect(at.world.hints.size).toBe(0);
  });

  test.each([
    ['nobody', 'lane:wood'],
    ['a name without a kind', 'bea'],
    ['an empty name', 'agent:'],
  ])('a handoff to %s is refused and nothing is written', async (_what, to) => {
    const at = stage();
    const leg = await begin(at);
    const before = worldText(at.world);
    const handing = leg.handoff({ to: to as 'anyone', transcript: 'x' });
    await expect(handing).rejects.toMatchObject({ code: 'invalid-input' });
    expect(worldText(at.world)).toBe(before);
  });

  test('a refused handoff leaves the task with its giver', async () => {
    const at = stage();
    const { task } = await at.staffetta.open({ goal: 'x' }, { as: eve });
    const leg = await at.staffetta.take({ task, as: bea });
    await expect(leg?.handoff({ to: 'lane:audit' })).rejects.toMatchObject({ code: 'not-acknowledged' });
    expect((await leg?.state())?.leg?.holder.name).toBe('bea');
  });
});

describe('withdrawing', () => {
  test('the giver carries on under a new generation, with a lease of its own, and the receiver is no longer woken', async () => {
    const at = stage();
    const leg = await begin(at);
    await leg.handoff({ to: 'agent:bea' });
    const view = await at.staffetta.withdraw(leg.task, { why: 'I can do it.', leaseMs: 9000 }, { as: ada });
    expect(view).toMatchObject({ status: 'held', generation: 2, leaseUntil: dawn + 9000 });
    expect(at.world.hints.size).toBe(0);
    await expect(leg.note('x')).rejects.toMatchObject({ code: 'stale-generation' });
    const again = await at.staffetta.leg(leg.task, { as: ada });
    await again.complete();
  });

  test('what somebody has taken meanwhile cannot be withdrawn', async () => {
    const at = stage();
    const leg = await begin(at);
    await leg.handoff({ to: 'agent:bea' });
    await at.staffetta.take({ as: bea });
    await expect(at.staffetta.withdraw(leg.task, {}, { as: ada })).rejects.toMatchObject({
      code: 'wrong-state',
    });
  });
});

test('a whole relay: research, code, review, rework, approval', async () => {
  const at = stage();
  const { staffetta } = at;
  const { task } = await staffetta.open(
    { goal: 'The fence stands.', review: { owner: 'lane:audit' } },
    { as: eve, to: 'lane:plan' },
  );
  const research = await staffetta.take({ as: pia });
  await research?.acknowledge();
  await research?.decide('Oak.');
  await research?.handoff({ to: 'lane:execute', claims: { next: 'Saw.' }, transcript: 'research\n' });
  const code = await staffetta.take({ as: ada });
  expect(code?.received?.claims.next).toBe('Saw.');
  await code?.acknowledge();
  const first = await code?.submit({ transcript: 'code\n' });
  const packet = first?.state.packet ?? null;
  await staffetta.review(task, { approve: false, packet, findings: [{ text: 'A gap.' }] }, { as: quinn });
  const rework = await staffetta.take({ as: ada });
  await rework?.acknowledge();
  const second = await rework?.submit({ transcript: 'rework\n' });
  await expect(staffetta.review(task, { approve: true, packet }, { as: quinn })).rejects.toMatchObject({
    code: 'review-stale',
  });
  const view = await staffetta.review(
    task,
    { approve: true, packet: second?.state.packet ?? null },
    { as: quinn },
  );
  expect(view.status).toBe('done');
  const words = [];
  for await (const item of staffetta.history(task)) if (item.kind === 'transcript') words.push(...item.bytes);
  expect(Buffer.from(words).toString()).toBe('research\ncode\nrework\n');
  expect((await staffetta.verify()).faults).toEqual([]);
});
