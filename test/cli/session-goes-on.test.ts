/** A session goes on after its work was handed over: what is said in it then is neither lost nor taken for something else. */
import { appendFileSync, readFileSync, rmSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { claudePlace, desk, type Desk } from './programs.ts';
import type { Json } from './command.ts';

/** A user says something more in the session that was handed on. */
function says({ home, folder }: Desk, text: string): void {
  const path = claudePlace(home, folder);
  const lines = readFileSync(path, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Json);
  const said = lines.find(({ type }) => type === 'user') ?? {};
  const last = lines.findLast(({ uuid }) => uuid !== undefined) ?? {};
  const message = { role: 'user', content: text };
  const uuid = `77777777-2222-3333-4444-${String(lines.length).padStart(12, '0')}`;
  appendFileSync(
    path,
    `${JSON.stringify({ ...said, parentUuid: last['uuid'], uuid, promptId: uuid, message })}\n`,
  );
}

const more = 'One more thing: never touch the LICENSE file, and the changelog must be in Italian.';

describe('what users said after the packet was sealed', () => {
  test('is told before the work goes on, with the command that hands it on', async () => {
    const place = await desk();
    const { run, task, session } = place;
    says(place, more);
    says(place, 'And be quick.');
    const command = `staffetta handoff --from claude-code:${session} --to codex`;
    const grown = { runtime: 'claude-code', session, messages: 2, first: more, command };
    const shown = await run(['resume', task, '--in', 'codex', '--dry-run']);
    expect(shown.stderr).toContain(`2 messages of a user are not in it, beginning with “${more}”`);
    expect(shown.stderr).toContain(command);
    const ran = await run(['resume', task, '--in', 'codex', '--json']);
    expect(ran).toMatchObject({ status: 0, json: { grown } });
    const prompt = readFileSync(String(ran.json['promptFile']), 'utf8');
    expect(prompt).toMatch(/## Missing\n- what was said last: .* 2 messages of a user are not in here\./);
    expect(prompt).not.toContain('LICENSE');
  });

  test('is told to whoever goes on with the whole history', async () => {
    const place = await desk();
    says(place, more);
    const ran = await place.run(['resume', place.task, '--in', 'codex', '--history', 'full', '--json']);
    expect(ran.json).toMatchObject({ grown: { messages: 1 } });
    expect(readFileSync(String(ran.json['promptFile']), 'utf8')).toContain(
      '1 message of a user is not in here.',
    );
  });

  test('is taken along by the command that was named, while nobody has taken the task', async () => {
    const place = await desk();
    const { run, task, session } = place;
    says(place, more);
    const from = ['handoff', '--from', `claude-code:${session}`, '--to', 'codex'];
    const again = await run([...from, '--trigger', 'usage-limit', '--json']);
    expect(again.json).toMatchObject({ task });
    const ran = await run(['resume', task, '--in', 'codex', '--json']);
    expect(ran.json['grown']).toBeUndefined();
    expect(readFileSync(String(ran.json['promptFile']), 'utf8')).toContain('LICENSE');
  });

  test('has no secrets in it', async () => {
    const place = await desk();
    const secret = `ghp_${'a1B2c3D4e5F6'.repeat(3)}`;
    says(place, `Use ${secret} for the release.`);
    const ran = await place.run(['resume', place.task, '--in', 'codex', '--dry-run', '--json']);
    expect(ran.json).toMatchObject({
      grown: { first: expect.stringContaining('for the release') as unknown },
    });
    expect(ran.stdout + ran.stderr).not.toContain(secret);
  });

  test('is not asked for where the very session goes on', async () => {
    const place = await desk();
    says(place, more);
    const asked = [
      'resume',
      place.task,
      '--in',
      'claude-code',
      '--history',
      'session',
      '--dry-run',
      '--json',
    ];
    expect((await place.run(asked)).json['grown']).toBeUndefined();
  });

  test('keeps nobody from going on where the session is gone, or nothing was said', async () => {
    const place = await desk();
    const same = await place.run(['resume', place.task, '--in', 'codex', '--dry-run', '--json']);
    expect(same.json['grown']).toBeUndefined();
    rmSync(claudePlace(place.home, place.folder));
    const gone = await place.run(['resume', place.task, '--in', 'codex', '--json']);
    expect(gone.status).toBe(0);
    expect(gone.json['grown']).toBeUndefined();
  });
});
