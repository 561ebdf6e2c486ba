import * as z from 'zod/mini';
import { isLane, type Actor, type Lane } from './actor.ts';
import { lanes } from './lanes.ts';
import { isName } from '../base/text.ts';

/** Whom an offer is made to. */
export type Address = `agent:${string}` | `lane:${Lane}` | `runtime:${string}` | 'anyone';

export function isAddress(value: string): value is Address {
  if (value === 'anyone') return true;
  const colon = value.indexOf(':');
  if (colon === -1) return false;
  const kind = value.slice(0, colon);
  const rest = value.slice(colon + 1);
  if (kind === 'agent' || kind === 'runtime') return isName(rest);
  return kind === 'lane' && isLane(rest);
}

export const Address = z.custom<Address>(
  (value) => typeof value === 'string' && isAddress(value),
  'expected agent:NAME, lane:LANE, runtime:NAME or anyone',
);

/** Who answers a question of a packet: whom an offer can be made to, or a person, with or without a name. */
export type Owner = Address | 'human' | `human:${string}`;

export function isOwner(value: string): value is Owner {
  if (value === 'human') return true;
  return value.startsWith('human:') ? isName(value.slice('human:'.length)) : isAddress(value);
}

export const Owner = z.custom<Owner>(
  (value) => typeof value === 'string' && isOwner(value),
  'expected human, human:NAME, agent:NAME, lane:LANE, runtime:NAME or anyone',
);

/** For a sentence. */
export function ownerWords(owner: Owner): string {
  return owner === 'human' ? 'a person' : owner.startsWith('human:') ? owner.slice('human:'.length) : owner;
}

/** The lane that an address names; undefined for an agent, a runtime or anyone, who may work in any. */
export function addressedLane(address: Address): Lane | undefined {
  return address.startsWith('lane:') ? (address.slice('lane:'.length) as Lane) : undefined;
}

/** The addresses whose offers concern this actor, most specific first. */
export function addressesOf(actor: Actor): Address[] {
  const addresses: Address[] = [`agent:${actor.name}`];
  if (actor.runtime !== undefined) addresses.push(`runtime:${actor.runtime}`);
  if (actor.lane !== undefined) addresses.push(`lane:${actor.lane}`);
  addresses.push('anyone');
  return addresses;
}

export function isAddressedTo(address: Address, lane: Lane, actor: Actor): boolean {
  if (actor.lane !== undefined && actor.lane !== lane) return false;
  if (address === 'anyone') return true;
  if (address.startsWith('lane:')) return actor.lane === undefined || address === `lane:${actor.lane}`;
  return addressesOf(actor).includes(address);
}

/**
 * Where the hint for an offer goes. An offer to anyone is for everybody in its lane: an agent in another one is not woken,
 * and does not keep the hint from those it is for.
 */
export function mailboxFor(address: Address, lane: Lane): Address {
  return address === 'anyone' ? `lane:${lane}` : address;
}

/** The mailboxes an actor looks into, most specific first. Without a lane it may work in any. */
export function mailboxesOf(actor: Actor): Address[] {
  const own: Address[] = [`agent:${actor.name}`];
  if (actor.runtime !== undefined) own.push(`runtime:${actor.runtime}`);
  return [
    ...own,
    ...(actor.lane === undefined ? lanes : [actor.lane]).map((lane) => `lane:${lane}` as const),
  ];
}
