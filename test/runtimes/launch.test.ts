/** What is the same for every program that is started. */
import { expect, test } from 'vitest';
import { allRuntimes } from '../../src/runtimes/index.ts';

const runtimes = allRuntimes({ HOME: '/h', PATH: '' });
const start = { kind: 'new', id: '0b0f7a3e-6d0c-4a53-9f0d-2f6d6c1f9a11' } as const;

test.each(runtimes)('$name gets further arguments as they are, before its prompt', ({ launch }) => {
  const extra = ['--one', 'two words'];
  for (const prompt of [
    { kind: 'headless', text: 'go' },
    { kind: 'terminal', file: '/p.md' },
  ] as const) {
    const { args } = launch(start, prompt, { folder: '/w', extra });
    const at = args.indexOf('--one');
    expect(args[at + 1]).toBe('two words');
    const named = args.findIndex((arg) => arg.includes('/p.md'));
    if (prompt.kind === 'terminal') expect(named).toBeGreaterThan(at);
  }
});

test.each(runtimes)('$name tells what it does without a person to ask', async ({ hazards }) => {
  expect((await hazards('headless')).some((text) => text.startsWith('Without a terminal'))).toBe(true);
  expect((await hazards('terminal')).some((text) => text.startsWith('Without a terminal'))).toBe(false);
});
