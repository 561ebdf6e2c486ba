/** How often one event of a coding agent opens the store and writes its record: written down by the modules that do. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { newFolder, newWorkplace, staffetta } from '../cli/command.ts';
import { asAgent, recordIn, tell } from './event.ts';

const session = '11111111-2222-3333-4444-555555555555';
const at = { session_id: session, source: 'startup', transcript_path: null };

const aside = newFolder();
const log = join(aside, 'opened');
const witness = join(aside, 'witness.cjs');
writeFileSync(
  witness,
  `const fs = require('node:fs');
const { appendFileSync, renameSync } = fs;
fs.renameSync = (from, to) => {
  renameSync(from, to);
  appendFileSync(${JSON.stringify(log)}, \`\${to}\\n\`);
};
const sqlite = require('node:sqlite');
sqlite.DatabaseSync = class extends sqlite.DatabaseSync {
  constructor(path, ...rest) {
    super(path, ...rest);
    appendFileSync(${JSON.stringify(log)}, \`\${path}\\n\`);
  }
};
require('node:module').syncBuiltinESMExports();
`,
);

test('a call of a tool that takes, renews and notes opens the store once', async () => {
  const folder = newWorkplace();
  await staffetta(['init'], { cwd: folder });
  await tell(['claude-code', 'SessionStart'], at, { folder });
  await asAgent(folder, session, 'open', 'A fence', '--take');
  const used = { ...at, tool_name: 'Bash', tool_input: { command: 'staffetta open "A fence" --take' } };
  await tell(['claude-code', 'PostToolUse'], used, { folder });
  const hooks = join(folder, '.staffetta', 'hooks');
  const leg = recordIn(folder)['leg'] as { renewedAt: number };
  expect(leg).not.toBeNull();
  // The lease is due to be renewed, and the agent has written a note.
  const name = `session-claude-code-${session}.json`;
  const record = JSON.stringify({ ...recordIn(folder), leg: { ...leg, renewedAt: 0 } });
  writeFileSync(join(hooks, name), record);
  writeFileSync(join(folder, '.staffetta', 'notes.md'), '- the posts are in\n');
  writeFileSync(log, '');
  const env = { NODE_OPTIONS: `--require=${witness}` };
  await tell(['claude-code', 'PostToolUse'], used, { folder, env });
  const opened = readFileSync(log, 'utf8').trim().split('\n');
  expect(opened.filter((path) => path.endsWith('store.db'))).toHaveLength(1);
  const { stdout } = await staffetta(['log'], {
    cwd: folder,
    env: { CLAUDECODE: '1', CLAUDE_CODE_SESSION_ID: session, HOME: folder },
  });
  expect(stdout).toContain('the posts are in');
  expect((recordIn(folder)['leg'] as { renewedAt: number }).renewedAt).toBeGreaterThan(0);
});

test('a call of a tool that notes writes the record of its session once', async () => {
  const folder = newWorkplace();
  await staffetta(['init'], { cwd: folder });
  await tell(['claude-code', 'SessionStart'], at, { folder });
  await asAgent(folder, session, 'open', 'A fence', '--take');
  const used = { ...at, tool_name: 'Bash', tool_input: { command: 'staffetta open "A fence" --take' } };
  await tell(['claude-code', 'PostToolUse'], used, { folder });
  writeFileSync(join(folder, '.staffetta', 'notes.md'), '- the posts are in\n');
  writeFileSync(log, '');
  const env = { NODE_OPTIONS: `--require=${witness}` };
  await tell(['claude-code', 'PostToolUse'], { ...at, tool_name: 'Edit' }, { folder, env });
  const written = readFileSync(log, 'utf8').trim().split('\n');
  expect(written.filter((path) => path.endsWith('notes.json'))).toHaveLength(1);
  expect(written.filter((path) => path.endsWith(`session-claude-code-${session}.json`))).toHaveLength(1);
});
