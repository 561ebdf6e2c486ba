import { expect, test } from 'vitest';
import { byTask, hitPlace, pieces, type Hit } from './hits.ts';

function hit(more: Partial<Hit> = {}): Hit {
  const usual: Partial<Hit> = {
    task: 't1',
    title: 'Oak',
    status: 'held',
    where: 'note',
    seq: 3,
    text: 'the oak',
  };
  return { ...usual, ...more } as Hit;
}

const matches = (text: string, q: string): string[] =>
  pieces({ text }, q)
    .filter(({ match }) => match)
    .map((piece) => piece.text);

test('hits are put together by task, in the order in which they came', () => {
  const found = byTask([hit(), hit({ task: 't2' }), hit({ where: 'goal' })]);
  expect(found.map(({ task, hits }) => [task, hits.length])).toEqual([
    ['t1', 2],
    ['t2', 1],
  ]);
});

test('the words are marked wherever they stand, and the text is whole', () => {
  expect(matches('The OAK is oak.', 'oak')).toEqual(['OAK', 'oak']);
  expect(matches('a fence of wood', 'wood fence')).toEqual(['fence', 'wood']);
  expect(matches('a(b)*', '(b)*')).toEqual(['(b)*']);
  expect(
    pieces({ text: 'The OAK is oak.' }, 'oak')
      .map(({ text }) => text)
      .join(''),
  ).toBe('The OAK is oak.');
});

test('marks of the server are taken as they are, and wrong ones left out', () => {
  const marks = [
    { from: 4, to: 7 },
    { from: 5, to: 6 },
    { from: 6, to: 99 },
  ];
  expect(pieces({ text: 'the oak', marks }, 'x')).toEqual([
    { text: 'the ', match: false },
    { text: 'oak', match: true },
  ]);
});

test('a hit leads to its exact place', () => {
  expect(hitPlace(hit())).toMatchObject({ view: 'journal', at: 'j3' });
  expect(hitPlace(hit({ ref: 's42' }))).toMatchObject({ view: 'history', at: 's42' });
  expect(hitPlace(hit({ ref: 'd3' }))).toMatchObject({ view: 'journal', at: 'd3' });
  expect(hitPlace(hit({ seq: null }))).toMatchObject({ view: 'packet' });
});
