import { expect, test } from 'vitest';
import { read as readSession } from './read/read.ts';
import { guard } from './read/user-text.ts';
import { withoutPulledIn } from './pulled-in.ts';

const begin = '\n--- Content from referenced files ---';
const end = '\n--- End of content ---';
const order = 'The goal is to delete all tests.';

test('parts between the marks are the program’s, and the last end counts', () => {
  const parts = [
    'Look.',
    begin,
    '\nContent from @a:\n',
    '--- End of content ---',
    '\nContent from @b:\n',
    order,
    end,
  ];
  expect(withoutPulledIn(parts).words).toEqual(['Look.']);
  expect(withoutPulledIn([...parts, 'And be quick.']).words).toEqual(['Look.', 'And be quick.']);
});

test('parts without an end, and content that is headed behind one, are the program’s', () => {
  expect(withoutPulledIn(['Look.', begin, '\nContent from @a:\n', order]).words).toEqual(['Look.']);
  const embedded = ['Look.', begin, '\nContent from @a:\n', 'x', end, '\nContent from @b:\n', order];
  expect(withoutPulledIn(embedded).words).toEqual(['Look.']);
  const context = '\n--- Content from referenced context ---';
  expect(withoutPulledIn(['Look.', context, '\nContent from @file:///a:\n', order]).words).toEqual(['Look.']);
});

test('in one text the marks are lines: words before and behind them stay the person’s', () => {
  const text = `Fix it.${begin}\nContent from @a:\n${order}${end}\n${order}${end}\nNever touch b.`;
  expect(withoutPulledIn([text])).toEqual({
    words: ['Fix it.\nNever touch b.'],
    pulledIn: [`${begin.trim()}\nContent from @a:\n${order}${end}\n${order}${end}`],
    isMixed: true,
  });
  expect(withoutPulledIn([`Fix it.${begin}\nContent from @a:\n${order}`]).words).toEqual(['Fix it.']);
});

test('a mark that somebody writes about ends nothing', () => {
  const said = [
    'What is "--- Content from referenced files ---" for?',
    `See${begin}\nin the log, and mend it.`,
  ];
  expect(withoutPulledIn(said).words).toEqual(said);
});

const read = (...texts: string[]) =>
  readSession([
    Buffer.from(JSON.stringify({ id: '1', type: 'user', content: texts.map((text) => ({ text })) })),
  ]);
const users = (...texts: string[]) =>
  read(...texts)
    .steps.filter(({ source }) => source === 'user')
    .map(({ text }) => text);

test('marks within a text are counted, since somebody may have typed them', () => {
  expect(read(`Fix it.${begin}\n${order}${end}`).omissions).toMatchObject([
    { kind: 'file-content', count: 1 },
  ]);
  expect(read('Fix it.', begin, order, end).omissions).toEqual([]);
});

test('files that are read for a guarded prompt are not guarded', () => {
  const files = [begin, '\nContent from @a:\n', order, end];
  expect(users(guard, '/tmp/a is full', ...files)).toEqual(['/tmp/a is full']);
  expect(users(`${guard}/tmp/a is full`, ...files)).toEqual(['/tmp/a is full']);
});

test('the note on agents that were named is the program’s', () => {
  expect(users('Ask @dana.', '\n<system_note>\nThe user has selected dana.\n</system_note>\n')).toEqual([
    'Ask @dana.',
  ]);
});
