import { expect, test } from 'vitest';
import { ada, bea, eve, stage } from '../../../test/support/world.ts';
import { reassign } from './direct.ts';
import { load } from '../record/load.ts';
import { open } from './open.ts';
import { accept } from './take.ts';

const codex = { ...bea, runtime: 'codex' };

test('a task is moved from where it was seen alone: an agent that took its offer since keeps it', async () => {
  const { context } = stage();
  const { state: seen } = await open(
    context,
    { goal: 'Fence the garden' },
    { to: 'runtime:codex', lane: 'execute' },
    { by: ada },
  );
  await accept(context, seen.task, {}, { by: codex });
  const move = { to: 'runtime:gemini-cli', why: 'I go on elsewhere.' } as const;
  await expect(reassign(context, seen, move, { by: eve })).rejects.toMatchObject({ code: 'wrong-state' });
  expect((await load(context, seen.task)).state).toMatchObject({ leg: { holder: { name: 'bea' } } });
  // Named by its id it is moved from wherever it is.
  await reassign(context, seen.task, move, { by: eve });
  expect((await load(context, seen.task)).state).toMatchObject({ offer: { to: 'runtime:gemini-cli' } });
});
