import { expect, test } from 'vitest';
import { jsonText } from './json-text.ts';

const evil = { text: 'a\u001b[2J\u009b31m\u202eb\u200bc\u2028\ufeff\u007f', tag: '\u{e0041}\u{e007f}' };

test('nothing that a terminal obeys or hides is left, and nothing is lost', () => {
  expect(jsonText(evil)).toMatch(/^[\u0020-\u007e]*$/);
  expect(JSON.parse(jsonText(evil))).toEqual(evil);
});

test('everything else stays as people write it', () => {
  const plain = { name: '日本', picture: '👩‍💻❤️'.replace('\u200d', ''), list: [1, null, true] };
  expect(jsonText(plain)).toBe(JSON.stringify(plain));
});
