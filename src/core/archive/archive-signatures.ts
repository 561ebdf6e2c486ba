import { unsound } from './archive.ts';
import { attestationsIn, isSound, type Attestation } from '../trust/attestation.ts';
import type { Digest } from '../journal/digest.ts';
import type { Entry } from '../journal/entry.ts';
import type { TaskState } from '../task/state.ts';

interface Waiting {
  readonly where: string;
  readonly attestation: Attestation;
}

/** The signatures in an export. A key comes after the first entry that names it, so what it signed there waits for it. */
export class ArchiveSignatures {
  readonly #keys = new Map<Digest, Uint8Array>();
  readonly #waiting = new Map<Digest, Waiting[]>();
  valid = 0;
  unsigned = 0;

  entry(before: TaskState | undefined, entry: Entry): void {
    if (before === undefined) return;
    for (const attestation of attestationsIn(before, entry)) {
      const { signed } = attestation;
      if (signed === undefined) {
        this.unsigned += 1;
        continue;
      }
      const waiting = { where: `entry ${entry.seq} of task ${entry.task}`, attestation };
      const key = this.#keys.get(signed.key);
      if (key === undefined)
        this.#waiting.set(signed.key, [...(this.#waiting.get(signed.key) ?? []), waiting]);
      else this.#check(waiting, key);
    }
  }

  /** Any blob; only those that somebody signed with are kept. */
  blob(digest: Digest, bytes: Uint8Array): void {
    const waiting = this.#waiting.get(digest);
    if (waiting === undefined) return;
    this.#waiting.delete(digest);
    this.#keys.set(digest, bytes);
    for (const one of waiting) this.#check(one, bytes);
  }

  #check({ where, attestation }: Waiting, key: Uint8Array): void {
    if (!isSound(attestation, key))
      throw unsound(`${where}: its signature does not fit what it stands beside`);
    this.valid += 1;
  }
}
