import type * as z from 'zod/mini';
import { StaffettaError } from './error.ts';
import { quickCheck, quickCopy, unsure } from './quick-copy.ts';

/** What comes from outside becomes a value we trust, or a refusal that names the field and the reason. */
export function parse<T extends z.ZodMiniType>(schema: T, value: unknown, what: string): z.infer<T> {
  return parsedOrRefused(tryParse(schema, value), what);
}

/** The same for what nobody else has in hands: where it fits it is answered itself, and no copy. */
export function parseOwn<T extends z.ZodMiniType>(schema: T, value: unknown, what: string): z.infer<T> {
  return parsedOrRefused(tryParseOwn(schema, value), what);
}

function parsedOrRefused<T>(parsed: z.core.util.SafeParseResult<T>, what: string): T {
  if (parsed.success) return parsed.data;
  const issues = [...new Set(parsed.error.issues.map(describeIssue))];
  throw new StaffettaError('invalid-input', `${what}: ${issues.slice(0, 3).join('; ')}`, {
    details: { issues },
  });
}

/** As the schema library answers, in half the time where the value is sound. */
export function tryParse<T extends z.ZodMiniType>(
  schema: T,
  value: unknown,
): z.core.util.SafeParseResult<z.infer<T>> {
  const copy = quickCopy(schema, value);
  return copy === unsure ? schema.safeParse(value, plain) : { success: true, data: copy as z.infer<T> };
}

export function tryParseOwn<T extends z.ZodMiniType>(
  schema: T,
  value: unknown,
): z.core.util.SafeParseResult<z.infer<T>> {
  return quickCheck(schema, value)
    ? { success: true, data: value as z.infer<T> }
    : schema.safeParse(value, plain);
}

/** A program that loads the whole library gives it sentences of its own for everybody in the process: ours are the same beside it. */
const plain = { error: () => 'Invalid input' };

function describeIssue(issue: z.core.$ZodIssue): string {
  const path = issue.path.map(String).join('.');
  if (issue.code === 'unrecognized_keys')
    return `${path === '' ? '' : `${path}: `}unknown field ${issue.keys.join(', ')}`;
  return path === '' ? issueReason(issue) : `${path}: ${issueReason(issue)}`;
}

/** Our own checks bring their words; the library's are said here. */
export function issueReason(issue: z.core.$ZodIssue): string {
  if (issue.message !== 'Invalid input') return issue.message;
  switch (issue.code) {
    case 'invalid_type':
      return `expected ${expected[issue.expected] ?? issue.expected}`;
    case 'invalid_value':
      return `expected ${issue.values.length === 1 ? '' : 'one of '}${issue.values.map(String).join(', ')}`;
    case 'too_small':
      if (issue.minimum === 1 && issue.origin === 'string') return 'expected some text';
      return `expected at least ${issue.minimum}${unitOf(issue.origin)}`;
    case 'too_big':
      return `expected at most ${issue.maximum}${unitOf(issue.origin)}`;
    default:
      return issue.message;
  }
}

const expected: Readonly<Record<string, string>> = {
  string: 'a text',
  array: 'a list',
  object: 'an object',
  int: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
};

function unitOf(origin: string): string {
  return origin === 'string' ? ' characters' : origin === 'array' ? ' items' : '';
}
