/** P9: what the scanner knows, it finds in every form in which captured text holds it. */
import { describe, expect, test } from 'vitest';
import { createRedactor } from '../../src/core/redact/redactor.ts';
import { forms, type Form } from './forms.ts';
import { kinds, Random, type Kind } from './kinds.ts';

const redactor = createRedactor({ key: Buffer.alloc(32, 3) });
const samples = 20;

async function missed(kind: Kind, form: Form): Promise<string[]> {
  const left: string[] = [];
  for (let i = 0; i < samples; i += 1) {
    const sample = kind.make(new Random(`${kind.name} ${i}`));
    const { value } = await redactor.text(form.write(sample, kind));
    if (sample.secrets.some((secret) => form.shows(value, secret))) left.push(value);
  }
  return left;
}

test('the set holds at least 26 kinds', () => {
  expect(new Set(kinds.map(({ name }) => name)).size).toBeGreaterThanOrEqual(26);
});

describe.each(forms.filter(({ required }) => required))('$name', (form) => {
  test.each(kinds)('no $name is left', async (kind) => {
    expect(await missed(kind, form)).toEqual([]);
  });
});

test.each(forms.filter(({ required }) => !required))('$name: at most one kind shows', async (form) => {
  const shown: string[] = [];
  for (const kind of kinds) if ((await missed(kind, form)).length > 0) shown.push(kind.name);
  expect(shown.slice(1)).toEqual([]);
});

test('the text of a sample is found only because of what it is: its form alone is not touched', async () => {
  const harmless = { text: 'nothing at all', secrets: [] };
  for (const form of forms) {
    const text = form.write(harmless, { name: '', variable: 'EDITOR', make: () => harmless });
    expect((await redactor.text(text)).value).toBe(text);
  }
});
