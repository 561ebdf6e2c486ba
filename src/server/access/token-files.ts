/**
 * Grants as files beside the store: `store.db.tokens/HASH.json`, folder 0700, files 0600. One file a grant, so that making and revoking
 * one is a single rename or unlink, and processes need no lock. The name is the SHA-256 of the token.
 */
import { mkdir, open, readdir, readFile, rename, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { StaffettaError } from '../../core/base/error.ts';
import type { GrantKeeper } from '../../ports/grants.ts';

const namePattern = /^([0-9a-f]{64})\.json$/;

export class FileKeeper implements GrantKeeper {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  #file(hash: string): string {
    return join(this.#folder, `${hash}.json`);
  }

  async put(hash: string, text: string): Promise<void> {
    try {
      await mkdir(this.#folder, { recursive: true, mode: 0o700 });
      const fresh = join(this.#folder, `${hash}.new`);
      const file = await open(fresh, 'wx', 0o600);
      try {
        await file.writeFile(text);
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(fresh, this.#file(hash));
    } catch (cause) {
      throw new StaffettaError('store-io', `The token could not be kept: ${(cause as Error).message}`, {
        cause,
        details: { folder: this.#folder },
        hint: 'Ask for permission on the folder of the store.',
      });
    }
  }

  async get(hash: string): Promise<string | undefined> {
    try {
      return await readFile(this.#file(hash), 'utf8');
    } catch {
      // What cannot be read grants nothing.
      return undefined;
    }
  }

  async remove(hash: string): Promise<boolean> {
    try {
      await unlink(this.#file(hash));
      return true;
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return false;
      throw new StaffettaError('store-io', `The token could not be revoked: ${(cause as Error).message}`, {
        cause,
        details: { folder: this.#folder },
        hint: 'Ask for permission on the folder of the store, and revoke it again.',
      });
    }
  }

  async hashes(): Promise<readonly string[]> {
    const names = await readdir(this.#folder).catch(() => []);
    return names.flatMap((name) => namePattern.exec(name)?.[1] ?? []);
  }
}
