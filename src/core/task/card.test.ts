import { expect, test } from 'vitest';
import { minute, Play, toAudit } from '../../../test/support/play.ts';
import { ada, bea, dawn, eve } from '../../../test/support/world.ts';
import { cardOf } from './card.ts';

test('the card of a held task says who holds it and in which lane', () => {
  expect(cardOf(new Play().begin(ada).state)).toEqual({
    task: 't000000000042',
    title: 'Mend the fence',
    status: 'held',
    lane: 'execute',
    holder: 'ada',
    generation: 1,
    to: null,
    notBefore: null,
    expiresAt: null,
    openedAt: dawn,
    updatedAt: dawn,
    seq: 0,
    dead: false,
    waiting: 0,
  });
});

test('the card of an offered task says to whom, from when and until when', () => {
  const play = new Play().open(ada, { first: { ...toAudit, notBefore: dawn + minute, expiresMs: minute } });
  expect(cardOf(play.state)).toMatchObject({
    status: 'offered',
    lane: 'audit',
    holder: null,
    to: 'lane:audit',
    notBefore: dawn + minute,
    expiresAt: dawn + 2 * minute,
  });
});

test('a card counts what waits: questions and unread messages', () => {
  const play = new Play().begin(bea);
  play.run(bea, { type: 'carry', generation: 1, events: [{ type: 'decision-raised', question: 'Oak?' }] });
  play.run(eve, { type: 'message', text: 'Hurry.' });
  play.run(eve, { type: 'message', text: 'Please.' });
  expect(cardOf(play.state).waiting).toBe(3);
});

test('the card of work between two holders keeps the lane it was in', () => {
  const play = new Play().begin(ada);
  play.run(ada, { type: 'escalate', generation: 1, text: 'I am stuck.' });
  expect(cardOf(play.state)).toMatchObject({ status: 'escalated', lane: 'execute', holder: null, to: null });
});
