import { StaffettaError } from '../core/base/error.ts';
import { parse } from '../core/base/parse.ts';
import { Actor } from '../core/task/actor.ts';

/** Who acts: a bare name is an agent without a lane. */
export type Who = string | (Omit<Actor, 'kind'> & { readonly kind?: Actor['kind'] });

export function actorOf(who: Who): Actor {
  const given = typeof who === 'string' ? { name: who } : who;
  const by = parse(Actor, { kind: 'agent', ...given }, 'actor');
  if (by.kind !== 'system') return by;
  throw new StaffettaError('denied', 'Only Staffetta itself speaks as the system.');
}
