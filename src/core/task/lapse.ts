/** What *lapsed* means, everywhere: in decisions, stores, lists, alerts and pages. Nothing is imported: the pages use it too. */

/** A lease, an offer or a deadline counts up to its last millisecond. */
export function isExpired(until: number, now: number): boolean {
  return until < now;
}

/** A holder who was silent for longer than its lease holds the task only in name, whether somebody has recorded that or not. */
export function isLapsed(
  { status, leaseUntil }: { readonly status: string; readonly leaseUntil: number | null },
  now: number,
): boolean {
  return status === 'held' && leaseUntil !== null && isExpired(leaseUntil, now);
}
