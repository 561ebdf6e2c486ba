/**
 * The keys of a store's actors: `store.db.keys/HASH.json`, folder 0700, files 0600. One file an actor, named by the SHA-256 of kind and
 * name. It holds the key in use, and the public part of those that were used before, each with a signature by which it handed over
 * to its successor. Private keys are in no backup, export, journal or environment.
 */
import {
  chmodSync,
  closeSync,
  fsyncSync,
  linkSync,
  openSync,
  readFileSync,
  renameSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Actor } from '../core/task/actor.ts';
import { preAuthEncoding } from '../core/trust/attestation.ts';
import { canonical } from '../core/journal/canonical.ts';
import { digestOf, type Digest } from '../core/journal/digest.ts';
import { signatureOf, signingWith, type Sign, type SigningKey } from '../core/trust/ed25519.ts';
import { StaffettaError } from '../core/base/error.ts';
import { parseKeyFile, type KeyFile } from '../core/trust/key-file.ts';
import { sha256Hex } from '../core/journal/sha256.ts';
import type { Clock } from '../ports/clock.ts';
import type { Signature, Signer } from '../ports/signer.ts';
import type { Store } from '../ports/store.ts';
import { homeOf } from './home.ts';
import { systemClock } from './system.ts';

export const successionType = 'application/vnd.staffetta.key-succession+json';

export interface ShownKey {
  readonly name: string;
  readonly kind: string;
  readonly key: Digest;
  /** SPKI, as DER in base64. */
  readonly publicKey: string;
  readonly createdAt: number;
  readonly retired: readonly {
    readonly key: Digest;
    readonly publicKey: string;
    readonly until: number;
    readonly successor: string;
    /** By the retired key, over the canonical JSON of `{ kind, name, from, to }`; see docs/server.md. */
    readonly signature: string;
  }[];
}

type Owner = Pick<Actor, 'kind' | 'name'>;

/** None for a store that ends with the process. */
export function keysOf(
  { address }: Pick<Store, 'address'>,
  clock: Clock = systemClock,
): StoreKeys | undefined {
  const home = homeOf(address);
  return home === undefined ? undefined : new StoreKeys(home.keys, clock);
}

export class StoreKeys implements Signer {
  readonly #folder: string;
  readonly #clock: Clock;
  readonly #read = new Map<string, { readonly changed: number; readonly kept: KeyFile }>();

  /** By what was read: a file that changed is read anew. */
  readonly #signs = new WeakMap<KeyFile, { readonly sign: Sign; readonly publicKey: Uint8Array }>();
  /** Names of files, by kind and name. */
  readonly #files = new Map<string, string>();

  constructor(folder: string, clock: Clock) {
    this.#folder = folder;
    this.#clock = clock;
  }

  async sign(by: Owner, bytes: Uint8Array): Promise<Signature | undefined> {
    try {
      const kept = this.#kept(by) ?? (await this.#create(by));
      let known = this.#signs.get(kept);
      if (known === undefined) {
        const sign = signingWith(Buffer.from(kept.privateKey, 'base64'));
        this.#signs.set(kept, (known = { sign, publicKey: Buffer.from(kept.publicKey, 'base64') }));
      }
      return { publicKey: known.publicKey, signature: known.sign(bytes) };
    } catch (error) {
      // Work is not held up by a folder that cannot be written; verify tells what is unsigned.
      if (!(error instanceof StaffettaError) && (error as NodeJS.ErrnoException).code === undefined)
        throw error;
      return undefined;
    }
  }

  async knows(by: Owner, key: Digest): Promise<boolean> {
    const kept = quietly(() => this.#kept(by));
    return [kept?.publicKey, ...(kept?.retired.map(({ publicKey }) => publicKey) ?? [])].some(
      (publicKey) => publicKey !== undefined && keyName(publicKey) === key,
    );
  }

  /** The key in use, made if there is none yet. */
  async show(by: Owner): Promise<ShownKey> {
    return shown(this.#kept(by) ?? (await this.#create(by)));
  }

  /** What was signed stays valid; from now on another key signs, and the old one vouches for it before it is forgotten. */
  async rotate(by: Owner): Promise<ShownKey> {
    const before = this.#kept(by) ?? (await this.#create(by));
    const fresh = this.#fresh(by);
    const succession = {
      kind: by.kind,
      name: by.name,
      from: keyName(before.publicKey),
      to: keyName(fresh.publicKey),
    };
    const retired = {
      publicKey: before.publicKey,
      until: this.#clock.now(),
      successor: keyName(fresh.publicKey),
      signature: signatureOf(
        Buffer.from(before.privateKey, 'base64'),
        preAuthEncoding(successionType, canonical(succession)),
      ),
    };
    const kept = { ...fresh, retired: [...before.retired, retired] };
    await this.#write(by, kept, renameSync);
    return shown(kept);
  }

  #fresh({ kind, name }: Owner): KeyFile {
    const { publicKey, privateKey } = newSigningKey();
    return {
      v: 1,
      kind,
      name,
      createdAt: this.#clock.now(),
      publicKey: Buffer.from(publicKey).toString('base64'),
      privateKey: Buffer.from(privateKey).toString('base64'),
      retired: [],
    };
  }

  async #create(by: Owner): Promise<KeyFile> {
    const fresh = this.#fresh(by);
    try {
      await this.#write(by, fresh, linkSync);
      return fresh;
    } catch (error) {
      // Somebody else made one at the same time: that is the key.
      const there = this.#kept(by);
      if (there !== undefined) return there;
      throw error;
    }
  }

  #file({ kind, name }: Owner): string {
    const owner = `${kind}\n${name}`;
    let file = this.#files.get(owner);
    if (file === undefined)
      this.#files.set(owner, (file = join(this.#folder, `${sha256Hex(owner).slice(0, 32)}.json`)));
    return file;
  }

  /** Whole or not at all: written beside, synced, and put in its place. */
  async #write(by: Owner, kept: KeyFile, place: (from: string, to: string) => void): Promise<void> {
    const file = this.#file(by);
    const beside = `${file}.${process.pid}.${keyName(kept.publicKey).slice(7, 15)}.new`;
    try {
      const { makeFolder, syncFolder } = await import('../stores/sqlite/durable.ts');
      makeFolder(this.#folder);
      const writer = openSync(beside, 'wx', 0o600);
      try {
        writeFileSync(writer, JSON.stringify(kept));
        fsyncSync(writer);
        place(beside, file);
      } finally {
        closeSync(writer);
        quietly(() => unlinkSync(beside));
      }
      // A signature must not outlive the key that made it.
      syncFolder(this.#folder);
    } catch (cause) {
      throw new StaffettaError('store-io', `The key could not be kept: ${(cause as Error).message}`, {
        cause,
        details: { folder: this.#folder },
        hint: 'Ask for permission on the folder of the store.',
      });
    }
  }

  /** At once: asking the disk by another thread takes ten times as long, and every signature asks. */
  #kept(by: Owner): KeyFile | undefined {
    const file = this.#file(by);
    const found = quietly(() => statSync(file, { throwIfNoEntry: false }));
    if (found === undefined) return undefined;
    const known = this.#read.get(file);
    if (known?.changed === found.mtimeMs) return known.kept;
    if ((found.mode & 0o077) !== 0) quietly(() => chmodSync(file, 0o600));
    const kept = parseKeyFile(readFileSync(file, 'utf8'), file);
    this.#read.set(file, { changed: found.mtimeMs, kept });
    return kept;
  }
}

function quietly<T>(ask: () => T): T | undefined {
  try {
    return ask();
  } catch {
    return undefined;
  }
}

function keyName(publicKey: string): Digest {
  return digestOf(Buffer.from(publicKey, 'base64'));
}

function shown({ name, kind, publicKey, createdAt, retired }: KeyFile): ShownKey {
  return {
    name,
    kind,
    key: keyName(publicKey),
    publicKey,
    createdAt,
    retired: retired.map((one) => ({ ...one, key: keyName(one.publicKey) })),
  };
}

/** Made here and not in the core, which knows no chance. The module is fetched once: most commands never make a key. */
export function newSigningKey(): SigningKey {
  const { generateKeyPairSync } = process.getBuiltinModule('node:crypto');
  return generateKeyPairSync('ed25519', {
    publicKeyEncoding: { type: 'spki', format: 'der' },
    privateKeyEncoding: { type: 'pkcs8', format: 'der' },
  });
}
