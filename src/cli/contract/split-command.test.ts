import { expect, test } from 'vitest';
import { joinCommand } from '../../core/base/command-line.ts';
import { splitCommand } from './split-command.ts';

test.each([
  ['npm test', ['npm', 'test']],
  ['  npm   test  ', ['npm', 'test']],
  [`grep "two words" 'and $HOME'`, ['grep', 'two words', 'and $HOME']],
  [`echo "a \\"b\\" \\\\ c"`, ['echo', 'a "b" \\ c']],
  [`echo 'it'\\''s'`, ['echo', "it's"]],
  [`a\\ b c`, ['a b', 'c']],
  [`run ""`, ['run', '']],
  ['npm test | tee x && y', ['npm', 'test', '|', 'tee', 'x', '&&', 'y']],
  ['echo trailing\\', ['echo', 'trailing\\']],
])('%s', (command, words) => {
  expect(splitCommand(command)).toEqual(words);
});

test('a quote left open and a command without words are refused', () => {
  expect(() => splitCommand('echo "abc')).toThrow('A quote is left open');
  expect(() => splitCommand("echo 'abc")).toThrow('A quote is left open');
  expect(() => splitCommand('   ')).toThrow('empty');
});

test('what was split is shown as one would type it', () => {
  for (const words of [
    ['npm', 'test'],
    ['a b', "it's", '$HOME', ''],
    ['x', '\n'],
  ])
    expect(splitCommand(joinCommand(words))).toEqual(words);
  expect(joinCommand(['npm', 'run', 'a b'])).toBe("npm run 'a b'");
});
