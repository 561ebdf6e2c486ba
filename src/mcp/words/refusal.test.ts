import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { errorCodes, StaffettaError } from '../../core/base/error.ts';
import { errorResult } from './answer.ts';
import { commandsAsTools } from './next-calls.ts';
import { refusalOf } from './refusal.ts';

const sources = join(import.meta.dirname, '../..');

test('every code becomes a refusal that names it and proposes nothing destructive', () => {
  for (const code of errorCodes) {
    const refusal = refusalOf(new StaffettaError(code, 'It did not work.', { details: { task: 't1' } }));
    expect(refusal).toMatchObject({ code, message: 'It did not work.', details: { task: 't1' } });
    expect(refusal.next.join(' ')).not.toMatch(/cancel|sweep|--force|rm /);
  }
});

test('a bug of ours is an answer too, and says that nothing was acknowledged', () => {
  const refusal = refusalOf(new TypeError('x is not a function'));
  expect(refusal).toMatchObject({ code: 'bug', retryable: false, next: ['status'] });
  expect(refusal.message).toContain('x is not a function');
});

test('commands in a hint become tools, for those that have no shell', () => {
  expect(commandsAsTools('See: staffetta show t4k9')).toBe('See: the tool status with task t4k9');
  expect(commandsAsTools('staffetta show t4k9 s42')).toBe('the tool read with task t4k9 and what: s42');
  expect(commandsAsTools('Take it first: staffetta take t4k9')).toBe(
    'Take it first: the tool take with task t4k9',
  );
  expect(commandsAsTools('Run: staffetta verify')).toBe('Run: staffetta verify');
  expect(commandsAsTools('First: staffetta ack t4k9 --as bea --goal TEXT --gate TEXT --next TEXT')).toBe(
    'First: the tool take with task t4k9 and acknowledge: { goal, gate, next }',
  );
  expect(commandsAsTools('Hand over (staffetta handoff with --next and the others).')).toBe(
    'Hand over (the tool seal with as: handoff with nextAction and the others).',
  );
});

test('a command is a tool as a whole or stays one as a whole', () => {
  const layers = ['core', 'handoff', 'compose', 'stores', 'workspace', 'mcp'];
  const hints = layers.flatMap((layer) =>
    globSync(`${layer}/**/*.ts`, { cwd: sources })
      .filter((path) => !path.endsWith('.test.ts') && path !== 'mcp/next-calls.ts')
      .flatMap((path) =>
        [...readFileSync(join(sources, path), 'utf8').matchAll(/'[^'\n]*'|`[^`\n]*`/g)]
          .map(([quoted]) => quoted.slice(1, -1).replaceAll(/\$\{[^}]*\}/g, 't4k9'))
          .filter((text) => /staffetta [a-z]+ .*--[a-z]/.test(text)),
      ),
  );
  expect(hints.length).toBeGreaterThan(20);
  for (const hint of hints) {
    const told = commandsAsTools(hint);
    const left = [...told.matchAll(/staffetta [a-z]+[^.;,()`]*/g)].map(([one]) => one.trim());
    expect({ hint, halves: left.filter((one) => !hint.includes(one)) }).toEqual({ hint, halves: [] });
    expect({ hint, halves: /the tool [^.;,]* --[a-z]/.exec(told) }).toEqual({ hint, halves: null });
  }
});

test('what a message quotes is cut, and what it hides is shown', () => {
  const error = new StaffettaError('invalid-input', `\u001b[31m${'x'.repeat(100_000)}`);
  const [content] = errorResult(error).content;
  const text = content?.type === 'text' ? content.text : '';
  expect(text.length).toBeLessThan(5000);
  expect(text).not.toContain('\u001b');
});
