import * as z from 'zod/mini';
import { limits } from '../base/limits.ts';
import { IdempotencyKey, Name } from '../base/text.ts';
import { lanes } from './lanes.ts';

export const Lane = z.enum(lanes);
export type Lane = z.infer<typeof Lane>;

export function isLane(value: string): value is Lane {
  return (lanes as readonly string[]).includes(value);
}

/**
 * Who speaks. `lineage` names the agents that spawned this one, nearest first: an author's children
 * may not approve its work. `session` tells two processes of one name apart.
 */
export const Actor = z.strictObject({
  name: Name,
  kind: z.enum(['agent', 'human', 'system']),
  lane: z.optional(Lane),
  runtime: z.optional(Name),
  session: z.optional(IdempotencyKey),
  lineage: z.optional(z.array(Name).check(z.maxLength(limits.lineageMax))),
});
export type Actor = z.infer<typeof Actor>;

export const systemActor: Actor = { name: 'staffetta', kind: 'system' };

/** Two sessions of one program may have one name. Where one of them says no session, the name decides. */
export function isSameHolder(one: Actor, other: Actor): boolean {
  return (
    one.name === other.name &&
    (one.session === undefined || other.session === undefined || one.session === other.session)
  );
}

/** Whatever an agent spawned speaks for nobody but agents, whatever it calls itself. */
export function isPerson({ kind, lineage = [] }: Actor): boolean {
  return kind === 'human' && lineage.length === 0;
}

/** Humans, and agents in the supervise lane, may route, cancel and re-drive work they do not hold. */
export function mayDirect(actor: Actor): boolean {
  return actor.kind !== 'agent' || actor.lane === 'supervise';
}
