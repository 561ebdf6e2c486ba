/** The codes of one-time links. They live in memory, for minutes, and the first to bring one has it. */
import { sha256Hex } from '../../core/journal/sha256.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Entropy } from '../../ports/entropy.ts';
import type { NewGrant } from './grant.ts';

export const codeMs = 10 * 60 * 1000;

/** What the browser that brings the code gets; from when on it runs is known only then. */
export type Promised = Omit<NewGrant, 'use' | 'server' | 'createdAt' | 'expiresAt'>;

export class Codes {
  readonly #promised = new Map<string, { readonly grant: Promised; readonly until: number }>();
  readonly #clock: Clock;
  readonly #entropy: Entropy;

  constructor({ clock, entropy }: { readonly clock: Clock; readonly entropy: Entropy }) {
    this.#clock = clock;
    this.#entropy = entropy;
  }

  issue(grant: Promised): string {
    const now = this.#clock.now();
    for (const [hash, { until }] of this.#promised) if (until <= now) this.#promised.delete(hash);
    const code = Buffer.from(this.#entropy.bytes(32)).toString('base64url');
    this.#promised.set(sha256Hex(code), { grant, until: now + codeMs });
    return code;
  }

  redeem(code: string): Promised | undefined {
    const hash = sha256Hex(code);
    const found = this.#promised.get(hash);
    this.#promised.delete(hash);
    return found === undefined || found.until <= this.#clock.now() ? undefined : found.grant;
  }
}
