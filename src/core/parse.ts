import type * as z from 'zod/mini';
import { StaffettaError } from './error.ts';

/** What comes from outside becomes a value we trust, or a refusal that names the field and the reason. */
export function parse<T extends z.ZodMiniType>(schema: T, value: unknown, what: string): z.infer<T> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.map(describeIssue);
  throw new StaffettaError('invalid-input', `${what}: ${issues.slice(0, 3).join('; ')}`, {
    details: { issues },
  });
}

function describeIssue(issue: z.core.$ZodIssue): string {
  const path = issue.path.map(String).join('.');
  if (issue.code === 'unrecognized_keys')
    return `${path === '' ? '' : `${path}: `}unknown field ${issue.keys.join(', ')}`;
  return path === '' ? issue.message : `${path}: ${issue.message}`;
}
