import { describe, expect, test } from 'vitest';
import { isStaffettaError } from '../../core/error.ts';
import { launch, type Prompt, type Start } from './resume.ts';

const id = '0b0f7a3e-6d0c-4a53-9f0d-2f6d6c1f9a11';
const session = { runtime: 'claude-code' as const, id, path: `/h/.claude/projects/-w/${id}.jsonl` };
const options = { env: { HOME: '/h' }, folder: '/w' };
const go = (start: Start, prompt: Prompt) => launch(start, prompt, options);

describe('without a terminal', () => {
  test('the prompt goes to standard input and nowhere else', () => {
    const secret = 'Go on "exactly" $HERE\nwith this';
    const { args, stdin, env, cwd, program } = go({ session }, { text: secret });
    expect(args).toEqual(['-p', '--output-format', 'text', '--resume', id]);
    expect([stdin, cwd, program]).toEqual([secret, '/w', 'claude']);
    expect(JSON.stringify([args, env])).not.toContain('exactly');
  });

  test('a new session gets its id and a briefing', () => {
    const { args, stdin } = go({ newSession: id }, { text: 'Briefing', output: 'json' });
    expect(args).toEqual(['-p', '--output-format', 'json', '--session-id', id]);
    expect(stdin).toBe('Briefing');
  });

  test('streaming asks for what the program wants with it', () => {
    expect(go({ newSession: id }, { text: 'x', output: 'stream-json' }).args).toContain('--verbose');
  });

  test('words that look like a command of the program are no command', () => {
    expect(go({ session }, { text: '/compact everything' }).stdin).toBe('Prompt: /compact everything');
  });

  test('files that a prompt mentions are not put into it', () => {
    expect(go({ session }, { text: 'see @/etc/passwd' }).env).toMatchObject({
      CLAUDE_CODE_DISABLE_FILE_MENTIONS: '1',
    });
    for (const terminal of [null, { file: '/w/brief.md' }])
      expect(go({ session }, terminal).env).not.toHaveProperty('CLAUDE_CODE_DISABLE_FILE_MENTIONS');
  });

  test('an empty prompt is refused', () => {
    expect(() => go({ session }, { text: ' \n' })).toThrow('The prompt is empty.');
  });
});

describe('in a terminal', () => {
  test('the prompt is in a file that the argument names', () => {
    const { args, stdin } = go({ session }, { file: '/w/.staffetta/brief.md' });
    expect(args).toEqual([
      '--resume',
      id,
      'Read the file /w/.staffetta/brief.md and go on from what it says.',
    ]);
    expect(stdin).toBeNull();
    expect(() => go({ session }, { file: 'brief.md' })).toThrow('no absolute path');
  });

  test('a person types', () => {
    expect(go({ session }, null)).toMatchObject({ args: ['--resume', id], stdin: null });
  });
});

describe('which session', () => {
  test('a session that is alive is refused, because two writers break it, but may be copied', () => {
    const alive = { ...session, liveness: 'alive' as const, pid: 42 };
    let error: unknown;
    try {
      go({ session: alive }, null);
    } catch (caught) {
      error = caught;
    }
    expect(isStaffettaError(error, 'held') && error.message).toContain('Process 42 still holds');
    expect(go({ session: alive, fork: true }, null).args).toEqual(['--resume', id, '--fork-session']);
    expect(go({ session: { ...alive, liveness: 'dead' } }, null).args).toEqual(['--resume', id]);
  });

  test('a file with another name is given by its path', () => {
    expect(go({ session: { ...session, id: 'notes' } }, null).args).toEqual(['--resume', session.path]);
  });

  test('an agent that another session started is refused', () => {
    expect(() => go({ session: { ...session, parent: 'p' } }, null)).toThrow('cannot go on with it alone');
  });

  test('an id that is no UUID is refused for a new session', () => {
    expect(() => go({ newSession: '--help' }, null)).toThrow('is no UUID');
  });
});

describe('the environment', () => {
  test('names the data folder only where it is not the default', () => {
    expect(go({ session }, null).env).not.toHaveProperty('CLAUDE_CONFIG_DIR');
    const env = { HOME: '/h', CLAUDE_CONFIG_DIR: '/data' };
    expect(launch({ session }, null, { ...options, env }).env).toMatchObject({ CLAUDE_CONFIG_DIR: '/data' });
  });

  test('takes out what a session of the program leaves to its children', () => {
    expect(go({ session }, null).env).toMatchObject({ CLAUDECODE: null, CLAUDE_CODE_SESSION_ID: null });
  });

  test('starts the program that was found', () => {
    expect(launch({ session }, null, { ...options, program: '/bin/claude' }).program).toBe('/bin/claude');
  });
});
