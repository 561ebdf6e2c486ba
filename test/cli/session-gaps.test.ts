/** What `handoff --from` asks for is all that the gate will ask for, and a refusal leaves nothing held. */
import { execFileSync } from 'node:child_process';
import { utimesSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { newFolder, newWorkplace, staffetta, type Json, type Ran } from './command.ts';
import { claudePlace, put, sessionText } from './programs.ts';
import { hasTerminal, typed } from './terminal.ts';

interface Place {
  readonly home: string;
  readonly folder: string;
  readonly run: (...args: readonly string[]) => Promise<Ran>;
}

/** A repository in which nothing was changed, and a session of Claude Code in it. */
function clean(files: Readonly<Record<string, string>> = {}): Place {
  const home = newFolder();
  const folder = newWorkplace();
  for (const [name, content] of Object.entries(files)) put(join(folder, name), content);
  if (Object.keys(files).length > 0) {
    execFileSync('git', ['-C', folder, 'add', '.']);
    execFileSync('git', ['-C', folder, 'commit', '-qm', 'Add files.']);
  }
  const path = claudePlace(home, folder);
  put(path, sessionText('basic.jsonl', folder));
  const at = Date.now() / 1000 - 3600;
  utimesSync(path, at, at);
  const run = async (...args: readonly string[]): Promise<Ran> =>
    await staffetta(args, { cwd: folder, env: { HOME: home } });
  return { home, folder, run };
}

const handoff = ['handoff', '--from', 'latest', '--to', 'codex'];
const said: Readonly<Record<string, string>> = {
  goal: 'fence.txt has 6 posts',
  accept: 'node check.mjs passes',
  'non-goal': 'a gate',
  validate: 'node check.mjs',
  review: 'human',
  next: 'add the second post to fence.txt',
  artefact: 'fence.txt',
};

describe('a session in a work tree without changes', () => {
  test('is handed over off a terminal with what the tool puts there', async () => {
    const { run } = clean();
    expect(await run(...handoff, '--json')).toMatchObject({
      status: 0,
      json: { status: 'offered' },
    });
  });

  test.runIf(hasTerminal)('is asked again where an answer is empty, and keeps the others', async () => {
    const { folder, home } = clean({ 'package.json': '{ "scripts": { "test": "node check.mjs" } }' });
    const ran = await typed(
      folder,
      [...handoff, '--goal', 'fence.txt has 6 posts', '--kind', 'code'],
      [
        ['The one next action: ', '\u0015\r'],
        ['This has to be said', '\u0015add the second post to fence.txt\r'],
        ['It is accepted when: ', '\r'],
      ],
      { HOME: home },
    );
    expect(ran.text).toContain('is on offer to runtime:codex');
    expect(ran.status).toBe(0);
  });

  test.runIf(hasTerminal)('ends at Ctrl-C without asking again', async () => {
    const { folder, home } = clean();
    const asked = [['The one next action: ', '\u0003']] as const;
    const ran = await typed(folder, [...handoff, '--goal', 'fence.txt has 6 posts'], asked, { HOME: home });
    expect(ran.status).toBe(130);
    expect(ran.text).toContain('Interrupted; nothing was handed over.');
    expect(ran.text).not.toContain('This has to be said');
  });

  test.runIf(hasTerminal)('names what was answered where the input ends too early', async () => {
    const { folder, home, run } = clean();
    const ran = await typed(
      folder,
      [...handoff, '--goal', 'fence.txt has 6 posts', '--kind', 'code'],
      [
        ['The one next action: ', '\u0015add the second post\r'],
        ['It is accepted when: ', '\u0015\u0004'],
      ],
      { HOME: home },
    );
    expect(ran.status).toBe(6);
    expect(ran.text).toContain('need not be typed again: --next "add the second post"');
    expect((await run('ls', '--all', '--json')).json).toMatchObject({ error: { code: 'store-missing' } });
  });
});

describe('a handoff that the gate refuses', () => {
  const rest = Object.entries(said).flatMap(([option, value]) => [`--${option}`, value]);

  test('opens no task, and says all that is in the way', async () => {
    const { run } = clean();
    const ran = await run(...handoff, ...rest, '--artefact', 'not/there.txt', '--json');
    expect(ran).toMatchObject({ status: 6, json: { error: { details: { findings: [{}] } } } });
    expect((await run('ls', '--all', '--json')).json).toMatchObject({ error: { code: 'store-missing' } });
  });

  test('leaves an offer of the same session on offer', async () => {
    const { run } = clean();
    const { task } = (await run(...handoff, ...rest, '--json')).json;
    const again = await run(...handoff, '--artefact', 'not/there.txt', '--next', 'do it', '--json');
    expect(again.status).toBe(6);
    const shown: Json = (await run('show', String(task), '--json')).json;
    expect(shown).toMatchObject({ status: 'offered', leg: null });
  });

  test('gives back what was taken only to be handed over', async () => {
    const { run, folder } = clean();
    const { task } = (await run('handoff', '--from', 'latest', '--to', 'anyone', ...rest, '--json')).json;
    const as = ['--as', 'bea'];
    await run('take', String(task), ...as, '--lane', 'execute');
    put(join(folder, 'fence.txt'), 'two posts\n');
    await run(
      'handoff',
      String(task),
      ...as,
      '--to',
      'anyone',
      '--trigger',
      'usage-limit',
      '--next',
      'go on',
    );
    // It was never acknowledged in the name of the session.
    const again = await run(...handoff, ...rest, ...as, '--json');
    expect(again.json).toMatchObject({ error: { code: 'not-acknowledged' } });
    const shown: Json = (await run('show', String(task), '--json')).json;
    expect(shown).toMatchObject({ status: 'offered', leg: null });
  });
});
