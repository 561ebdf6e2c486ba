import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { runs } from '../../../test/property/seed.ts';
import { addressOf, placeOf, taskViews, type Place } from './place.ts';

const word = fc
  .string({ minLength: 1, maxLength: 12, unit: 'grapheme' })
  .filter((text) => text.isWellFormed());
/** A path cannot have a step that is a dot or two: an address takes them for itself. */
const step = word.filter((text) => text !== '.' && text !== '..');
const optional = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.option(value, { nil: undefined });

function without<T extends object>(given: T): T {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as T;
}

const places: fc.Arbitrary<Place> = fc.oneof(
  fc
    .record({
      lane: optional(word),
      status: optional(word),
      holder: optional(word),
      q: optional(word),
      view: optional(word),
    })
    .map((filter) => ({ page: 'board', filter: without(filter) }) as Place),
  fc.constantFrom<Place>(
    { page: 'inbox' },
    { page: 'overview' },
    { page: 'runs' },
    { page: 'reviews' },
    { page: 'board', filter: { all: true } },
  ),
  step.map((task): Place => ({ page: 'review', task })),
  fc
    .record({ q: word, lane: optional(word), status: optional(word), holder: optional(word) })
    .map((given) => without({ page: 'search', ...given }) as Place),
  fc
    .record({
      task: step,
      view: fc.constantFrom(...taskViews),
      packet: optional(word),
      at: optional(word),
      type: optional(word),
      show: optional(word),
      budget: optional(word),
    })
    .map((given) => without({ page: 'task', ...given }) as Place),
);

test('every place has an address that leads back to it', () => {
  fc.assert(
    fc.property(places, (place) => {
      expect(placeOf(addressOf(place))).toEqual(place);
    }),
    runs(500),
  );
});

test('an address that is no place is said to be unknown', () => {
  for (const address of ['/nowhere', '/tasks', '/tasks/t1/nothing', '/reviews/a/b', '/%E0%A4%A'])
    expect(placeOf(address).page).toBe('unknown');
});
