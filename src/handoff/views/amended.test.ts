import { expect, test } from 'vitest';
import { ada, eve, sol, stage } from '../../../test/support/world.ts';
import { amend, amendmentOf, type Amendment } from '../verbs/amend.ts';
import { amendedOf } from './amended.ts';
import { load } from '../record/load.ts';

const fence = { goal: 'The fence stands.', acceptance: ['It is straight.'], review: { human: true } };

function more(acceptance: string[], why: string): Amendment {
  return amendmentOf({ acceptance }, why);
}

test('what was agreed after a submission is told with who, why and what is new', async () => {
  const at = stage();
  const leg = await at.staffetta.begin(fence, { as: ada });
  await amend(at.context, leg.task, amendmentOf({ constraints: ['Use oak.'] }, 'before'), { by: eve });
  await leg.submit({ claims: { summary: 'It stands.' } });
  const { state: submitted } = await load(at.context, leg.task);
  expect(await amendedOf(at.context, submitted)).toBeNull();
  await amend(at.context, leg.task, more(['It is straight.', 'Green.'], 'paint'), { by: eve });
  await amend(at.context, leg.task, more(['It is straight.', 'Green.', 'Dry.'], 'rain'), { by: sol });
  const { state } = await load(at.context, leg.task);
  expect(await amendedOf(at.context, state)).toEqual({
    from: submitted.contract,
    amendments: [
      { seq: expect.any(Number), at: expect.any(Number), by: 'eve', why: 'paint' },
      { seq: expect.any(Number), at: expect.any(Number), by: 'sol', why: 'rain' },
    ],
    changes: [{ part: 'acceptance', added: ['Green.', 'Dry.'], removed: [] }],
  });
});

test('an amendment of what nobody submitted is none of a submission', async () => {
  const at = stage();
  const leg = await at.staffetta.begin(fence, { as: ada });
  await amend(at.context, leg.task, amendmentOf({ acceptance: ['Green.'] }, 'paint'), { by: eve });
  expect(await amendedOf(at.context, (await load(at.context, leg.task)).state)).toBeNull();
});
