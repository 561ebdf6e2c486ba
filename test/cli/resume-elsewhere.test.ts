/** Work goes on where the workspace is not the one that it was left in: the next agent is told, and how to bring it back. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { newWorkplace } from './command.ts';
import { claudePlace, desk, put, sessionText } from './programs.ts';

test('another version and another workspace are said, and nothing is refused', async () => {
  const { run, task, folder } = await desk({ version: '99.0.0' });
  writeFileSync(join(folder, 'fence.txt'), 'another post\n');
  const ran = await run(['resume', '--take', task, '--in', 'codex']);
  expect(ran.status).toBe(0);
  expect(ran.stdout).toContain('Not proven with version 99.0.0 of codex, only with 0.166.0.');
  expect(ran.stdout).toContain('is not as the latest packet left it.');
  expect(ran.stdout).toContain(`→ Bring it back first: staffetta restore ${task}`);
  const prompts = join(folder, '.staffetta/prompts');
  const [prompt = ''] = readdirSync(prompts);
  expect(readFileSync(join(prompts, prompt), 'utf8')).toMatch(
    /the workspace as it was: .* is not as the latest packet left it\..*staffetta restore/,
  );
});

test('a workspace that is not the one it was needs consent as well', async () => {
  const { run, task, folder } = await desk();
  writeFileSync(join(folder, 'fence.txt'), 'another post\n');
  const args = ['resume', '--take', task, '--in', 'codex', '--history', 'full'];
  const refused = await run(args);
  expect(refused.status).toBe(5);
  expect(refused.stderr).toContain('is not as the latest packet left it');
  expect(refused.stderr).toContain(`staffetta restore ${task}`);
  expect(refused.stderr).toContain('--unproven');
  expect((await run([...args, '--unproven'])).status).toBe(0);
});

test('a session of another folder is not handed over from here, with the way there; of one that is gone, this is taken for it', async () => {
  const { run, session, home, folder } = await desk();
  const other = newWorkplace();
  const hand = ['handoff', '--from', session, '--to', 'codex', '--trigger', 'usage-limit', '--json'];
  const refused = await run(hand, { cwd: other });
  expect(refused).toMatchObject({ status: 5, json: { error: { code: 'workspace-moved' } } });
  expect(refused.stderr).toContain(`cd ${folder} && staffetta handoff --from claude-code:${session}`);
  expect((await run([...hand], { cwd: folder })).status).toBe(0);
  mkdirSync(join(folder, 'src'));
  expect((await run(hand, { cwd: join(folder, 'src') })).status).toBe(0);

  const gone = join(home, 'gone');
  const id = session.replace('2', '3');
  put(claudePlace(home, gone, id), sessionText('basic.jsonl', gone).replaceAll(session, id));
  const moved = await run(['handoff', '--from', id, '--to', 'codex', '--trigger', 'crash'], { cwd: other });
  expect(moved.status).toBe(0);
  expect(moved.stderr).toContain(
    `The session worked in ${gone}, which is not there; ${other} is taken for it.`,
  );
});
