import { describe, expect, test } from 'vitest';
import { isStaffettaError, type StaffettaError } from '../base/error.ts';
import { readEvent, upcasts, type Upcast } from './upcast.ts';

function refusal(raw: unknown, table?: ReadonlyMap<string, Upcast>): StaffettaError {
  try {
    readEvent(raw, table);
  } catch (error) {
    if (isStaffettaError(error)) return error;
    throw error;
  }
  throw new Error('it was read');
}

/** As if notes had once had a `body`, and before that a list of `lines`. */
const table: ReadonlyMap<string, Upcast> = new Map<string, Upcast>([
  ['note@-1', ({ lines, ...rest }) => ({ ...rest, v: 0, body: (lines as string[]).join('\n') })],
  ['note@0', ({ body, ...rest }) => ({ ...rest, v: 1, text: body })],
]);

describe('lifting old events', () => {
  test('an event of today is read as it is', () => {
    const event = { type: 'note', v: 1, text: 'x' };
    expect(readEvent(event)).toEqual(event);
    expect(readEvent(event, table)).toEqual(event);
  });

  test('an old event is lifted one version at a time, as far as it takes', () => {
    expect(readEvent({ type: 'note', v: 0, body: 'x' }, table)).toEqual({ type: 'note', v: 1, text: 'x' });
    expect(readEvent({ type: 'note', v: -1, lines: ['x', 'y'] }, table)).toEqual({
      type: 'note',
      v: 1,
      text: 'x\ny',
    });
  });

  test('a type that is gone can be lifted to the one that took its place', () => {
    const renamed = new Map<string, Upcast>([
      ['remark@1', ({ remark }) => ({ type: 'note', v: 1, text: remark })],
    ]);
    expect(readEvent({ type: 'remark', v: 1, remark: 'x' }, renamed)).toEqual({
      type: 'note',
      v: 1,
      text: 'x',
    });
  });

  test('the stored event itself is left as it is', () => {
    const stored = Object.freeze({ type: 'note', v: 0, body: 'x' });
    readEvent(stored, table);
    expect(stored).toEqual({ type: 'note', v: 0, body: 'x' });
  });

  test('an old event that was damaged is still damaged after lifting', () => {
    expect(refusal({ type: 'note', v: 0, body: 7 }, table).code).toBe('corrupt');
  });

  test('every lift in the table leads to a known event, one version up', () => {
    for (const key of upcasts.keys()) expect(key).toMatch(/^[a-z-]+@\d+$/);
  });
});

describe('events that cannot be read', () => {
  test('a newer version of a known event asks for an update', () => {
    const error = refusal({ type: 'note', v: 2, text: 'x', mood: 'glad' });
    expect(error.code).toBe('store-newer');
    expect(error.details).toEqual({ type: 'note', v: 2 });
    expect(error.hint).toContain('Update');
  });

  test('a type that nobody knows yet asks for an update', () => {
    expect(refusal({ type: 'task-teleported', v: 1 }).code).toBe('store-newer');
  });

  test.each([
    ['a missing field', { type: 'note', v: 1 }],
    ['a field too many', { type: 'note', v: 1, text: 'x', mood: 'glad' }],
    ['a field of the wrong kind', { type: 'note', v: 1, text: 7 }],
    ['no version', { type: 'note', text: 'x' }],
    ['a version in words', { type: 'note', v: '1', text: 'x' }],
    ['a version before the first', { type: 'note', v: 0, text: 'x' }],
    ['no type', { v: 1 }],
    ['null', null],
    ['text', 'note'],
    ['nothing', undefined],
  ])('%s is damage', (_what, raw) => {
    expect(refusal(raw).code).toBe('corrupt');
  });
});
