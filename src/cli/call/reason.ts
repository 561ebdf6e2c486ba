import { text } from '../frame/values.ts';
import type { Values } from '../frame/spec.ts';
import { UsageError } from '../frame/usage.ts';

/** Commands that end something for good take a reason, which goes on record. */
export function requiredWhy(values: Values, command: string, about = 'TASK'): string {
  const why = text(values, 'why');
  if (why === undefined)
    throw new UsageError(
      `${command} needs --why: the reason goes on record.`,
      `E.g. staffetta ${command} ${about} --why TEXT`,
    );
  return why;
}
