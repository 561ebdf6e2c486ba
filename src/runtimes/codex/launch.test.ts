import { describe, expect, test } from 'vitest';
import type { Start } from '../../ports/runtime.ts';
import { launch } from './launch.ts';

const options = { program: '/usr/bin/codex', home: '/home/dev/.codex', folder: '/home/dev/demo' };
const id = '01a1e073-1cec-7282-b3a4-ad96111843ac';
const named = (name: string): Start => ({
  kind: 'continue',
  session: { runtime: 'codex', id: name, path: '/r' },
});
const begin: Start = { kind: 'new', id };

describe('without a person', () => {
  test('a session goes on with a prompt from standard input', () => {
    expect(launch(named(id), { kind: 'headless', text: 'go on', output: 'events' }, options)).toEqual({
      program: '/usr/bin/codex',
      args: ['exec', 'resume', id, '--json', '--skip-git-repo-check', '-'],
      env: { CODEX_HOME: '/home/dev/.codex' },
      cwd: '/home/dev/demo',
      stdin: 'go on',
      session: id,
    });
  });

  test('a new session begins with a briefing, and no argument holds any of it', () => {
    const prompt = { kind: 'headless' as const, text: 'SECRET --help' };
    const { args, stdin, session } = launch(begin, prompt, { ...options, model: 'm' });
    expect(args).toEqual(['exec', '--model', 'm', '--skip-git-repo-check', '-']);
    expect([stdin, session]).toEqual(['SECRET --help', null]);
  });
});

describe('with a person', () => {
  test('the terminal is handed over, and a briefing is named by its path', () => {
    expect(launch(named(id), { kind: 'terminal', file: null }, options)).toMatchObject({
      args: ['resume', id],
      stdin: null,
    });
    expect(launch(begin, { kind: 'terminal', file: '/tmp/b.md' }, options).args).toEqual([
      'Read the file /tmp/b.md and go on from what it says.',
    ]);
  });
});

test.each(['--last', '', 'my session', '../x'])('%j is refused as a session', (wrong) => {
  for (const prompt of [
    { kind: 'headless', text: 'x' },
    { kind: 'terminal', file: null },
  ] as const)
    expect(() => launch(named(wrong), prompt, options)).toThrow('is not the id');
});

test('a session that a process holds is refused, but may be copied', () => {
  const session = { runtime: 'codex' as const, id, path: '/r', liveness: 'alive' as const, pid: 7 };
  const prompt = { kind: 'headless' as const, text: 'x' };
  expect(() => launch({ kind: 'continue', session }, prompt, options)).toThrow('Process 7 still holds');
  expect(launch({ kind: 'continue', session, fork: true }, prompt, options)).toMatchObject({
    args: ['exec', 'fork', id, '--skip-git-repo-check', '-'],
    session: null,
  });
});
