import { expect, test } from 'vitest';
import { folderWords } from './proven-words.ts';

test('the folder is said to be as it was only where every fact is still true', () => {
  const same = { standing: 'same' };
  expect(folderWords({ unseen: null, drift: [same, same] })).toMatch(/as it was when this was sealed/);
  expect(folderWords({ unseen: null, drift: [same, { standing: 'undone' }] })).toMatch(/is another now/);
});

test('a folder that cannot be seen, or compared, is not called the same', () => {
  expect(folderWords({ unseen: 'It is gone.', drift: null })).toBe(
    'The folder was not looked at. It is gone.',
  );
  expect(folderWords({ unseen: null, drift: null })).toBeNull();
});
