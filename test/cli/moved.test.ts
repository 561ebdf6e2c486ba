/** A workspace that was moved: Claude Code goes on with a session where it kept it before. */
import { renameSync } from 'node:fs';
import { expect, test } from 'vitest';
import { desk, session } from './programs.ts';

/** Lets a fake Claude Code add to the only session that it has, wherever that is kept. */
const goesOn = `
const { appendFileSync, readdirSync } = require('node:fs');
const projects = join(process.env.HOME, '.claude/projects');
const own = '${session}';
const said = (type, uuid, parentUuid, content) => ({ type, uuid, parentUuid, sessionId: own, cwd: process.cwd(), version: '2.1.325', timestamp: '2026-11-15T19:00:00.000Z', message: { role: type, content } });
for (const record of [
  said('user', 'n1', null, stdin),
  said('assistant', 'n2', 'n1', [{ type: 'text', text: 'I went on.' }]),
]) appendFileSync(join(projects, readdirSync(projects)[0], own + '.jsonl'), JSON.stringify(record) + '\\n');
`;

test('the session that went on in a moved workspace is captured, and listed there', async () => {
  const { run, task, folder } = await desk({ does: goesOn });
  const cwd = `${folder}-moved`;
  renameSync(folder, cwd);
  const args = ['resume', task, '--in', 'claude-code', '--history', 'session', '--launch', '--json'];
  const ran = await run(args, { cwd });
  expect(ran.json).toMatchObject({ captured: { outcome: 'captured', session } });
  const listed = await run(['sessions', '--json'], { cwd });
  expect(listed.json).toMatchObject({ sessions: [{ id: session, lastMessage: 'I went on.' }] });
});
