/** What no coding agent wrote, messages of an SDK, goes the whole way: into a packet, and from there into a program. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { newFolder, newWorkplace, staffetta, type Json, type Ran } from './command.ts';
import { programs } from './programs.ts';

const fixtures = join(import.meta.dirname, '../transcript/fixtures');

test.each([
  ['ai-sdk/model-messages.json', 'List the files.', 'no such folder'],
  ['ai-sdk/ui-messages.json', 'Why does the test fail?', 'Not before the review.'],
  ['openai-agents/items.json', 'Is the port free?', 'LISTEN 8080'],
  ['langchain/to-dict.json', 'Order tea.', 'sold out'],
] as const)('%s is handed over and gone on with, whole', async (file, asked, result) => {
  const home = newFolder();
  const folder = newWorkplace();
  const bin = join(home, 'bin');
  mkdirSync(bin);
  const [name, version] = programs.codex;
  writeFileSync(join(bin, name), `#!/bin/sh\necho ${version}\n`, { mode: 0o755 });
  const env = { HOME: home, PATH: `${bin}:${process.env['PATH'] ?? ''}` };
  const run = async (...args: readonly string[]): Promise<Ran> => await staffetta(args, { cwd: folder, env });
  const opened = await run('open', 'Mend the clock', '--take', '--as', 'sdk', '--json');
  const task = String(opened.json['task']);
  const transcript = ['--transcript', join(fixtures, file), '--next', 'go on'];
  const handed = await run(
    'handoff',
    task,
    '--as',
    'sdk',
    '--to',
    'codex',
    '--trigger',
    'usage-limit',
    ...transcript,
  );
  expect([handed.status, handed.stderr]).toEqual([0, expect.any(String)]);
  const told = await run('history', task, '--format', 'json');
  const { steps } = told.json as { steps: Json[] };
  const first = steps.find(({ source }) => source === 'user');
  expect(first?.['text']).toContain(asked);
  const ran = await run('resume', task, '--in', 'codex', '--history', 'full', '--json');
  expect(ran.status).toBe(0);
  const id = String(ran.json['session']);
  const listed = await run('sessions', '--json');
  const { sessions } = listed.json as { sessions: { id: string; path: string }[] };
  const written = readFileSync(sessions.find((one) => one.id === id)?.path ?? '', 'utf8');
  for (const words of [String(first?.['text']), result])
    expect(written).toContain(JSON.stringify(words).slice(1, -1));
});
