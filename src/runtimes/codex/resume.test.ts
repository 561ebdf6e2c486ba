import { describe, expect, test } from 'vitest';
import { resumeCommand, talkCommand } from './resume.ts';

const base = { program: '/usr/bin/codex', home: '/home/dev/.codex', folder: '/home/dev/demo' };
const session = '01a1e073-1cec-7282-b3a4-ad96111843ac';

describe('without a person', () => {
  test('a session goes on with a prompt from standard input', () => {
    expect(resumeCommand({ ...base, session, prompt: { file: '/tmp/prompt.md' } })).toEqual({
      program: '/usr/bin/codex',
      args: ['exec', 'resume', session, '--json', '--skip-git-repo-check', '-'],
      env: { CODEX_HOME: '/home/dev/.codex' },
      cwd: '/home/dev/demo',
      stdin: { file: '/tmp/prompt.md' },
    });
  });

  test('a new session begins with a briefing, and no argument holds any of it', () => {
    const { args, stdin } = resumeCommand({ ...base, prompt: { text: 'SECRET --help' } });
    expect(args).toEqual(['exec', '--json', '--skip-git-repo-check', '-']);
    expect(stdin).toEqual({ text: 'SECRET --help' });
  });
});

describe('with a person', () => {
  test('the terminal is handed over, and a briefing is named by its path', () => {
    expect(talkCommand({ ...base, session })).toMatchObject({ args: ['resume', session], stdin: 'terminal' });
    expect(talkCommand({ ...base, briefing: '/tmp/b.md' }).args).toEqual([
      'Read "/tmp/b.md" first, then go on with what it says.',
    ]);
  });
});

test.each(['--last', '', 'my session', '../x'])('%j is refused as a session', (wrong) => {
  expect(() => resumeCommand({ ...base, session: wrong, prompt: { text: 'x' } })).toThrow('is not the id');
  expect(() => talkCommand({ ...base, session: wrong })).toThrow('is not the id');
});
