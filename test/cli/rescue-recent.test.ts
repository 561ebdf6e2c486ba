/** What rescue does with sessions that changed just now. */
import { expect, test } from 'vitest';
import { newFolder, newWorkplace, staffetta, type Ran } from './command.ts';
import { claudePlace, put, session, sessionText } from './programs.ts';

function left(fixture: string): (...args: readonly string[]) => Promise<Ran> {
  const home = newFolder();
  const folder = newWorkplace();
  put(claudePlace(home, folder), sessionText(fixture, folder));
  return async (...args) => await staffetta(args, { cwd: folder, env: { HOME: home } });
}

test('takes a session at once that a limit stopped', async () => {
  const run = left('usage-limit.jsonl');
  expect((await run('rescue', '--json')).json).toMatchObject({
    rescued: [{ outcome: 'rescued', trigger: 'usage-limit' }],
    recent: 0,
  });
});

test('says of others that they may be at work, and takes one that is named', async () => {
  const run = left('crash-mid-tool.jsonl');
  const ran = await run('rescue');
  expect(ran).toMatchObject({ status: 0, stdout: '' });
  expect(ran.stderr).toContain('1 session changed less than 10m ago and may be at work still');
  expect((await run('rescue', session, '--json')).json).toMatchObject({
    rescued: [{ outcome: 'rescued', trigger: 'crash' }],
  });
});

test('several at once all say that it is safe', async () => {
  const run = left('usage-limit.jsonl');
  const ran = await Promise.all([1, 2, 3].map(async () => await run('rescue', '--json')));
  expect(ran.map(({ status }) => status)).toEqual([0, 0, 0]);
  const outcomes = ran.flatMap(({ json }) =>
    (json['rescued'] as { outcome: string }[]).map(({ outcome }) => outcome),
  );
  expect(new Set(outcomes)).toEqual(new Set(['rescued', 'already']));
});
