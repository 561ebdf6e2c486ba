import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { homeAt } from '../../../test/support/home-at.ts';
import { memoryAddress, urlAddress } from '../../ports/store-address.ts';
import { sqliteAddress } from '../../stores/sqlite/address.ts';
import { promptPath, writeCommand, writePrompt } from '../../desk/launch/launch-files.ts';
import { environmentWith, legSetting } from '../../desk/launch/leg-environment.ts';
import { shellLine } from './launch-words.ts';

const folder = mkdtempSync(join(tmpdir(), "staffetta it's "));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const agent = { name: 'bea', kind: 'agent', runtime: 'codex' } as const;
const store = sqliteAddress('/s/store.db');
const leg = { task: 't4k9', generation: 2, agent, lane: 'audit', store } as const;

test('a line can be pasted, whatever its words are', () => {
  const promptFile = join(folder, 'the prompt');
  writeFileSync(promptFile, 'words');
  const odd = `$HOME "quoted" it's; exit 1`;
  const launch = {
    program: 'sh',
    args: ['-c', 'printf "%s|%s|%s|%s|" "$1" "$SET" "$OUT" "$PWD"; cat', 'sh', odd],
    env: {},
    cwd: folder,
    stdin: 'words',
    session: null,
  };
  const env = { PATH: process.env['PATH'], OUT: 'inherited' };
  const line = shellLine(launch, { SET: odd, OUT: null, NEVER: null }, { env, promptFile, commands: folder });
  expect(line).not.toContain('NEVER');
  expect(execFileSync('sh', ['-c', line], { env, encoding: 'utf8' })).toBe(`${odd}|${odd}||${folder}|words`);
});

test('an agent speaks under its leg, and is not taken for the one that started it', () => {
  const setting = legSetting(leg);
  const env = environmentWith(
    { CLAUDECODE: '1', STAFFETTA_LINEAGE: 'x', KEPT: 'y', PATH: '/usr/bin' },
    setting,
    '/s/bin',
  );
  expect(env).toEqual({
    KEPT: 'y',
    PATH: '/s/bin:/usr/bin',
    STAFFETTA_STORE: '/s/store.db',
    STAFFETTA_AS: 'bea',
    STAFFETTA_LANE: 'audit',
    STAFFETTA_RUNTIME: 'codex',
    STAFFETTA_LEG: 't4k9/2',
  });
  const spawned = legSetting({ ...leg, store: memoryAddress, agent: { ...agent, lineage: ['ada', 'eve'] } });
  expect(spawned).toMatchObject({ STAFFETTA_LINEAGE: 'ada,eve' });
  expect(spawned).not.toHaveProperty('STAFFETTA_STORE');
  const word = 'sesame';
  const secret = urlAddress(`postgres://ada:${word}@db.example/work`);
  expect(JSON.stringify(legSetting({ ...leg, store: secret }))).not.toContain(word);
});

test('a prompt lies beside the store, for its owner alone', () => {
  const path = promptPath(homeAt(join(folder, 'store.db')), 't4k9', 2);
  expect(path).toBe(join(folder, 'prompts', 't4k9-2.md'));
  writePrompt(path, 'words');
  expect([statSync(path).mode & 0o777, statSync(join(path, '..')).mode & 0o777]).toEqual([0o600, 0o700]);
});

test('the command of an agent calls the program it was written for, whatever its path is', () => {
  const commands = join(folder, 'bin');
  const command = join(folder, 'said.cjs');
  writeFileSync(command, 'console.log(process.argv.slice(2).join("|"))');
  writeCommand(commands, { node: process.execPath, command });
  writeCommand(commands, { node: process.execPath, command });
  const said = execFileSync(join(commands, 'staffetta'), ['a b', '$c'], { encoding: 'utf8' });
  expect(said).toBe('a b|$c\n');
});
