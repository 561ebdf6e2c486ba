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

  test('suggests none of them off a terminal', async () => {
    const { run } = sessionOf('Clean up the project.', calls);
    const { error } = (await run(...handoff, '--json')).json as {
      error: { details: { missing: { field: string; guess?: string }[] } };
    };
    const { missing } = error.details;
    expect(missing.map(({ field }) => field)).toContain('validation');
    for (const { guess } of missing) expect(guess ?? '').not.toMatch(/rm -rf|git push|git reset|check\.mjs/);
  });
});

describe('a goal that the gate refuses', () => {
  const asked = 'Clean up the project. Done when it is tidy. Docs are out of scope.';
  const question = 'What should be true at the end: ';
  const rest = [
    '--validate',
    'node check.mjs',
    '--review',
    'human',
    '--next',
    'delete old.js',
    '--kind',
    'code',
  ];
  const more = [...rest, '--artefact', 'fence.txt'];

  test.runIf(hasTerminal)('is shown with the reason and an example, and not offered for Enter', async () => {
    const { folder, home } = sessionOf(asked, [{ command: 'git push --force origin main' }]);
    put(join(folder, 'fence.txt'), 'one post\n');
    const ran = await typed(
      folder,
      [...handoff, ...more],
      [
        [question, '\r'],
        ['This has to be said', 'old.js is gone and node check.mjs passes\r'],
      ],
      { HOME: home },
    );
    expect(ran.text).toContain('The session says: Clean up the project.');
    expect(ran.text).toContain('Name the behaviour, file, command or figure');
    expect(ran.text).toContain('For example: ');
    expect(plain(ran.text)).not.toContain(`${question}Clean up`);
    expect(ran.text).not.toContain('git push');
    expect(ran.text).toContain('is on offer to runtime:codex');
    expect(ran.status).toBe(0);
  });

  test.runIf(hasTerminal)(
    'ends the questions when it was said three times, and says the way out',
    async () => {
      const { folder, home, run } = sessionOf(asked, []);
      put(join(folder, 'fence.txt'), 'one post\n');
      const ran = await typed(
        folder,
        [...handoff, ...more],
        [
          [question, 'make it good\r'],
          [question, 'make it better\r'],
          [question, 'make it nice\r'],
        ],
        { HOME: home },
      );
      expect(ran.text.split(question)).toHaveLength(4);
      expect(ran.text).toContain('This does not do: make it good');
      expect(ran.text).toContain('Say the rest: --goal "…"');
      expect(ran.text).toContain('--trigger usage-limit');
      expect(ran.status).toBe(6);
      expect((await run('ls', '--all', '--json')).json).toMatchObject({ tasks: [] });
    },
  );

  test.runIf(hasTerminal)('ends the questions when Enter was pressed three times', async () => {
    const { folder, home } = sessionOf(asked, []);
    put(join(folder, 'fence.txt'), 'one post\n');
    const keys = [
      [question, '\r'],
      [question, '\r'],
      [question, '\r'],
    ] as const;
    const ran = await typed(folder, [...handoff, ...more], keys, { HOME: home });
    expect(ran.text.split(question)).toHaveLength(4);
    expect(ran.status).toBe(6);
  });

  test.runIf(hasTerminal)('is offered together with what shows it, where that will do', async () => {
    const { folder, home } = sessionOf('Clean up the project.', [{ command: 'cd . && node check.mjs' }]);
    put(join(folder, 'fence.txt'), 'one post\n');
    const ran = await typed(
      folder,
      [
        ...handoff,
        '--review',
        'human',
        '--next',
        'delete old.js',
        '--kind',
        'code',
        '--non-goal',
        'the docs',
        '--artefact',
        'fence.txt',
      ],
      [
        [question, '\r'],
        ['It is accepted when: ', '\r'],
      ],
      { HOME: home },
    );
    expect(plain(ran.text)).toContain(`${question}Clean up the project, and cd . && node check.mjs passes`);
    expect(ran.text).toContain('is on offer to runtime:codex');
    expect(ran.status).toBe(0);
  });

  test.runIf(hasTerminal)('does not keep a line for the shell from being the answer', async () => {
    const { folder, home, run } = sessionOf('old.js is gone and fence.txt has 6 posts.', []);
    put(join(folder, 'fence.txt'), 'one post\n');
    const ran = await typed(
      folder,
      [
        ...handoff,
        '--goal',
        'old.js is gone and fence.txt has 6 posts',
        '--accept',
        'fence.txt has 6 posts',
        '--non-goal',
        'the docs',
        '--review',
        'human',
        '--next',
        'delete old.js',
        '--kind',
        'code',
        '--artefact',
        'fence.txt',
      ],
      [['A command that proves it: ', '\u0015cd . && node check.mjs\r']],
      { HOME: home },
    );
    expect(ran.status).toBe(0);
    const { tasks } = (await run('ls', '--all', '--json')).json as { tasks: { task: string }[] };
    const shown: Json = (await run('show', tasks[0]?.task ?? '', '--json')).json;
    expect(shown['contract']).toMatchObject({
      validation: [{ run: ['cd . && node check.mjs'], shell: true }],
    });
  });
});
