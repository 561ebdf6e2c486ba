import type { Trigger } from '../journal/event.ts';
import { triggerKinds } from '../journal/trigger.ts';

/** It leaves no time to mend anything. */
export function isEmergency(trigger: Trigger): boolean {
  return triggerKinds[trigger].isEmergency;
}
