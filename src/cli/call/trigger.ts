import type { Trigger } from '../../core/journal/event.ts';
import { emergencies } from '../../core/journal/trigger.ts';
import { isEmergency } from '../../core/packet/emergency.ts';
import type { Values } from '../frame/spec.ts';
import { UsageError } from '../frame/usage.ts';
import { text } from '../frame/values.ts';

/** In an emergency there is no time to mend anything. Unless told, the context is what ran out. */
export function triggerFrom(values: Values): Trigger | undefined {
  const given = text(values, 'trigger') as Trigger | undefined;
  if (values['emergency'] !== true) return given;
  if (given !== undefined && !isEmergency(given))
    throw new UsageError(
      `--trigger ${given} is no emergency.`,
      `Leave out --emergency, or say what happened: ${emergencies.join(', ')}.`,
    );
  return given ?? 'context-limit';
}
