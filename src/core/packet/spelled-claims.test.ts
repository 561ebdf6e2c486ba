import { expect, test } from 'vitest';
import { artefactFrom, claimFrom, questionFrom } from './spelled-claims.ts';

test('evidence stands in brackets at the end of a claim, and other brackets are part of it', () => {
  expect(claimFrom('the limiter counts [j12, file:src/limit.ts]')).toEqual({
    text: 'the limiter counts',
    evidence: ['j12', 'file:src/limit.ts'],
  });
  for (const plain of ['takes [a list]', 'a[0] is set', '[j12]', 'see [j12] there', 'an empty list []'])
    expect(claimFrom(plain)).toBe(plain);
});

test('a question says who answers before a colon, and other colons are part of it', () => {
  expect(questionFrom('agent:ada: Is one second enough?')).toEqual({
    owner: 'agent:ada',
    text: 'Is one second enough?',
  });
  expect(questionFrom('lane:audit: Left or right: which?')).toEqual({
    owner: 'lane:audit',
    text: 'Left or right: which?',
  });
  for (const who of ['human', 'Human', 'person', 'user'])
    expect(questionFrom(`${who}: May it go?`)).toEqual({ owner: 'human', text: 'May it go?' });
  expect(questionFrom('human:eve: May it go?')).toEqual({ owner: 'human:eve', text: 'May it go?' });
  for (const text of [
    'Note: is it?',
    'agent: is it?',
    'human:',
    'human:e/../e: is it?',
    'lane:nowhere: is it?',
    'agent:ada',
  ])
    expect(questionFrom(text)).toEqual({ text });
});

test('an artefact says why after a colon and a space, and other colons are part of its path', () => {
  expect(artefactFrom('nested: vendored copy: not part of this')).toEqual({
    path: 'nested',
    why: 'vendored copy: not part of this',
  });
  for (const path of ['src/limit.ts', 'C:\\work\\a.txt', 'a:b', 'nested: ', ': why'])
    expect(artefactFrom(path)).toEqual({ path });
});
