/** What the gate found, beside what it is about. A finding names its place by a path into the packet or the contract. */
import type { PacketPage } from '../../../src/server/contract/contract.ts';

export type Finding = PacketPage['findings'][number];
export type ShownPacket = Pick<PacketPage, 'packet' | 'contract'>;

/** The place for what is about no other that is shown. */
export const whole = '';

const claimLists = ['done', 'doing', 'remaining', 'decisions', 'failed', 'blockers', 'questions'] as const;
const contractLists = [
  'acceptance',
  'constraints',
  'nonGoals',
  'protectedPaths',
  'validation',
  'skills',
  'needs',
] as const;

/** Every place in the page that can have findings beside it. */
export function placesOf({ packet, contract }: ShownPacket): readonly string[] {
  return [
    'contract.goal',
    'contract.review',
    ...contractLists.flatMap((name) => each(`contract.${name}`, contract[name])),
    ...each('contract.phases', contract.phases),
    'claims.summary',
    'claims.next',
    'claims.command',
    ...claimLists.flatMap((name) => each(`claims.${name}`, packet.claims[name])),
    'facts.workspace',
    'facts.runs',
    'facts.session',
    'facts.conversation',
    ...each('artefacts', packet.artefacts),
    ...each('losses', packet.losses),
    'redactions',
    'skills',
    'to',
  ];
}

function each(path: string, list: readonly unknown[] | undefined): readonly string[] {
  return [path, ...(list ?? []).map((_, n) => `${path}[${n}]`)];
}

/** Each finding once, at the closest place that is shown. */
export function besides(
  findings: readonly Finding[],
  places: readonly string[],
): ReadonlyMap<string, readonly Finding[]> {
  const found = new Map<string, Finding[]>();
  for (const finding of findings) {
    const place = closest(finding.path, places);
    found.set(place, [...(found.get(place) ?? []), finding]);
  }
  return found;
}

function closest(path: string, places: readonly string[]): string {
  return places
    .filter((place) => path === place || path.startsWith(`${place}.`) || path.startsWith(`${place}[`))
    .reduce((best, place) => (place.length > best.length ? place : best), whole);
}
