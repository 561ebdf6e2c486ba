import { describe, expect, test } from 'vitest';
import { ada, eve } from '../support/world.ts';
import { fence, newHouse } from './house.ts';

describe('to whom', () => {
  test.each([
    ['codex', 'runtime:codex'],
    ['audit', 'lane:audit'],
    ['bea', 'agent:bea'],
    ['anyone', 'anyone'],
    ['agent:codex', 'agent:codex'],
  ])('%s is %s, as the command has it', async (to, meant) => {
    const house = newHouse();
    const { task } = await house.at.staffetta.begin(fence, { as: ada });
    const { json } = await house.post(`/api/tasks/${task}/reassign`, await house.token(eve), {
      why: 'x',
      to,
    });
    expect(json).toMatchObject({ offeredTo: meant, twin: `staffetta reassign ${task} --to ${to} --why x` });
  });

  test.each([
    ['excute', /Did you mean execute/, /agent:excute/],
    ['human', /is a word for a person/, /staffetta escalate/],
    ['runtime:codx', /not a runtime that is known/, /runtime:codex/],
    ['group:all', /no address/, /agent:NAME/],
  ])('%s is refused with what was meant, and nothing changes', async (to, detail, hint) => {
    const house = newHouse();
    const token = await house.token(eve);
    const leg = await house.at.staffetta.begin(fence, { as: ada });
    const refused = { status: 400, code: 'invalid-input', detail: expect.stringMatching(detail) };
    const asked = async (change: string): Promise<unknown> =>
      (await house.post(`/api/tasks/${leg.task}/${change}`, token, { why: 'x', to })).json;
    expect(await asked('reassign')).toMatchObject({ ...refused, hint: expect.stringMatching(hint) });
    await expect(leg.note('still mine')).resolves.toBeUndefined();
    await house.post(`/api/tasks/${leg.task}/escalate`, token, { why: 'who?' });
    expect(await asked('redrive')).toMatchObject(refused);
  });
});

test('a message about more time says until when', async () => {
  const house = newHouse();
  const leg = await house.at.staffetta.begin(fence, { as: ada });
  const asked = { leaseMs: 600_000, why: 'the wood is late' };
  await house.post(`/api/tasks/${leg.task}/extend`, await house.token(eve), asked);
  const until = new Date(house.at.clock.now() + 600_000).toISOString().replace(/\.\d+Z$/, 'Z');
  expect((await leg.messages())[0]?.text).toBe(`The lease now lasts until ${until}: the wood is late`);
});
