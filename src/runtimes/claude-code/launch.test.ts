import { describe, expect, test } from 'vitest';
import type { Prompt, Start } from '../../ports/runtime.ts';
import { launch } from './launch.ts';

const id = '0b0f7a3e-6d0c-4a53-9f0d-2f6d6c1f9a11';
const session = { runtime: 'claude-code' as const, id, path: `/h/.claude/projects/-w/${id}.jsonl` };
const goOn: Start = { kind: 'continue', session };
const begin: Start = { kind: 'new', id };
const typed: Prompt = { kind: 'terminal', file: null };
const options = { env: { HOME: '/h' }, folder: '/w' };
const go = (start: Start, prompt: Prompt) => launch(start, prompt, options);
const say = (text: string): Prompt => ({ kind: 'headless', text });

describe('without a terminal', () => {
  test('the prompt goes to standard input and nowhere else', () => {
    const secret = 'Go on "exactly" $HERE\nwith this';
    const { args, stdin, env, cwd, program, session: into } = go(goOn, say(secret));
    expect(args).toEqual(['-p', '--output-format', 'text', '--resume', id]);
    expect([stdin, cwd, program, into]).toEqual([secret, '/w', 'claude', id]);
    expect(JSON.stringify([args, env])).not.toContain('exactly');
  });

  test('a new session gets its id and a briefing', () => {
    const { args, stdin, session: into } = launch(begin, say('Briefing'), { ...options, model: 'haiku' });
    expect(args).toEqual(['-p', '--output-format', 'text', '--session-id', id, '--model', 'haiku']);
    expect([stdin, into]).toEqual(['Briefing', id]);
  });

  test('events ask for what the program wants with them', () => {
    expect(go(begin, { kind: 'headless', text: 'x', output: 'events' }).args).toEqual([
      '-p',
      '--output-format',
      'stream-json',
      '--verbose',
      '--session-id',
      id,
    ]);
  });

  test('words that look like a command of the program are no command', () => {
    expect(go(goOn, say('/compact everything')).stdin).toBe('Prompt: /compact everything');
  });

  test('files that a prompt mentions are not put into it', () => {
    expect(go(goOn, say('see @/etc/passwd')).env).toMatchObject({ CLAUDE_CODE_DISABLE_FILE_MENTIONS: '1' });
    for (const terminal of [typed, { kind: 'terminal', file: '/w/brief.md' } as const])
      expect(go(goOn, terminal).env).not.toHaveProperty('CLAUDE_CODE_DISABLE_FILE_MENTIONS');
  });

  test('an empty prompt is refused', () => {
    expect(() => go(goOn, say(' \n'))).toThrow('The prompt is empty.');
  });
});

describe('in a terminal', () => {
  test('the prompt is in a file that the argument names', () => {
    const { args, stdin } = go(goOn, { kind: 'terminal', file: '/w/.staffetta/brief.md' });
    expect(args).toEqual([
      '--resume',
      id,
      'Read the file /w/.staffetta/brief.md and go on from what it says.',
    ]);
    expect(stdin).toBeNull();
    expect(() => go(goOn, { kind: 'terminal', file: 'brief.md' })).toThrow('no absolute path');
  });

  test('a person types', () => {
    expect(go(goOn, typed)).toMatchObject({ args: ['--resume', id], stdin: null });
  });
});

describe('which session', () => {
  test('a session that is alive is refused, because two writers break it, but may be copied', () => {
    const alive = { ...session, liveness: 'alive' as const, pid: 42 };
    expect(() => go({ kind: 'continue', session: alive }, typed)).toThrow(
      expect.objectContaining({ code: 'held', message: `Process 42 still holds the session ${id}.` }),
    );
    expect(go({ kind: 'continue', session: alive, fork: true }, typed)).toMatchObject({
      args: ['--resume', id, '--fork-session'],
      session: null,
    });
    const dead = { ...alive, liveness: 'dead' as const };
    expect(go({ kind: 'continue', session: dead }, typed).args).toEqual(['--resume', id]);
  });

  test('a file with another name is given by its path', () => {
    const named = { ...session, id: 'notes' };
    expect(go({ kind: 'continue', session: named }, typed).args).toEqual(['--resume', session.path]);
  });

  test('an agent that another session started is refused', () => {
    const started = { ...session, parent: 'p' };
    expect(() => go({ kind: 'continue', session: started }, typed)).toThrow('cannot go on with it alone');
  });

  test('an id that is no UUID is refused for a new session', () => {
    expect(() => go({ kind: 'new', id: '--help' }, typed)).toThrow('is no UUID');
  });
});

describe('the environment', () => {
  test('names the data folder only where it is not the default', () => {
    expect(go(goOn, typed).env).not.toHaveProperty('CLAUDE_CONFIG_DIR');
    const env = { HOME: '/h', CLAUDE_CONFIG_DIR: '/data' };
    expect(launch(goOn, typed, { ...options, env }).env).toMatchObject({ CLAUDE_CONFIG_DIR: '/data' });
  });

  test('takes out what a session of the program leaves to its children', () => {
    expect(go(goOn, typed).env).toMatchObject({ CLAUDECODE: null, CLAUDE_CODE_SESSION_ID: null });
  });

  test('starts the program that was found', () => {
    expect(launch(goOn, typed, { ...options, program: '/bin/claude' }).program).toBe('/bin/claude');
  });
});
