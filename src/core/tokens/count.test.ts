import { describe, expect, test } from 'vitest';
import { loadCounter } from './count.ts';
import { factorFor } from './factor.ts';

const count = await loadCounter();

describe('counting tokens', () => {
  test('counts as the published table does', () => {
    expect(count('')).toBe(0);
    expect(count('hello world')).toBe(2);
    expect(count('{"a":[1,2,3],"path":"src/index.ts"}')).toBe(15);
  });

  test('takes the name of a control token for text', () => {
    expect(count('a <|endoftext|> b')).toBeGreaterThan(5);
  });

  test('multiplies by the factor of the target and rounds up', async () => {
    const text = 'export function countLines(text: string): number { return text.length; }';
    const plain = count(text);
    expect((await loadCounter('codex'))(text)).toBe(plain);
    expect((await loadCounter('claude-code'))(text)).toBe(Math.ceil(plain * 1.8));
    expect((await loadCounter('gemini-cli'))(text)).toBe(Math.ceil(plain * 1.25));
  });

  test('knows a model by its family, and takes the largest factor where it does not', () => {
    expect(factorFor('gpt-5')).toBe(1);
    expect(factorFor('anthropic/claude-opus-4-7')).toBe(1.8);
    expect(factorFor('google/gemini-3-pro')).toBe(1.25);
    expect(factorFor('opencode')).toBe(1.8);
    expect(factorFor('something new')).toBe(1.8);
  });

  test('counts a long word in pieces, and what is over a page as bytes', () => {
    expect(count('a'.repeat(1000))).toBeLessThan(200);
    expect(count('a'.repeat(10_000_000))).toBeGreaterThan(9_990_000);
    expect(count('é'.repeat(10_000))).toBeGreaterThan(2 * (10_000 - 4096));
  });

  test('never makes less of the parts than of the whole, line by line', () => {
    const lines = [
      '# A heading\n',
      '\n',
      '- use `pnpm`, never npm! [s12]\n',
      '- {"exit":1,"path":"/a/b"} [s13]\n',
      '\n## Next\n',
      '- done.\n',
      '</data>\n',
    ];
    const parts = lines.reduce((sum, line) => sum + count(line), 0);
    expect(count(lines.join(''))).toBeLessThanOrEqual(parts);
  });
});
