import { expect, test } from 'vitest';
import { chapterAt } from './chapters.ts';

const facts = { runtime: 'codex', session: 'abc', model: 'o9', title: null };
const about = {
  sessions: [
    { facts, rewritten: false },
    { facts: { ...facts, session: 'def' }, rewritten: true },
  ],
  legs: [
    { ref: 1, generation: 1, agent: 'ada', lane: 'plan' },
    { ref: 10, generation: 2, agent: 'bea', lane: 'execute' },
  ],
} as never;

test('the first step begins a chapter', () => {
  expect(chapterAt(about, undefined, { ref: 1, session: 0 })).toMatchObject({
    leg: { agent: 'ada' },
    session: 'codex, abc, o9',
  });
});

test('a step of the same leg and session goes on', () => {
  expect(chapterAt(about, { ref: 1, session: 0 }, { ref: 5, session: 0 })).toBeUndefined();
});

test('another leg, or another session, begins a chapter', () => {
  expect(chapterAt(about, { ref: 5, session: 0 }, { ref: 12, session: 0 })).toMatchObject({
    leg: { agent: 'bea' },
  });
  expect(chapterAt(about, { ref: 12, session: 0 }, { ref: 13, session: 1 })?.session).toContain(
    'rewritten later',
  );
});
