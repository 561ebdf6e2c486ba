/** A session worked in a folder of the repository: what goes on from it goes on there, in this clone and in another. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { newFolder, newWorkplace, staffetta, type Json } from './command.ts';
import { desk, leavesGemini, type Desk } from './programs.ts';

const agreed = [
  ['--goal', 'x.txt says hello'],
  ['--accept', 'node t.cjs passes'],
  ['--non-goal', 'docs'],
  ['--validate', 'unit: node t.cjs'],
  ['--review', 'human'],
  ['--next', 'write README.txt'],
  ['--artefact', 'fence.txt'],
  ['--kind', 'code'],
  ['--trigger', 'user'],
].flat();

async function worked(handed: readonly string[] = agreed): Promise<Desk & { readonly within: string }> {
  const place = await desk({ within: 'pkg/a', handed });
  const within = join(place.folder, 'pkg/a');
  writeFileSync(join(within, 't.cjs'), 'process.exit(0);');
  return { ...place, within };
}

function promptIn(json: Json): string {
  return readFileSync(String(json['promptFile']), 'utf8');
}

const words = 'Worked in pkg/a: relative paths and commands are from there';

describe('work that was done in a folder of the workspace', () => {
  test.each(['briefing', 'full'])('goes on there, and the successor is told: %s', async (way) => {
    const { run, task, within, show, started } = await worked();
    expect(await show()).toMatchObject({ packet: { facts: { folder: 'pkg/a' } } });
    const ran = await run([
      'resume',
      '--take',
      task,
      '--in',
      'gemini-cli',
      '--history',
      way,
      '--unproven',
      '--json',
    ]);
    expect(ran.status).toBe(0);
    const { terminal, headless } = ran.json['commands'] as Record<string, string>;
    expect([terminal, headless]).toEqual([
      expect.stringMatching(`^cd ${within} && `),
      expect.stringMatching(`^cd ${within} && `),
    ]);
    expect(promptIn(ran.json)).toContain(words);
    if (way === 'full') return;
    execFileSync('sh', ['-c', headless ?? ''], { env: { PATH: process.env['PATH'] ?? '' } });
    expect(started()).toMatchObject({ cwd: within });
  });

  test('is started there, and the session that came of it is found there', async () => {
    const { run, task, folder, show, started } = await desk({ within: 'pkg/a', does: leavesGemini });
    const ran = await run(['resume', task, '--in', 'gemini-cli', '--launch', '--json']);
    expect(ran.json).toMatchObject({ captured: { outcome: 'captured' } });
    expect(started()).toMatchObject({ cwd: join(folder, 'pkg/a') });
    expect(await show()).toMatchObject({
      packet: { facts: { folder: 'pkg/a', session: { runtime: 'gemini-cli' } } },
    });
  });

  test('is told in HANDOFF.md, and by packets that come after it without a session', async () => {
    const { run, task, show } = await worked();
    expect((await run(['brief', task])).stdout).toContain(words);
    await run(['take', task, '--as', 'bob', '--runtime', 'codex']);
    const sealed = await run(['checkpoint', task, '--as', 'bob', '--done', 'half of it', '--json']);
    expect(sealed.status).toBe(0);
    expect(await show()).toMatchObject({ packet: { from: { name: 'bob' }, facts: { folder: 'pkg/a' } } });
  });

  test.each(['gone', 'a link'])(
    'goes on in the root where that folder is %s, and it is said',
    async (what) => {
      const { run, task, within, folder } = await worked();
      rmSync(within, { recursive: true });
      if (what === 'a link') symlinkSync(newFolder(), within);
      const ran = await run(['resume', '--take', task, '--in', 'codex', '--json']);
      expect((ran.json['commands'] as Json)['terminal']).toMatch(`cd ${folder} && `);
      expect(ran.json['checks']).toContainEqual(
        expect.objectContaining({
          text: expect.stringContaining('The folder pkg/a, which it worked in, is gone'),
        }),
      );
    },
  );

  test('has its commands run there, wherever they are run from', async () => {
    const { run, task, within, show } = await worked();
    expect(await show()).toMatchObject({
      contract: { validation: [{ run: ['cd pkg/a && node t.cjs'], shell: true, name: 'unit' }] },
    });
    await run(['take', task, '--as', 'bob', '--runtime', 'codex']);
    const root = await run(['validate', task, '--as', 'bob', '--json']);
    expect(root).toMatchObject({ status: 0, json: { passed: true } });
    const there = await run(['validate', task, 'unit', '--as', 'bob', '--json'], { cwd: within });
    expect(there).toMatchObject({ status: 0, json: { passed: true } });
  });

  test('goes on in the same folder of another clone', async () => {
    const { run, task, folder, home } = await worked();
    const other = join(newFolder(), 'clone');
    execFileSync('git', ['clone', '-q', folder, other]);
    mkdirSync(join(other, 'pkg/a'), { recursive: true });
    writeFileSync(join(other, 'pkg/a/t.cjs'), 'process.exit(0);');
    const env = { STAFFETTA_STORE: join(folder, '.staffetta/store.db'), HOME: home };
    const ran = await run(['resume', '--take', task, '--in', 'codex', '--json'], { cwd: other, env });
    expect((ran.json['commands'] as Json)['terminal']).toMatch(`cd ${join(other, 'pkg/a')} && `);
    const proven = await run(['validate', task, '--as', 'codex', '--json'], { cwd: other, env });
    expect(proven).toMatchObject({ status: 0, json: { passed: true } });
  });
});

describe('a command that is typed in a folder of the workspace', () => {
  test.each([
    ['open', '--validate', 'unit: node t.cjs', 'cd pkg/a && node t.cjs'],
    ['open', '--validate-shell', 'node t.cjs || false', 'cd pkg/a && (node t.cjs || false)'],
  ])('%s %s is meant there, and stands in the contract as it runs from the root', async (...given) => {
    const [verb, option, words, line] = given;
    const folder = newWorkplace();
    const within = join(folder, 'pkg/a');
    mkdirSync(within, { recursive: true });
    writeFileSync(join(within, 't.cjs'), 'process.exit(0);');
    const opened = await staffetta([verb, 'x.txt says hello', option, words, '--json'], { cwd: within });
    const task = String(opened.json['task']);
    const { contract } = (await staffetta(['show', task, '--json'], { cwd: folder })).json as {
      contract: { validation: Json[] };
    };
    expect(contract.validation[0]).toMatchObject({ run: [line], shell: true });
    const ran = await staffetta(['validate', task, '--json'], { cwd: folder });
    expect(ran).toMatchObject({ status: 0, json: { passed: true } });
  });

  test('is as it was typed at the root', async () => {
    const folder = newWorkplace();
    const opened = await staffetta(['open', 'x', '--validate', 'node t.cjs', '--json'], { cwd: folder });
    const shown = await staffetta(['show', String(opened.json['task']), '--json'], { cwd: folder });
    expect(shown.json).toMatchObject({ contract: { validation: [{ run: ['node', 't.cjs'] }] } });
  });
});
