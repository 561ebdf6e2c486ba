/** Changes where git does not look, in words. Nobody can tell more of them than that they were made. */

/** How a packet names them. */
export const unwatchedLoss = 'what git ignores';

const shownMax = 20;

export interface UnwatchedNames {
  readonly changed: readonly string[];
  /** How many were not looked at. */
  readonly left: number;
}

/** Files, and of folders with several of them the folder with a count; empty where nothing was changed. */
export function unwatchedNames({ changed, left }: UnwatchedNames): string {
  const groups = new Map<string, number>();
  for (const path of changed) {
    const slash = path.indexOf('/');
    const top = slash === -1 ? path : path.slice(0, slash + 1);
    groups.set(top, (groups.get(top) ?? 0) + 1);
  }
  const names = [...groups].map(([top, n]) =>
    n > 1 ? `${top} (${n} files)` : (changed.find((path) => path === top || path.startsWith(top)) ?? top),
  );
  const more = names.length - shownMax;
  return [
    ...names.slice(0, shownMax),
    ...(more > 0 ? [`${more} more`] : []),
    ...(left > 0 && names.length > 0 ? [`perhaps some of ${left} that nobody looked at`] : []),
  ].join(', ');
}

export function duringReview(names: string): string {
  return `Changed during the review: ${names}. Git ignores it, so nobody can tell how.`;
}

export function afterProof(names: string): string {
  return `Changed after the last run that passed: ${names}. Git ignores it, and the run may have read it.`;
}
