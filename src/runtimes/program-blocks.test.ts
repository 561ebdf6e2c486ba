import { expect, test } from 'vitest';
import { blockPattern, partBlocks } from './program-blocks.ts';

const opening = blockPattern(['note']);
const words = (text: string): string => partBlocks(text, opening).words;

test.each([
  ['before', '<note>a</note>\n\nwrite the changelog', 'write the changelog'],
  ['behind', 'write the changelog\n<note>a</note>', 'write the changelog'],
  ['before, and on their line', '<note>a</note>\n\nwrite the changelog<note>b</note>', 'write the changelog'],
  ['on both sides of their line', '<note>a</note>write the changelog<note>b</note>\n', 'write the changelog'],
  ['on both sides, with one in it', '<note>a <note>b</note></note>\nwrite<note>c</note>', 'write'],
  ['between two others', '<note>a</note>\none\n<note>b</note>\ntwo', 'one\ntwo'],
  ['that shows an end in quotes', '<note>ends with "</note>" here</note>\nwrite', 'write'],
  ['that shows a beginning in quotes', '<note>a `</note>` and `<note>` b</note>\nwrite', 'write'],
])('a block %s leaves the words', (_, text, left) => {
  expect(words(text)).toBe(left);
});

test('a tag that a user speaks of within a line is theirs', () => {
  const said = 'what does <note>x</note> do here';
  expect(words(said)).toBe(said);
  expect(words(`<note>a</note>\n${said}`)).toBe(said);
});

test('many tags that end nowhere take no longer than they are long', () => {
  const text = `<note>a</note>\n${'x <note>'.repeat(200_000)}`;
  expect(words(text)).toBe(text.slice('<note>a</note>\n'.length));
});
