import type { Trigger } from '../core/event.ts';
import { isEmergency } from '../core/emergency.ts';
import type { Values } from './spec.ts';
import { UsageError } from './usage.ts';
import { text } from './values.ts';

/** In an emergency there is no time to mend anything, nor to make a diff. Unless told, the context is what ran out. */
export function triggerFrom(values: Values): Trigger | undefined {
  const given = text(values, 'trigger') as Trigger | undefined;
  if (values['emergency'] !== true) return given;
  if (given !== undefined && !isEmergency(given))
    throw new UsageError(
      `--trigger ${given} is no emergency.`,
      'Leave out --emergency, or say what happened: context-limit, usage-limit, timeout or crash.',
    );
  return given ?? 'context-limit';
}
