/** Of events that can say more than they once could: what says nothing new is still written as version 1. One content has one form. */
import * as z from 'zod/mini';
import type { EscalationReason } from './event.ts';
import { termsVersion, type Terms } from '../contract/terms.ts';

export const v2 = z.literal([1, 2]);

const reasonsSince2: ReadonlySet<EscalationReason> = new Set(['stalled', 'budget', 'conflict']);

/** The version of an event that escalates for this reason. */
export function reasonVersion(reason: EscalationReason): 1 | 2 {
  return reasonsSince2.has(reason) ? 2 : 1;
}

export const fitsTerms = z.refine<{ readonly v: 1 | 2; readonly terms: Terms }>(
  (event) => event.v === termsVersion(event.terms),
  'expected the version of its terms',
);

export const fitsReason = z.refine<{ readonly v: 1 | 2; readonly reason: EscalationReason }>(
  (event) => event.v === reasonVersion(event.reason),
  'expected the version of its reason',
);

const twoVersions: ReadonlySet<string> = new Set(['task-opened', 'contract-amended', 'escalated']);

/** The highest version that is known of a type. */
export function newestVersion(type: string): number {
  return twoVersions.has(type) ? 2 : 1;
}
