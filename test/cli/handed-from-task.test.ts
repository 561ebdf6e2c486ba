/** `handoff --from` where the session has a task already: what is said of the contract amends it, and nothing said is lost. */
import { join } from 'node:path';
import { utimesSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { newFolder, newWorkplace, staffetta, type Json, type Ran } from './command.ts';
import { claudePlace, put, sessionText } from './programs.ts';
import { hasTerminal, typed } from './terminal.ts';

interface Place {
  readonly home: string;
  readonly folder: string;
  readonly task: string;
  readonly run: (...args: readonly string[]) => Promise<Ran>;
}

/** A session of Claude Code for which `watch` opened a task. */
async function adopted(): Promise<Place> {
  const home = newFolder();
  const folder = newWorkplace();
  put(join(folder, 'fence.txt'), 'one post\n');
  const path = claudePlace(home, folder);
  put(path, sessionText('basic.jsonl', folder));
  const at = Date.now() / 1000 - 3600;
  utimesSync(path, at, at);
  const run = async (...args: readonly string[]): Promise<Ran> =>
    await staffetta(args, { cwd: folder, env: { HOME: home } });
  await run('watch', '--once', '--adopt');
  const { tasks } = (await run('ls', '--json')).json as { tasks: { task: string }[] };
  return { home, folder, run, task: String(tasks[0]?.task) };
}

const handoff = ['handoff', '--from', 'latest', '--to', 'codex'];
const said: Readonly<Record<string, string>> = {
  goal: 'fence.txt has 6 posts',
  accept: 'node check.mjs passes',
  'non-goal': 'a gate',
  validate: 'node check.mjs',
  review: 'human',
  next: 'add the second post to fence.txt',
};
const options = (names: readonly string[]): string[] =>
  names.flatMap((name) => [`--${name}`, said[name] ?? '?']);

interface Shown {
  readonly contract: {
    readonly validation?: readonly { readonly run: readonly string[] }[];
    readonly review?: { readonly human?: boolean };
  };
}

describe('a session whose task watch opened', () => {
  test('is handed over with what is said of its contract, and the journal says who amended it', async () => {
    const { run, task } = await adopted();
    expect(await run(...handoff, ...options(['validate', 'review']), '--json')).toMatchObject({
      status: 0,
      json: { task, status: 'offered' },
    });
    const shown = (await run('show', task, '--json')).json as unknown as Shown;
    expect(shown.contract).toMatchObject({
      validation: [{ run: ['node', 'check.mjs'] }],
      review: { human: true },
    });
    const told = (await run('log', task)).stdout;
    expect(told).toMatch(/amended/);
    expect(told).toContain('was handed over');
  });

  test('keeps its contract where the handoff is refused or only tried', async () => {
    const { run, task } = await adopted();
    const before = (await run('show', task, '--json')).json as unknown as Shown;
    const absent = ['--artefact', 'not/there.txt'];
    expect((await run(...handoff, '--review', 'human', ...absent, '--json')).status).toBe(6);
    const tried = await run(...handoff, ...options(Object.keys(said)), '--dry-run', '--json');
    expect(tried).toMatchObject({ status: 0, json: { task } });
    expect((tried.json as Json & { amends: string[] }).amends).toEqual(
      expect.arrayContaining(['validation', 'review', 'goal']),
    );
    expect(((await run('show', task, '--json')).json as unknown as Shown).contract).toEqual(before.contract);
  });

  test('takes over what is said of the contract in an emergency, too', async () => {
    const { run, task } = await adopted();
    const ran = await run(...handoff, '--trigger', 'usage-limit', '--non-goal', 'a gate');
    expect(ran.status).toBe(0);
    expect(ran.stderr).toContain(`The contract of ${task} is amended: nonGoals.`);
  });

  test('says what an agent that does not hold it may not amend, and hands over in an emergency', async () => {
    const { run, task } = await adopted();
    const planned = await run(...handoff, '--as', 'eve', ...options(Object.keys(said)), '--json');
    expect(planned.json).toMatchObject({ error: { code: 'not-holder', details: { task } } });
    const ran = await run(...handoff, '--as', 'eve', '--non-goal', 'a gate', '--trigger', 'usage-limit');
    expect(ran.status).toBe(0);
    expect(ran.stderr).toContain(`Not taken over into the contract of ${task}: nonGoals.`);
  });

  test.runIf(hasTerminal)('is asked about at a terminal only where something is missing', async () => {
    const { run, folder, home, task } = await adopted();
    const ran = await typed(folder, [...handoff, ...options(['goal', 'accept', 'non-goal', 'next'])], [], {
      HOME: home,
    });
    expect(ran.text).toContain('is on offer to runtime:codex');
    const shown = (await run('show', task, '--json')).json as unknown as Shown;
    expect(shown.contract.review).toMatchObject({ human: true });
  });
});
