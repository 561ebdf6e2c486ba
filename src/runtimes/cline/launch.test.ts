import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Launch, Prompt, SessionToContinue, Start } from '../../ports/runtime.ts';
import { launch } from './launch.ts';

const session: SessionToContinue = { runtime: 'cline', id: '1795_a', path: '/s/1795_a.messages.json' };
const goOn: Start = { kind: 'continue', session };
const begin: Start = { kind: 'new', id: 'U' };
const say: Prompt = { kind: 'headless', text: 'go on' };
const show: Prompt = { kind: 'terminal', file: '/p.md' };
const made = (start: Start, prompt: Prompt): Launch =>
  launch(start, prompt, { folder: '/w', program: '/bin/cline', model: 'm', extra: ['--x'] });

test('a session that is gone on with is spoken to by our command, and a new one by the program itself', () => {
  const spoken = ['speak', 'cline', '--session', '1795_a'];
  expect(made(goOn, say)).toMatchObject({
    program: 'staffetta',
    args: [...spoken, '--', '--model', 'm', '--x'],
  });
  expect(made(goOn, show)).toMatchObject({
    program: 'staffetta',
    args: [...spoken, '--file', '/p.md', '--', '--model', 'm', '--x'],
    session: '1795_a',
  });
  expect(made(goOn, { kind: 'terminal', file: null })).toMatchObject({
    program: '/bin/cline',
    args: ['--id', '1795_a', '--model', 'm', '--x'],
  });
  expect(made(begin, show)).toMatchObject({ program: '/bin/cline', session: null });
  expect(made(begin, show).args.slice(0, 4)).toEqual(['--tui', '--model', 'm', '--x']);
});

test.skipIf(process.platform === 'win32')(
  'a new session reads its words from a pipe, whatever it was given',
  () => {
    const home = mkdtempSync(join(tmpdir(), 'staffetta-cline-'));
    try {
      const program = join(home, 'cline');
      const told = `const { fstatSync, readFileSync } = require('node:fs');
console.log(JSON.stringify([fstatSync(0).isFIFO(), readFileSync(0, 'utf8'), process.argv.slice(2)]));`;
      writeFileSync(program, `#!${process.execPath}\n${told}\n`);
      chmodSync(program, 0o755);
      const { program: shell, args, stdin } = launch(begin, say, { folder: home, program, extra: ['a b'] });
      const said = execFileSync(shell, args, { input: stdin ?? '', encoding: 'utf8' });
      expect(JSON.parse(said)).toEqual([true, 'go on', ['a b']]);
    } finally {
      rmSync(home, { recursive: true, force: true });
    }
  },
);

test('a copy, and an agent that a session started, are refused', () => {
  expect(() => made({ ...goOn, fork: true }, say)).toThrow('in a copy');
  expect(() => made({ kind: 'continue', session: { ...session, parent: '1794_b' } }, say)).toThrow(
    'an agent',
  );
});
