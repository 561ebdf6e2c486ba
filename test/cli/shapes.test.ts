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
  const opened = await run('open', 'Mend the clock', '--review', 'human', '--take', '--as', 'sdk', '--json');
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
  // Nobody here captured it: what a user says in it is told as data, with its source.
  expect(steps.some(({ source }) => source === 'user')).toBe(false);
  const first = steps.find(({ text }) => String(text).includes(asked));
  expect(first).toMatchObject({ source: 'system', text: expect.stringContaining('that sdk handed in') });
  const ran = await run('resume', '--take', task, '--in', 'codex', '--history', 'full', '--json');
  expect(ran.status).toBe(0);
  const id = String(ran.json['session']);
  const listed = await run('sessions', '--json');
  const { sessions } = listed.json as { sessions: { id: string; path: string }[] };
  const written = readFileSync(sessions.find((one) => one.id === id)?.path ?? '', 'utf8');
  for (const words of [String(first?.['text']), result])
    expect(written).toContain(JSON.stringify(words).slice(1, -1));
});

test('every message has a name, and each place tells the same of it', async () => {
  const folder = newWorkplace();
  const run = async (...args: readonly string[]): Promise<Ran> => await staffetta(args, { cwd: folder });
  const opened = await run('open', 'Mend the clock', '--review', 'human', '--take', '--as', 'sdk', '--json');
  const task = String(opened.json['task']);
  const messages = Array.from({ length: 200 }, (_, i) => ({
    role: i % 2 === 0 ? 'user' : 'assistant',
    content: i === 148 ? 'Never touch the pendulum.' : `words ${i + 1}`,
  }));
  const given = join(folder, 'messages.json');
  writeFileSync(given, JSON.stringify(messages.slice(0, 150), undefined, 2));
  await run('checkpoint', task, '--as', 'sdk', '--transcript', given);
  writeFileSync(given, messages.map((message) => JSON.stringify(message)).join('\n'));
  await run('checkpoint', task, '--as', 'sdk', '--transcript', given);
  const { steps } = (await run('history', task, '--format', 'json')).json as { steps: Json[] };
  expect(steps.map(({ name }) => name)).toEqual(messages.map((_, i) => `s${i + 1}`));
  const { steps: atif } = (await run('history', task, '--format', 'atif')).json as { steps: Json[] };
  expect(atif[149]).toMatchObject({ message: 'words 150', extra: { staffetta: { name: 's150' } } });
  expect((await run('history', task)).stdout.match(/^### s\d+ /gm)).toHaveLength(200);
  const shown = await run('show', task, 's150');
  expect(shown.stdout).toContain('words 150');
  expect(shown.stdout).not.toContain('words 151');
  const unknown = await run('show', task, 's9999');
  expect(unknown).toMatchObject({ status: 3, stdout: '' });
  expect(unknown.stderr).toContain('There are s1 to s200.');
  expect((await run('brief', task, '--budget', '4000')).stdout).toMatch(
    /Never touch the pendulum\..*\[s149\]/,
  );
  expect((await run('show', task, '--packet', 'latest')).stdout).toContain(
    '200 messages of ai-sdk: 50 records after 150, s151 to s200',
  );
});
