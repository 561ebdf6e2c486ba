/**
 * What a token stands for: who speaks, about which task, under which generation, and with which verbs. The token itself is 256 random
 * bits; only its SHA-256 is kept, as the name of the grant.
 */
import * as z from 'zod/mini';
import { Actor, isPerson } from '../../core/task/actor.ts';
import { StaffettaError } from '../../core/base/error.ts';
import { TaskId } from '../../core/journal/id.ts';
import { sha256Hex } from '../../core/journal/sha256.ts';
import { Name } from '../../core/base/text.ts';
import type { Entropy } from '../../ports/entropy.ts';
import { ServerLife } from './life.ts';
import { agentVerbs, verbs } from '../contract/verbs.ts';

const Millis = z.int().check(z.minimum(0));

export const Grant = z.strictObject({
  v: z.literal(1),
  id: z.string().check(z.regex(/^[0-9a-f]{12}$/)),
  /** A cookie is worth nothing in an Authorization header, and the other way round. */
  use: z.enum(['bearer', 'cookie']),
  actor: Actor,
  task: z.nullable(TaskId),
  /**
   * Where it is set, the token is worth nothing once that generation no longer holds the task, or if somebody else is given it. It may
   * be the next one, which nobody has yet.
   */
  generation: z.nullable(z.int().check(z.minimum(1))),
  /** The leg with which it ends, where it is for more than that leg's task. */
  leg: z.optional(z.strictObject({ task: TaskId, generation: z.int().check(z.minimum(1)) })),
  /** Of what an agent signed in for: the server at which it did. It ends with that one, and is worth nothing at another. */
  server: z.optional(ServerLife),
  verbs: z.array(z.enum(verbs)).check(z.minLength(1)),
  createdAt: Millis,
  createdBy: Name,
  expiresAt: Millis,
});
export type Grant = z.infer<typeof Grant>;

export type NewGrant = Omit<Grant, 'v' | 'id'>;

const tokenPattern = /^stf_[A-Za-z0-9_-]{43}$/;

export function newToken(entropy: Entropy): string {
  return `stf_${Buffer.from(entropy.bytes(32)).toString('base64url')}`;
}

/** The name a token is kept under; undefined for what cannot be one. */
export function hashOf(token: string): string | undefined {
  return tokenPattern.test(token) ? sha256Hex(token) : undefined;
}

export function idOf(hash: string): string {
  return hash.slice(0, 12);
}

/** Why this actor may not give that grant; undefined if it may. A person may give any; an agent only less than it has itself. */
export function refuseGrant(
  by: Actor,
  { actor, verbs: asked }: Pick<NewGrant, 'actor' | 'verbs'>,
): StaffettaError | undefined {
  if (actor.kind === 'system') return new StaffettaError('denied', 'Nobody speaks as the system.');
  if (isPerson(by)) return undefined;
  const hint = 'A person makes it, at a terminal of their own.';
  if (actor.kind === 'human')
    return new StaffettaError('denied', 'Only a person can make a token that speaks as a person.', { hint });
  if (actor.name !== by.name)
    return new StaffettaError('denied', `${by.name} cannot make a token that speaks as ${actor.name}.`, {
      hint,
    });
  if (actor.lane !== by.lane)
    return new StaffettaError('denied', `${by.name} cannot make a token for another lane than its own.`, {
      hint,
    });
  const shaken = (by.lineage ?? []).filter((name) => !(actor.lineage ?? []).includes(name));
  if (shaken.length > 0)
    return new StaffettaError(
      'denied',
      `A token made by ${by.name} names who spawned it: ${shaken.join(', ')}.`,
      { details: { lineage: shaken }, hint },
    );
  const over = asked.filter((verb) => !agentVerbs.includes(verb));
  if (over.length === 0) return undefined;
  return new StaffettaError('denied', `Only a person can make a token that may ${over.join(' and ')}.`, {
    details: { verbs: over },
    hint,
  });
}

/** Why this actor may not revoke that grant; undefined if it may. A person may revoke any; an agent only its own. */
export function refuseRevoking(by: Actor, { id, actor }: Grant): StaffettaError | undefined {
  if (isPerson(by) || (actor.kind === 'agent' && actor.name === by.name)) return undefined;
  return new StaffettaError('denied', `${by.name} cannot revoke the token ${id} of ${actor.name}.`, {
    details: { id, name: actor.name },
    hint: 'An agent revokes its own tokens. A person can revoke any, at a terminal of their own.',
  });
}
