import { expect, test } from 'vitest';
import type { Prompt, Start } from '../../ports/runtime.ts';
import { launch } from './launch.ts';

const options = { folder: '/home/dev/demo' };
const session = { runtime: 'opencode' as const, id: 'ses_1', path: '/o.db' };
const begin: Start = { kind: 'new', id: 'U' };
const goOn: Start = { kind: 'continue', session };
const prompt: Prompt = { kind: 'headless', text: '--help "quoted" $HOME' };

test('the prompt goes by stdin and never by argument', () => {
  for (const start of [begin, goOn, { ...goOn, fork: true }]) {
    const made = launch(start, prompt, options);
    expect(made.stdin).toBe('--help "quoted" $HOME');
    expect(made.args.join(' ')).not.toContain('quoted');
    expect(made).toMatchObject({ program: 'opencode', cwd: '/home/dev/demo' });
  }
});

test('the folder is told by PWD, which the program believes', () => {
  expect(launch(begin, prompt, options).env['PWD']).toBe('/home/dev/demo');
});

test('a session is named, a copy is asked for, and a model is chosen', () => {
  expect(launch(begin, prompt, options)).toMatchObject({
    args: ['run', '--format', 'default'],
    session: null,
  });
  expect(launch(goOn, { ...prompt, output: 'events' }, options)).toMatchObject({
    args: ['run', '--format', 'json', '--session', 'ses_1'],
    session: 'ses_1',
  });
  expect(launch({ ...goOn, fork: true }, prompt, { ...options, model: 'a/b' })).toMatchObject({
    args: ['run', '--format', 'default', '--session', 'ses_1', '--fork', '--model', 'a/b'],
    session: null,
  });
});

test('with a person, a file is named', () => {
  expect(launch(goOn, { kind: 'terminal', file: '/b.md' }, options)).toMatchObject({
    args: ['--session', 'ses_1', '--prompt', 'Read the file /b.md and go on from what it says.'],
    stdin: null,
  });
});

test('a session that a process holds, and what is no id, are refused', () => {
  const alive = { ...session, liveness: 'alive' as const, pid: 7 };
  expect(() => launch({ kind: 'continue', session: alive }, prompt, options)).toThrow('Process 7');
  const wrong = { ...session, id: '--continue' };
  expect(() => launch({ kind: 'continue', session: wrong }, prompt, options)).toThrow('is not the id');
});
