/** A person goes on in another program than the one that an offer asks. */
import { expect, test } from 'vitest';
import { desk } from './programs.ts';

test('the offer is made to that program instead, and that is said and on record', async () => {
  const { run, task, show } = await desk({ to: 'codex' });
  const asked = ['resume', task, '--in', 'gemini-cli'];
  const dry = await run([...asked, '--dry-run', '--json']);
  expect(dry.json).toMatchObject({ leg: `${task}/2`, redirectedFrom: 'runtime:codex' });
  expect(await show()).toMatchObject({ offer: { to: 'runtime:codex' } });
  const ran = await run(asked);
  expect(ran.status).toBe(0);
  expect(ran.stderr).toContain('was offered to runtime:codex: the offer is withdrawn');
  expect(await show()).toMatchObject({ leg: { generation: 2, holder: { name: 'gemini-cli' } } });
  expect((await run(['log', task])).stdout).toContain('goes on with it in gemini-cli.');
});
