import type { Trigger } from '../journal/event.ts';

/** Triggers that leave no time to mend anything. */
const emergencies: ReadonlySet<Trigger> = new Set(['context-limit', 'usage-limit', 'timeout', 'crash']);

export function isEmergency(trigger: Trigger): boolean {
  return emergencies.has(trigger);
}
