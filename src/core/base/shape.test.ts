import { expect, test } from 'vitest';
import { checkKind, checkShape, type Shape } from './shape.ts';

interface Options {
  readonly to: string;
  readonly leaseMs?: number;
  readonly draft?: boolean;
  readonly reasons?: readonly string[];
  readonly onError?: () => void;
  readonly as?: unknown;
}

const shape: Shape<Options> = {
  to: 'text!',
  leaseMs: 'number',
  draft: 'flag',
  reasons: 'list',
  onError: 'function',
  as: 'any',
};

/** As a caller without a compiler may send them. */
function refusal(given: unknown): unknown {
  try {
    checkShape('open', given as Options, shape);
    return undefined;
  } catch (error) {
    const { code, message, hint } = error as { code: string; message: string; hint?: string };
    return [code, message, hint];
  }
}

test('what has the right kinds passes, and what is undefined counts as not given', () => {
  expect(refusal({ to: 'x' })).toBeUndefined();
  expect(
    refusal({ to: 'x', leaseMs: 1, draft: false, reasons: [], onError: () => {}, as: null }),
  ).toBeUndefined();
  expect(refusal({ to: 'x', leaseMs: undefined })).toBeUndefined();
});

test.each<[unknown, string]>([
  [{}, 'open: to: expected a text, not undefined.'],
  [{ to: 7 }, 'open: to: expected a text, not a number.'],
  [{ to: null }, 'open: to: expected a text, not null.'],
  [{ to: 'x', leaseMs: '5' }, 'open: leaseMs: expected a number, not a text.'],
  [{ to: 'x', leaseMs: 5n }, 'open: leaseMs: expected a number, not 5.'],
  [{ to: 'x', draft: 'yes' }, 'open: draft: expected true or false, not a text.'],
  [{ to: 'x', reasons: 'no' }, 'open: reasons: expected a list, not a text.'],
  [{ to: 'x', onError: true }, 'open: onError: expected a function, not true.'],
  [null, 'open: expected an object, not null.'],
  ['x', 'open: expected an object, not a text.'],
  [['x'], 'open: expected an object, not a list.'],
])('a wrong kind is named (%#)', (given, message) => {
  expect(refusal(given)).toEqual(['invalid-input', message, undefined]);
});

test('a name that does not exist is refused, and the one that was meant is named', () => {
  expect(refusal({ to: 'x', leasMs: 1 })).toEqual([
    'invalid-input',
    'open: there is no option "leasMs".',
    'Did you mean: leaseMs',
  ]);
  expect(refusal({ to: 'x', colour: 1 })).toEqual([
    'invalid-input',
    'open: there is no option "colour".',
    'There are: to, leaseMs, draft, reasons, onError, as',
  ]);
});

test('a single value is checked in the same words', () => {
  expect(() => checkKind('decline: reasons', 'no', 'list')).toThrow(
    'decline: reasons: expected a list, not a text.',
  );
});
