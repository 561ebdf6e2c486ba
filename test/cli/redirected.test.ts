/** A person goes on in another program than the one that an offer asks. */
import { expect, test } from 'vitest';
import { desk } from './programs.ts';

test('the offer is made to that program instead, and that is said and on record', async () => {
  const { run, task, show } = await desk({ to: 'codex' });
  const asked = ['resume', '--take', task, '--in', 'gemini-cli'];
  const dry = await run([...asked, '--dry-run', '--json']);
  expect(dry.json).toMatchObject({ leg: `${task}/2`, redirectedFrom: 'runtime:codex' });
  expect(await show()).toMatchObject({ offer: { to: 'runtime:codex' } });
  const ran = await run(asked);
  expect(ran.status).toBe(0);
  expect(ran.stderr).toContain('was offered to runtime:codex: the offer is withdrawn');
  expect(await show()).toMatchObject({ leg: { generation: 2, holder: { name: 'gemini-cli' } } });
  expect((await run(['log', task])).stdout).toContain('goes on with it in gemini-cli.');
});

test('of two who go on at once one has it, and the other is told who', async () => {
  const { run, task, show } = await desk({ to: 'codex' });
  const ran = await Promise.all(
    ['codex', 'gemini-cli'].map(
      async (name) => await run(['resume', '--take', task, '--in', name, '--json']),
    ),
  );
  const refused = ran.filter(({ status }) => status !== 0);
  expect(refused).toHaveLength(1);
  expect(refused[0]?.json).toHaveProperty('error');
  expect(await show()).toMatchObject({ status: 'held', generation: 2, leg: { generation: 2 } });
});
