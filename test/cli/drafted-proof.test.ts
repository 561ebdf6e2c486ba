/** What a session leaves as a proof of its work: nothing that changes anything; and what a terminal offers for it will do. */
import { existsSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { newFolder, newWorkplace, staffetta, type Json, type Ran } from './command.ts';
import { claudePlace, put, session } from './programs.ts';
import { hasTerminal, typed } from './terminal.ts';

interface Called {
  readonly command: string;
  readonly output?: string;
  readonly failed?: boolean;
}

interface Place {
  readonly home: string;
  readonly folder: string;
  readonly run: (...args: readonly string[]) => Promise<Ran>;
}

/** A session of Claude Code in which a user said this and an agent ran that. */
function sessionOf(asked: string, calls: readonly Called[]): Place {
  const home = newFolder();
  const folder = newWorkplace();
  const head = { sessionId: session, cwd: folder, version: '2.1.325', timestamp: '2026-11-15T18:00:00.000Z' };
  const turns = calls.flatMap(({ command, output = '', failed = false }, i) => [
    ['assistant', [{ type: 'tool_use', id: `t${i}`, name: 'Bash', input: { command } }]],
    ['user', [{ type: 'tool_result', tool_use_id: `t${i}`, content: output, is_error: failed }]],
  ]);
  const lines = [['user', asked], ...turns, ['assistant', [{ type: 'text', text: 'Half done.' }]]].map(
    ([type, content], i) => ({
      ...head,
      type,
      uuid: `u${i}`,
      parentUuid: i === 0 ? null : `u${i - 1}`,
      message: { role: type, content },
    }),
  );
  const path = claudePlace(home, folder);
  put(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  const at = Date.now() / 1000 - 3600;
  utimesSync(path, at, at);
  const run = async (...args: readonly string[]): Promise<Ran> =>
    await staffetta(args, { cwd: folder, env: { HOME: home } });
  return { home, folder, run };
}

/** Without what moves the cursor and colours. */
function plain(text: string): string {
  return text.replaceAll(/\u001b\[[\d;]*[A-Za-z]/g, '');
}

const handoff = ['handoff', '--from', 'latest', '--to', 'codex'];
const refused = "The user doesn't want to proceed with this tool use.";

describe('a session that was about to delete something', () => {
  const calls: Called[] = [
    { command: 'rm -rf build', output: refused, failed: true },
    { command: 'git push --force origin build', output: 'Exit code 1', failed: true },
    { command: 'git reset --hard && npm test' },
    { command: 'node check.mjs', output: refused, failed: true },
  ];

  test('leaves no command that an agent is told to run, or that is run for it', async () => {
    const { run, folder } = sessionOf('Clean up the project. Never delete the build folder.', calls);
    put(join(folder, '.gitignore'), 'build\n.staffetta\n');
    put(join(folder, 'build/keep.bin'), 'weeks of work');
    const { task } = (await run(...handoff, '--trigger', 'usage-limit', '--json')).json;
    const shown: Json = (await run('show', String(task), '--json')).json;
    expect(shown['contract']).not.toHaveProperty('validation');
    const brief = await run('brief', String(task), '--budget', '2000');
    expect(brief.stdout).toContain('Never delete the build folder.');
    expect(brief.stdout).not.toContain('Must pass');
    await run('take', String(task), '--as', 'codex-1', '--runtime', 'codex');
    const ran = await run('validate', String(task), '--as', 'codex-1');
    expect(ran.status).not.toBe(0);
    expect(existsSync(join(folder, 'build/keep.bin'))).toBe(true);
  });

  test('suggests none of them, on a terminal or off it', async () => {
    const changing = /rm -rf|git push|git reset|check\.mjs/;
    const off = sessionOf('Clean up the project.', calls);
    const ran = await off.run(...handoff);
    expect([ran.status, `${ran.stdout}${ran.stderr}`]).toEqual([0, expect.not.stringMatching(changing)]);
  });

  test.runIf(hasTerminal)('offers what passed for Enter, with a person who looks at it', async () => {
    const proof = { command: 'cd . && node check.mjs' };
    const { folder, home } = sessionOf('Clean up the project.', [...calls, proof]);
    const keys = [
      ['The one next action: ', '\r'],
      ['It is accepted when: ', '\r'],
    ] as const;
    const ran = await typed(folder, handoff, keys, { HOME: home });
    expect(plain(ran.text)).toContain(
      'It is accepted when: cd . && node check.mjs passes, and a person looks at it',
    );
    expect(ran.text).toContain('is on offer to runtime:codex');
    expect(ran.status).toBe(0);
  });
});

describe('a session in which secrets were said', () => {
  const key = `ghp_${'aB3dE5gH7j'.repeat(3)}K9mN1p`;
  const place = (): Place =>
    sessionOf(`Please deploy the export with the token ${key}.`, [
      { command: `GITHUB_TOKEN=${key} npm test`, output: 'ok' },
    ]);

  test('shows none of them off a terminal, nor a command without its secret', async () => {
    const { run } = place();
    for (const args of [handoff, [...handoff, '--dry-run', '--json'], ['sessions'], ['sessions', '--json']]) {
      const { status, stdout, stderr } = await run(...args);
      expect({ args, status, told: `${stdout}${stderr}`.includes(key.slice(0, 12)) }).toEqual({
        args,
        status: 0,
        told: false,
      });
      expect(stderr).not.toContain('npm test');
    }
  });

  test.runIf(hasTerminal)('shows none of them at a terminal', async () => {
    const { folder, home } = place();
    const { text } = await typed(
      folder,
      handoff,
      [
        ['The one next action: ', '\r'],
        ['It is accepted when: ', '\r'],
      ],
      { HOME: home },
    );
    expect(plain(text)).toContain('It is accepted when: ');
    expect(text).not.toContain(key.slice(0, 12));
    expect(text).not.toContain('npm test');
  });
});

test('what is said off a terminal of how it is accepted is what is stored', async () => {
  const { run } = sessionOf('Please make the export stream its rows.', [
    { command: 'go build ./...', output: 'ok' },
  ]);
  const { stderr } = await run(...handoff);
  expect(stderr).toContain('No user stated when it is accepted. A person looks at it.\n');
});
