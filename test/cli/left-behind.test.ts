/** What is claimed or left behind against the facts, as the command refuses it, and the mend that it prints. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { staffetta } from './command.ts';
import { asCode, stages } from './stage.ts';

function git(folder: string, ...args: readonly string[]): void {
  const env = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' };
  execFileSync('git', ['-C', folder, ...args], { env });
}

const give = ['--to', 'anyone', '--next', 'nail the boards in fence.txt'] as const;

test('a repository in the workspace is explained with the words that its finding prints', async () => {
  const at = await stages.held();
  writeFileSync(join(at.folder, 'fence.txt'), 'six posts\n');
  mkdirSync(join(at.folder, 'nested'));
  git(join(at.folder, 'nested'), 'init', '-q');
  const handoff = ['handoff', at.task, ...give, ...asCode];
  const refused = await staffetta(handoff, { cwd: at.folder });
  expect(refused.status).toBe(6);
  const mend = /--artefact\s+"([^"]+)"/.exec(refused.stderr)?.[1]?.replace(/\s+/g, ' ');
  expect(mend).toBe('nested: …');
  for (const short of ['nested', 'nested: …']) {
    const again = await staffetta([...handoff, '--artefact', short], { cwd: at.folder });
    expect(again.status, `with ${short}`).toBe(6);
  }
  const why = 'nested: a vendored copy, no part of this';
  const given = await staffetta([...handoff, '--artefact', why], { cwd: at.folder });
  expect(given).toMatchObject({ status: 0, stdout: expect.stringContaining('on offer') });
});

test('a worktree of the same repository inside it holds no handoff up', async () => {
  const at = await stages.held();
  writeFileSync(join(at.folder, 'fence.txt'), 'six posts\n');
  git(at.folder, 'worktree', 'add', '-q', '--detach', 'wt');
  const given = await staffetta(['handoff', at.task, ...give, ...asCode], { cwd: at.folder });
  expect(given).toMatchObject({ status: 0, stdout: expect.stringContaining('on offer') });
});
