import { expect, test } from 'vitest';
import { Play } from '../../../test/support/play.ts';
import { ada, bea } from '../../../test/support/world.ts';
import { legLease, standingHere, touchedAt } from './standing.ts';
import { shownCard } from './state.ts';

const nobodys = { generation: 0, until: 7 };
const legs = { generation: 1, until: 9 };

test('a lease of a leg leaves a task as it stands, and so does none', () => {
  const { state } = new Play().offered(ada).take(bea);
  expect(standingHere(state, legs)).toBe(state);
  expect(standingHere(state, null)).toBe(state);
});

test('under a lease that is nobody’s, what is not over is elsewhere, in no hands and on no offer', () => {
  const held = new Play().offered(ada).take(bea).state;
  const offered = new Play().offered(ada).state;
  for (const state of [held, offered])
    expect(standingHere(state, nobodys)).toEqual({ ...state, status: 'elsewhere', leg: null, offer: null });
});

test('what is over is over everywhere', () => {
  const play = new Play().offered(ada).take(bea);
  play.run(bea, { type: 'complete', generation: 1, sealed: null });
  expect(standingHere(play.state, nobodys)).toBe(play.state);
});

test('nobody’s lease says when the task was touched, and is nobody’s to see', () => {
  expect([touchedAt(nobodys), touchedAt(legs), touchedAt(null)]).toEqual([7, null, null]);
  expect([legLease(nobodys), legLease(legs), legLease(null)]).toEqual([null, legs, null]);
});

test('a list shows the lease of a leg only', () => {
  expect(shownCard({ status: 'held', leaseUntil: 7 })).toEqual({ status: 'held', leaseUntil: 7 });
  expect(shownCard({ status: 'done', leaseUntil: 7 })).toEqual({ status: 'done', leaseUntil: null });
  expect(shownCard({ status: 'elsewhere', leaseUntil: 7 })).toEqual({
    status: 'elsewhere',
    leaseUntil: null,
  });
});
