/** A session goes on after its work was handed over: what is said in it then is neither lost nor taken for something else. */
import { readFileSync, rmSync, utimesSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { Json } from './command.ts';
import { claudePlace, desk, says, type Desk } from './programs.ts';

const sessionFile = ({ home, folder }: Desk): string => claudePlace(home, folder);
const more = 'One more thing: never touch the LICENSE file, and the changelog must be in Italian.';

test('a leg that only sealed a session took as long as that', async () => {
  const { run, task } = await desk();
  const { json } = await run(['log', task, '--legs', '--json']);
  const [from, until] = ['48.905', '49.373'].map((at) => Date.parse(`2026-11-15T18:22:${at}Z`));
  expect(json['legs']).toMatchObject([{ worked: { from, until, ms: 468 } }]);
  expect((await run(['log', task, '--legs'])).stdout).toContain('468 ms');
});

describe('what users said after the packet was sealed', () => {
  test('is told before the work goes on, with the command that hands it on', async () => {
    const place = await desk();
    const { run, task, session } = place;
    says(sessionFile(place), more);
    says(sessionFile(place), 'And be quick.');
    const command = `staffetta handoff --from claude-code:${session} --to codex`;
    const grown = { runtime: 'claude-code', session, messages: 2, first: more, command };
    const shown = await run(['resume', task, '--in', 'codex', '--dry-run']);
    expect(shown.stderr).toContain(`2 messages of a user are not in it, beginning with “${more}”`);
    expect(shown.stderr).toContain(command);
    const ran = await run(['resume', '--take', task, '--in', 'codex', '--json']);
    expect(ran).toMatchObject({ status: 0, json: { grown } });
    const prompt = readFileSync(String(ran.json['promptFile']), 'utf8');
    expect(prompt).toMatch(/## Missing\n- what was said last: .* 2 messages of a user are not in here\./);
    expect(prompt).not.toContain('LICENSE');
  });

  test('is told to the successor with the whole history', async () => {
    const place = await desk();
    says(sessionFile(place), more);
    const ran = await place.run([
      'resume',
      '--take',
      place.task,
      '--in',
      'codex',
      '--history',
      'full',
      '--json',
    ]);
    expect(ran.json).toMatchObject({ grown: { messages: 1 } });
    expect(readFileSync(String(ran.json['promptFile']), 'utf8')).toContain(
      '1 message of a user is not in here.',
    );
  });

  test('is taken along by the command that was named, while nobody has taken the task', async () => {
    const place = await desk();
    const { run, task, session } = place;
    says(sessionFile(place), more);
    const from = ['handoff', '--from', `claude-code:${session}`, '--to', 'codex'];
    const again = await run([...from, '--trigger', 'usage-limit', '--json']);
    expect(again.json).toMatchObject({ task });
    const ran = await run(['resume', '--take', task, '--in', 'codex', '--json']);
    expect(ran.json['grown']).toBeUndefined();
    expect(readFileSync(String(ran.json['promptFile']), 'utf8')).toContain('LICENSE');
  });

  test('has no secrets in it', async () => {
    const place = await desk();
    const secret = `ghp_${'a1B2c3D4e5F6'.repeat(3)}`;
    says(sessionFile(place), `Use ${secret} for the release.`);
    const ran = await place.run(['resume', place.task, '--in', 'codex', '--dry-run', '--json']);
    expect(ran.json).toMatchObject({
      grown: { first: expect.stringContaining('for the release') as unknown },
    });
    expect(ran.stdout + ran.stderr).not.toContain(secret);
  });

  test('is not asked for where the very session goes on', async () => {
    const place = await desk();
    says(sessionFile(place), more);
    const asked = [
      'resume',
      place.task,
      '--in',
      'claude-code',
      '--history',
      'session',
      '--dry-run',
      '--json',
    ];
    expect((await place.run(asked)).json['grown']).toBeUndefined();
  });

  test('keeps nobody from going on where the session is gone, or nothing was said', async () => {
    const place = await desk();
    const same = await place.run(['resume', place.task, '--in', 'codex', '--dry-run', '--json']);
    expect(same.json['grown']).toBeUndefined();
    rmSync(claudePlace(place.home, place.folder));
    const gone = await place.run(['resume', '--take', place.task, '--in', 'codex', '--json']);
    expect(gone.status).toBe(0);
    expect(gone.json['grown']).toBeUndefined();
  });
});

/** What an emergency handoff of the session gives once somebody has taken its task. */
async function handedAgain(place: Desk): Promise<{ readonly answer: Json; readonly contract: Contract }> {
  const { run, session, task } = place;
  const from = ['handoff', '--from', session, '--to', 'gemini-cli', '--trigger', 'usage-limit'];
  const { json: answer, stderr } = await run([...from, '--json']);
  if (typeof answer['task'] !== 'string') throw new Error(stderr);
  expect(answer['task']).not.toBe(task);
  const { contract } = (await run(['show', answer['task'], '--json'])).json as { contract: Contract };
  return { answer, contract };
}

interface Contract {
  readonly title: string;
  readonly goal: string;
  readonly constraints?: readonly string[];
  readonly acceptance?: readonly string[];
}

/** A session whose user said a goal and rules before its task was taken by Codex. */
async function taken(...later: readonly string[]): Promise<Desk> {
  const place = await desk({ says: `${goal}\n\nConstraints: ${rule}\nAcceptance: node check.mjs passes` });
  await place.run(['resume', '--take', place.task, '--in', 'codex']);
  for (const words of later) says(sessionFile(place), words);
  return place;
}

const goal = 'Migrate the users table to the new schema.';
const rule = 'Never drop the legacy column.';

describe('once the task of a session is with somebody else, what is said in it is a task', () => {
  test('with what was asked for since, where it began, and under the same rules', async () => {
    const { contract } = await handedAgain(await taken('go on, and keep the index on email as it is'));
    expect(contract.goal).toMatch(
      /^“go on, and keep the index on email as it is” \[s\d+\]\nIt began with: “Migrate/,
    );
    expect(contract.title).toContain('keep the index on email');
    expect(contract.constraints).toContainEqual(expect.stringContaining(`“${rule}”`));
    expect(contract.acceptance?.[0]).toContain('“node check.mjs passes”');
  });

  test('and names who is at the other one, in its contract, in what is answered and to the successor', async () => {
    const place = await taken('go on, and keep the index on email as it is');
    const { run, task, session } = place;
    const dry = ['handoff', '--from', session, '--to', 'opencode', '--dry-run', '--trigger', 'usage-limit'];
    expect((await run(dry)).stderr).toContain(`Task ${task}, held by codex, is of the same session`);
    const sameSession = [{ task, status: 'held', holder: 'codex', offeredTo: null }];
    const { answer, contract } = await handedAgain(place);
    expect(answer).toMatchObject({ sameSession });
    const told = `Task ${task} is of the same session and was held by codex when this was opened`;
    expect(contract.constraints?.[0]).toContain(told);
    const resumed = await run(['resume', '--take', String(answer['task']), '--in', 'gemini-cli', '--json']);
    expect(readFileSync(String(resumed.json['promptFile']), 'utf8')).toContain(told);
    expect((await run(['show', task, '--json'])).json).toMatchObject({ leg: { holder: { name: 'codex' } } });
  });

  test('when it is rescued as well', async () => {
    const place = await taken('go on, and keep the index on email as it is');
    const { run, task, session } = place;
    const at = Date.now() / 1000 - 3600;
    utimesSync(claudePlace(place.home, place.folder), at, at);
    const { json } = await run(['rescue', session, '--json']);
    expect(json).toMatchObject({
      rescued: [{ outcome: 'rescued', sameSession: [{ task, holder: 'codex' }] }],
    });
    const [one] = json['rescued'] as readonly Json[];
    const { contract } = (await run(['show', String(one?.['task']), '--json'])).json as {
      contract: Contract;
    };
    expect(contract.goal).toContain(goal);
    expect(contract.constraints).toContainEqual(expect.stringContaining(rule));
  });

  test('under what people agreed for the work before', async () => {
    const place = await taken('go on, and keep the index on email as it is');
    const { run, task } = place;
    const agreed = ['--goal', 'The users are in the new table.', '--accept', 'npm run audit passes'];
    await run(['amend', task, ...agreed, '--why', 'agreed', '--as', 'lead', '--lane', 'supervise']);
    const { contract } = await handedAgain(place);
    expect(contract.goal).toContain('Agreed for the work before it: The users are in the new table.');
    expect(contract.acceptance).toContain('npm run audit passes');
  });
});
