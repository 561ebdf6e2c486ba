import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { Contract } from '../contract/contract.ts';
import { isStaffettaError, type StaffettaError } from './error.ts';
import { parse } from './parse.ts';

function refusal(schema: z.ZodMiniType, value: unknown): StaffettaError {
  try {
    parse(schema, value, 'contract');
  } catch (error) {
    if (isStaffettaError(error)) return error;
  }
  throw new Error('it was not refused');
}

test('a refusal names what was read, the field and the reason', () => {
  const error = refusal(Contract, { v: 1, title: 'a\nb', goal: 'g' });
  expect(error.code).toBe('invalid-input');
  expect(error.message).toBe('contract: title: expected one line without control characters');
  expect(error.details['issues']).toHaveLength(1);
});

test('a field deep inside is named by its whole path', () => {
  const error = refusal(Contract, { v: 1, title: 't', goal: 'g', acceptance: ['fine', ' '] });
  expect(error.message).toBe('contract: acceptance.1: expected some text');
});

test('a field that nobody knows is named, at the top and further down', () => {
  expect(refusal(Contract, { v: 1, title: 't', goal: 'g', gaol: 'x' }).message).toBe(
    'contract: unknown field gaol',
  );
  expect(refusal(Contract, { v: 1, title: 't', goal: 'g', review: { woner: 'anyone' } }).message).toBe(
    'contract: review: unknown field woner',
  );
});

test('three reasons are said and all are listed', () => {
  const error = refusal(Contract, {
    v: 1,
    title: 't',
    goal: ' ',
    constraints: [' ', ' '],
    nonGoals: [' '],
    kind: 'a\nb',
  });
  expect(error.details['issues']).toHaveLength(5);
  expect(error.message.split(';')).toHaveLength(3);
});

test('a value of the wrong kind is refused in the same words beside a program that has set others', () => {
  const before = z.config();
  const localeError = before.localeError;
  z.config({ localeError: () => 'words of another program' });
  try {
    expect(refusal(Contract, 7).message).toBe('contract: expected an object');
  } finally {
    z.config({ localeError });
  }
});

test('what fits is returned as a value of its own', () => {
  const given = { v: 1, title: 't', goal: 'g' };
  expect(parse(Contract, given, 'contract')).toEqual(given);
});
