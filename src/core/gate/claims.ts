import type { Packet } from '../packet/packet.ts';
import { summaryParts } from '../reasoning/own-summary.ts';
import { asSeen } from './as-seen.ts';

/** A claim with its place in the packet. */
export interface PlacedClaim {
  readonly path: string;
  readonly text: string;
  readonly evidence: readonly string[];
}

type Written = string | { readonly text: string; readonly evidence?: readonly string[] | undefined };

/** Everything the agent asserts, in the packet's order, as it is seen. */
export function claimsOf({ claims }: Packet): PlacedClaim[] {
  return [
    // What the agent said of its own session is checked against the record instead, and refuses nothing.
    ...placed('claims.summary', [summaryParts(claims.summary).words ?? []].flat(), true),
    ...placed('claims.done', claims.done),
    ...placed('claims.doing', claims.doing),
    ...placed('claims.remaining', claims.remaining),
    ...placed(
      'claims.decisions',
      claims.decisions?.map((decision) => ({
        text: [decision.text, decision.why, ...(decision.rejected ?? [])]
          .filter((part) => part !== undefined)
          .join('. '),
        evidence: decision.evidence,
      })),
    ),
    ...placed(
      'claims.failed',
      claims.failed?.map((failed) => ({ text: `${failed.what}: ${failed.why}`, evidence: failed.evidence })),
    ),
    ...placed('claims.blockers', claims.blockers),
    ...placed('claims.questions', claims.questions),
    ...placed('claims.next', claims.next === undefined ? [] : [claims.next], true),
  ];
}

/** What the claims name as their evidence, whatever they say. */
export function evidenceIn({ claims: { summary: _summary, next: _next, ...lists } }: Packet): string[] {
  return Object.values(lists)
    .flat()
    .flatMap((claim) => (typeof claim === 'object' && 'evidence' in claim ? (claim.evidence ?? []) : []));
}

function placed(path: string, written: readonly Written[] = [], single = false): PlacedClaim[] {
  return written.map((claim, i) => ({
    path: single ? path : `${path}[${i}]`,
    text: asSeen(typeof claim === 'string' ? claim : claim.text),
    evidence: typeof claim === 'string' ? [] : (claim.evidence ?? []),
  }));
}
