/** The nearest of the known words, if one is near enough to be a slip of the finger. */
export function suggest(word: string, known: readonly string[]): string | undefined {
  let best: string | undefined;
  let bestDistance = Math.max(1, Math.floor(word.length / 3)) + 1;
  for (const candidate of known) {
    const distance = candidate.startsWith(word) && word.length > 1 ? 0 : editDistance(word, candidate);
    if (distance >= bestDistance) continue;
    best = candidate;
    bestDistance = distance;
  }
  return best;
}

/** `non_goals` and `Non-Goals` are as near as a slip of the finger. */
export function nearField(key: string, known: readonly string[]): string | undefined {
  return known.find((name) => lettersOf(name) === lettersOf(key)) ?? suggest(key, known);
}

function lettersOf(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z]/g, '');
}

/**
 * One wrong, swapped, missing or doubled letter: too close to be meant as a name of its own. A short word that lacks a letter may
 * well be a name (code, which is not codex), and so may one with a number (codex2).
 */
export function isSlip(word: string, known: string): boolean {
  if (!/^[a-z-]{4,}$/i.test(word) || editDistance(word.toLowerCase(), known) !== 1) return false;
  return word.length === known.length || word.length > 4;
}

/** Insertions, deletions, substitutions and swaps of neighbours, each counted once. */
export function editDistance(a: string, b: string): number {
  const rows: number[][] = Array.from({ length: a.length + 1 }, (_, i) => [i]);
  for (let j = 1; j <= b.length; j += 1) rows[0]?.push(j);
  const at = (i: number, j: number): number => rows[i]?.[j] ?? 0;
  for (let i = 1; i <= a.length; i += 1) {
    for (let j = 1; j <= b.length; j += 1) {
      let cost = Math.min(
        at(i - 1, j) + 1,
        at(i, j - 1) + 1,
        at(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1),
      );
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        cost = Math.min(cost, at(i - 2, j - 2) + 1);
      rows[i]?.push(cost);
    }
  }
  return at(a.length, b.length);
}
