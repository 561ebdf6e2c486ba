/** The built command over PostgreSQL, as two people use it on two machines: each has a home and a checkout of its own, and nothing else in common. */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newFolder, newWorkplace, staffetta, type Ran } from '../cli/command.ts';
import { postgresSpace, type TestSpace } from '../support/postgres.ts';

let space: TestSpace;
beforeAll(async () => {
  space = await postgresSpace();
});
afterAll(async () => await space[Symbol.asyncDispose]());

/** Whatever it is asked, it never shows the password. */
function machine(name: string): (...args: readonly string[]) => Promise<Ran> {
  const [cwd, home] = [newWorkplace(), newFolder()];
  const env = { HOME: home, STAFFETTA_STORE: space.url, STAFFETTA_AS: name };
  return async (...args) => {
    const ran = await staffetta([...args, '--json'], { cwd, env });
    expect(existsSync(join(cwd, '.staffetta')), 'another store was used').toBe(false);
    for (const said of [ran.stdout, ran.stderr])
      expect(said).not.toContain(decodeURIComponent(new URL(space.url).password));
    expect(ran.status, `${args.join(' ')}: ${ran.stderr}`).toBe(0);
    return ran;
  };
}

test('what one machine hands over another takes, with its notes and its history, and hands back', async () => {
  const [ada, bob] = [machine('ada'), machine('bob')];
  const transcript = join(newFolder(), 'said.jsonl');
  writeFileSync(
    transcript,
    `${JSON.stringify({ role: 'assistant', content: 'I looked at all nine posts.' })}\n`,
  );
  const opened = await ada('open', 'Mend the fence', '--take', '--accept', 'it stands', '--review', 'human');
  const task = opened.json['task'] as string;
  await ada('note', task, 'The third post is rotten.');
  await ada(
    'handoff',
    task,
    '--to',
    'agent:bob',
    '--next',
    'Replace the third post',
    '--transcript',
    transcript,
    '--why',
    'End of the day.',
  );
  const taken = await bob('take');
  expect(taken.json).toMatchObject({ task, generation: 2 });
  expect((await bob('brief', task)).stdout).toContain('The third post is rotten.');
  expect((await bob('history', task)).stdout).toContain('I looked at all nine posts.');
  await bob('ack', task, '--goal', 'The fence stands', '--gate', 'look at it', '--next', 'fetch a post');
  await bob('decide', task, 'A post of oak.', '--why', 'It lasts.');
  await bob('handoff', task, '--to', 'agent:ada', '--next', 'Paint it', '--why', 'It stands again.');
  const resumed = await ada('take');
  expect(resumed.json).toMatchObject({ task, generation: 3 });
  expect((await ada('brief', task)).stdout).toContain('A post of oak.');
  const cards = (await ada('ls')).json['tasks'] as readonly unknown[];
  expect(cards).toEqual([expect.objectContaining({ task, holder: 'ada', generation: 3 })]);
  expect((await bob('verify')).json).toMatchObject({ tasks: 1, faults: [] });
  expect((await bob('search', 'rotten')).stdout).toContain(task);
});

test('the doctor says which server it is, whose clock goes how, and what the login may do', async () => {
  const { json } = await staffetta(['doctor', '--dry-run', '--json', '--store', space.url]);
  const found = json['findings'] as readonly { readonly check: string; readonly text: string }[];
  const text = (name: string): string => found.find(({ check }) => check === name)?.text ?? '';
  // The server of the tests has fsync off, and that is said.
  expect(text('server')).toMatch(/version \d+/);
  expect(text('logins')).toMatch(/creates spaces; no other login was admitted/);
  expect(text('clock')).toMatch(/the clock of the server is \d+ ms (ahead of|behind) this machine's/);
});
