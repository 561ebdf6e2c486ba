import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Step, Transcript } from '../../../core/transcript/step.ts';
import { mapped } from '../../claude-code/tools.ts';
import { capture } from '../capture.ts';
import { nativeCall } from '../tools.ts';
import { write } from '../write.ts';
import { read } from './read.ts';

const fixtures = join(import.meta.dirname, '../../../../test/runtimes/fixtures/cline');
let home = '';
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'staffetta-cline-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

async function readAt(path: string, id: string): Promise<Transcript> {
  const records: Uint8Array[] = [];
  for await (const record of (await capture({ runtime: 'cline', id, path })).records) records.push(record);
  return read(records);
}

async function session(name: string): Promise<Transcript> {
  const file = readdirSync(join(fixtures, name)).find((one) => /^\d.*\.messages\.json$/.test(one)) ?? '';
  const id = file.replace('.messages.json', '');
  cpSync(join(fixtures, name), join(home, id), { recursive: true });
  return await readAt(join(home, id, file), id);
}

function outline({ id, source, text, mark, calls = [], results = [] }: Step): string {
  const how = results.map(({ failed }) => (failed ? 'failed' : 'ran'));
  const said = [mark, ...calls.map(({ tool }) => tool), ...how].filter((one) => one !== undefined);
  return `s${id} ${source}: ${text.slice(0, 30)}${said.length === 0 ? '' : ` | ${said.join(' ')}`}`;
}

test.each([
  [
    'file-edit',
    [
      's1 user: Write notes.txt, and change it',
      's2 agent: I write it. | editor ran',
      's3 agent: I change it. | editor ran',
      's4 agent: I test it. | run_commands failed',
      's5 agent: It is changed.',
    ],
  ],
  ['crash-mid-tool', ['s1 user: Wait for a minute.', 's2 agent: I wait. | run_commands']],
  [
    'usage-limit',
    [
      's1 user: Hit the limit.',
      's2 agent: I begin. | run_commands ran',
      's3 system: Insufficient credits. | usage-limit',
    ],
  ],
])('%s says what happened', async (name, steps) => {
  expect((await session(name)).steps.map(outline)).toEqual(steps);
});

test('what lies beside the conversation says where it was, and by whom', async () => {
  expect((await session('basic')).facts).toMatchObject({
    session: '1795125920475_cpoi3',
    folder: '/home/dev/demo',
    version: '3.0.65',
    title: 'Please list the files.',
    startedAt: 1795125920481,
  });
});

test('results that look like the program’s own records come back as they were', async () => {
  const [user, agent] = (await session('basic')).steps;
  const text = '{"success":false,"result":"not what it says"}';
  const steps = [
    user,
    { ...agent, results: agent?.results?.map((one) => ({ ...one, text, failed: false })) },
  ];
  const transcript = { ...(await session('basic')), steps: steps as Step[] };
  const options = { folder: home, into: home, now: 1, random: (count: number) => new Uint8Array(count) };
  const { place } = await write({ HOME: home }, transcript, options);
  const back = await readAt(place.path, place.id);
  expect(back.steps[1]?.results).toMatchObject([{ text, failed: false }]);
  await expect(write({ HOME: home }, transcript, options)).rejects.toThrow('cannot be written');
  expect((await readAt(place.path, place.id)).steps).toHaveLength(2);
});

test('a command of another program is one of a list here, and a list is a command there', () => {
  const call = { id: 'c', tool: 'Bash', args: { command: 'ls -a', description: 'Lists' } };
  expect(nativeCall('claude-code', call)).toEqual({
    tool: 'run_commands',
    args: { commands: ['ls -a'] },
    dropped: 1,
  });
  const several = { id: 'c', tool: 'run_commands', args: { commands: ['cd a', 'ls "b c"'] } };
  expect(mapped(several, 'cline')).toMatchObject({ tool: 'Bash', args: { command: 'cd a\nls "b c"' } });
});
