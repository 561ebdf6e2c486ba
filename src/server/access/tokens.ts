/** Where grants are kept. Lookups ask the keeper every time, so that revoking takes effect at once, in every process. */
import { StaffettaError } from '../../core/base/error.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Entropy } from '../../ports/entropy.ts';
import type { GrantKeeper } from '../../ports/grants.ts';
import { Grant, hashOf, idOf, newToken, type NewGrant } from './grant.ts';

export class MemoryKeeper implements GrantKeeper {
  readonly #texts = new Map<string, string>();

  async put(hash: string, text: string): Promise<void> {
    this.#texts.set(hash, text);
  }

  async get(hash: string): Promise<string | undefined> {
    return this.#texts.get(hash);
  }

  async remove(hash: string): Promise<boolean> {
    return this.#texts.delete(hash);
  }

  async hashes(): Promise<readonly string[]> {
    return [...this.#texts.keys()];
  }
}

export interface MadeToken {
  /** Shown once; nobody can ask for it again. */
  readonly token: string;
  readonly grant: Grant;
}

export class Tokens {
  readonly #keeper: GrantKeeper;
  readonly #clock: Clock;
  readonly #entropy: Entropy;

  constructor(keeper: GrantKeeper, { clock, entropy }: { readonly clock: Clock; readonly entropy: Entropy }) {
    this.#keeper = keeper;
    this.#clock = clock;
    this.#entropy = entropy;
  }

  async create(given: NewGrant): Promise<MadeToken> {
    await this.#purge();
    const token = newToken(this.#entropy);
    const hash = hashOf(token) ?? '';
    const grant: Grant = { v: 1, id: idOf(hash), ...given };
    await this.#keeper.put(hash, JSON.stringify(grant));
    return { token, grant };
  }

  /** The grant behind a token that is neither unknown, nor expired, nor damaged. */
  async find(token: string): Promise<Grant | undefined> {
    const hash = hashOf(token);
    return hash === undefined ? undefined : await this.#read(hash);
  }

  async #read(hash: string): Promise<Grant | undefined> {
    const grant = grantFrom(await this.#keeper.get(hash));
    return grant === undefined || grant.expiresAt <= this.#clock.now() ? undefined : grant;
  }

  /** Those that are worth something, the newest first. */
  async list(): Promise<readonly Grant[]> {
    const grants: Grant[] = [];
    for (const hash of await this.#keeper.hashes()) {
      const grant = await this.#read(hash);
      if (grant !== undefined) grants.push(grant);
    }
    return grants.toSorted((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? -1 : 1));
  }

  /** Whether it was neither revoked nor is expired since. */
  async inForce(id: string): Promise<boolean> {
    const hash = await this.#hashOf(id);
    return hash !== undefined && (await this.#read(hash)) !== undefined;
  }

  /** By its id, or by a beginning of it that fits no other. */
  async resolve(beginning: string): Promise<Grant> {
    const found = /^[0-9a-f]{1,12}$/.test(beginning)
      ? (await this.list()).filter(({ id }) => id.startsWith(beginning))
      : [];
    const [only, second] = found;
    if (only !== undefined && second === undefined) return only;
    throw new StaffettaError(
      'unknown-token',
      only === undefined
        ? `There is no token ${JSON.stringify(beginning)} that could be revoked.`
        : `${beginning} could be any of ${found.map(({ id }) => id).join(', ')}.`,
      { details: { id: beginning }, hint: 'List them with: staffetta token list' },
    );
  }

  async revoke(id: string): Promise<boolean> {
    const hash = await this.#hashOf(id);
    return hash !== undefined && (await this.#keeper.remove(hash));
  }

  async #hashOf(id: string): Promise<string | undefined> {
    return (await this.#keeper.hashes()).find((hash) => idOf(hash) === id);
  }

  async #purge(): Promise<void> {
    for (const hash of await this.#keeper.hashes())
      if ((await this.#read(hash)) === undefined) await this.#keeper.remove(hash);
  }
}

function grantFrom(text: string | undefined): Grant | undefined {
  if (text === undefined) return undefined;
  try {
    return Grant.parse(JSON.parse(text));
  } catch {
    // Damaged, or of a version to come: worth nothing here.
    return undefined;
  }
}
