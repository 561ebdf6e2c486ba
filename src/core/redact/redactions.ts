/** What was replaced, for a packet to say and a person to act on. Holds no secret. */
export interface Redactions {
  /** By rule, in the order of the rules' names. */
  readonly counts: Readonly<Record<string, number>>;
  /** Each secret once, in the order of its first place. */
  readonly findings: readonly Redaction[];
  /** Secrets beyond those listed; the counts include them. */
  readonly unlisted: number;
  /** The content is binary: secrets were overwritten in place with asterisks, so its own checksums no longer hold. */
  readonly binary: boolean;
}

export interface Redaction {
  readonly rule: string;
  readonly fingerprint: string;
  readonly count: number;
  /** Byte at which it first stood, in the original. */
  readonly at: number;
}

const findingsMax = 1000;

export const noRedactions: Redactions = { counts: {}, findings: [], unlisted: 0, binary: false };

export class RedactionTally {
  readonly #counts = new Map<string, number>();
  readonly #findings = new Map<string, { rule: string; fingerprint: string; count: number; at: number }>();
  #unlisted = 0;

  add({ rule, fingerprint, at }: Omit<Redaction, 'count'>): void {
    this.#counts.set(rule, (this.#counts.get(rule) ?? 0) + 1);
    const name = `${rule}:${fingerprint}`;
    const known = this.#findings.get(name);
    if (known !== undefined) known.count++;
    else if (this.#findings.size < findingsMax) this.#findings.set(name, { rule, fingerprint, count: 1, at });
    else this.#unlisted++;
  }

  total(binary: boolean): Redactions {
    const counts = Object.fromEntries([...this.#counts].toSorted(([a], [b]) => (a < b ? -1 : 1)));
    return { counts, findings: [...this.#findings.values()], unlisted: this.#unlisted, binary };
  }
}

/** One account of two searches of the same text, one after the other. */
export function combined(first: Redactions, second: Redactions): Redactions {
  return {
    counts: totalCounts([first, second]),
    findings: [...first.findings, ...second.findings],
    unlisted: first.unlisted + second.unlisted,
    binary: first.binary || second.binary,
  };
}

/** One account of several pieces: of a packet's texts, diff and files. */
export function totalCounts(all: readonly Redactions[]): Readonly<Record<string, number>> {
  const counts = new Map<string, number>();
  for (const one of all)
    for (const [rule, count] of Object.entries(one.counts)) counts.set(rule, (counts.get(rule) ?? 0) + count);
  return Object.fromEntries([...counts].toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
