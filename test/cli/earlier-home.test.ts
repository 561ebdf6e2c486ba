/** A home that the version before wrote, with a store of the schema before, is used as it lies there: nothing in it is moved or made anew. */
import { cpSync, readdirSync, readFileSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { newWorkplace, staffetta } from './command.ts';

const earlier = join(import.meta.dirname, '..', 'corpus', 'home');

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => statSync(join(folder, name)).isFile())
    .toSorted();
}

test('a home of the version before is used as it is', async () => {
  const cwd = newWorkplace();
  const home = join(cwd, '.staffetta');
  cpSync(earlier, home, { recursive: true });
  const before = filesIn(home);
  const words = statSync(join(home, 'store.db.search')).ino;
  const run = async (...args: readonly string[]) => await staffetta([...args, '--json'], { cwd });

  // Its key is known: a checkpoint that it signed is not taken for another's.
  const verified = await run('verify');
  expect(verified.json).toMatchObject({ faults: [], signatures: { valid: 1, foreign: 0, unsigned: 0 } });
  const [file = ''] = readdirSync(join(earlier, 'store.db.keys'));
  const kept = JSON.parse(readFileSync(join(earlier, 'store.db.keys', file), 'utf8')) as object;
  const { publicKey } = kept as { readonly publicKey: string };
  expect((await run('key', 'show', '--as', 'ada')).json).toMatchObject({ publicKey, retired: [] });
  expect((await run('token', 'list')).json).toMatchObject({ tokens: [{ id: '9f0bda2690c2' }] });
  expect((await run('search', 'ford')).json).toMatchObject({ hits: [{ task: 'ttw9vsaz6hbtm' }, {}] });
  expect((await staffetta(['watch', '--once'], { cwd })).stderr).toContain('switched off here');
  const session = { CLAUDECODE: '1', CLAUDE_CODE_SESSION_ID: '0f3c9a52-6d1e-4b7a-9f55-2f6f0f1d8a01' };
  const speaks = await staffetta(['--json'], { cwd, env: session });
  expect(speaks.json).toMatchObject({ actor: { name: 'claude-code-0f1d8a01', kind: 'agent' } });

  expect(filesIn(home)).toEqual(before);
  expect(statSync(join(home, 'store.db.search')).ino).toBe(words);
  truncateSync(join(home, 'store.db'), 0);
  expect((await run('ls')).stderr).toContain('was not when it was last verified');
});
