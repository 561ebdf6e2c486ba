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
    ref: null,
    field: null,
    marks: [],
  };
  return { ...usual, ...more } as Hit;
}

test('hits are put together by task, in the order in which they came', () => {
  const found = byTask([hit(), hit({ task: 't2' }), hit({ where: 'goal' })]);
  expect(found.map(({ task, hits }) => [task, hits.length])).toEqual([
    ['t1', 2],
    ['t2', 1],
  ]);
});

test('marks of the server are taken as they are, and wrong ones left out', () => {
  const marks = [
    { from: 4, to: 7 },
    { from: 5, to: 6 },
    { from: 6, to: 99 },
  ];
  expect(pieces({ text: 'the oak', marks })).toEqual([
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
