import { expect, test } from 'vitest';
import { commandFrom, commandIn } from './contract-commands.ts';

test('a name before a colon names the command', () => {
  expect(commandFrom('unit: npm test')).toEqual({ name: 'unit', run: ['npm', 'test'] });
  expect(commandFrom('npm run test:unit')).toEqual({ run: ['npm', 'run', 'test:unit'] });
  expect(commandFrom('count: wc -l x | cat', { shell: true, timeoutMs: 5 })).toEqual({
    name: 'count',
    run: ['wc -l x | cat'],
    shell: true,
    timeoutMs: 5,
  });
});

test('what only a shell understands is refused without one, but for what is quoted', () => {
  for (const line of ['a | b', 'a && b', 'a > b', 'a ; b', 'a 2>&1'])
    expect(() => commandFrom(line)).toThrow(/only a shell understands/);
  expect(() => commandFrom('FOO=1 true')).toThrow('"FOO=1 true" sets FOO first');
  expect(() => commandFrom('unit: FOO=1 npm test')).toThrow(/sets FOO first/);
  expect(commandFrom('env FOO=1 true')).toEqual({ run: ['env', 'FOO=1', 'true'] });
  expect(commandFrom('FOO=1 true', { shell: true })).toEqual({ run: ['FOO=1 true'], shell: true });
  expect(commandFrom(`grep '|' "a && b"`)).toEqual({ run: ['grep', '|', 'a && b'] });
});

test('a command in a file is a text, words, or an object with a time in words', () => {
  expect(commandIn('npm test')).toEqual({ run: ['npm', 'test'] });
  expect(commandIn(['npm', 'test'])).toEqual({ run: ['npm', 'test'] });
  expect(commandIn({ run: ['npm', 'test'], timeout: '2m' })).toEqual({
    run: ['npm', 'test'],
    timeoutMs: 120_000,
  });
  expect(commandIn({ run: 'a | b', shell: true })).toEqual({ run: ['a | b'], shell: true });
  expect(commandIn(7)).toBe(7);
});
