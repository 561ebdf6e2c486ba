/** What is the same for every program that is started. */
import { expect, test } from 'vitest';
import { allRuntimes } from '../../src/runtimes/index.ts';

const runtimes = allRuntimes({ HOME: '/h', PATH: '' });
const alone = (texts: readonly string[]): boolean =>
  texts.some((text) => text.startsWith('Without a terminal'));
const start = { kind: 'new', id: '0b0f7a3e-6d0c-4a53-9f0d-2f6d6c1f9a11' } as const;

test.each(runtimes)('$name gets further arguments as they are, before its prompt', (runtime) => {
  const extra = ['--one', 'two words'];
  const { args } = runtime.launch(start, { kind: 'headless', text: 'go' }, { folder: '/w', extra });
  expect(args[args.indexOf('--one') + 1]).toBe('two words');
  const talk = runtime.launch(start, { kind: 'terminal', file: '/p.md' }, { folder: '/w', extra });
  const named = talk.args.findIndex((arg) => arg.includes('/p.md'));
  expect(named).toBeGreaterThan(talk.args.indexOf('two words'));
});

test.each(runtimes)('$name tells what it does without a person to ask', async (runtime) => {
  expect(alone(await runtime.hazards('headless'))).toBe(true);
  expect(alone(await runtime.hazards('terminal'))).toBe(false);
});
