/**
 * Links for a server that runs, made by another process of the same user. Both kinds of file lie beside the tokens, in a folder with mode
 * 0700, and have mode 0600: the user who can write there could make a token as well, and nobody else can.
 *
 *   SERVER.server   a server that runs on this store: its process and its address; taken away when it ends
 *   HASH.link       what the browser that brings a code to that server gets, until when; the name is the SHA-256 of the code
 *
 * The server looks when a code is brought that it did not make itself. The first to take the file away has it. It is for one server: another
 * program that listens where that server was gets a code that is worth nothing.
 */
import { mkdir, readdir, readFile, rename, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { isOver, startOf } from '../../process/process-tree.ts';
import { StaffettaError } from '../../core/base/error.ts';
import { sha256Hex } from '../../core/journal/sha256.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Entropy } from '../../ports/entropy.ts';
import { codeMs, type Promised } from './codes.ts';
import { Grant } from './grant.ts';

const RunningServer = z.strictObject({
  v: z.literal(1),
  server: z.string().check(z.regex(/^[0-9a-f]{16}$/)),
  pid: z.int().check(z.minimum(2)),
  started: z.nullable(z.string()),
  url: z.string(),
  port: z.int(),
  at: z.int(),
});
export type RunningServer = z.infer<typeof RunningServer>;

const Link = z.strictObject({
  v: z.literal(1),
  server: z.string(),
  until: z.int(),
  grant: z.omit(Grant, { v: true, id: true, use: true, createdAt: true, expiresAt: true }),
});

export class LinkFiles {
  readonly #folder: string;
  readonly #clock: Clock;
  readonly #entropy: Entropy;

  constructor(folder: string, { clock, entropy }: { readonly clock: Clock; readonly entropy: Entropy }) {
    this.#folder = folder;
    this.#clock = clock;
    this.#entropy = entropy;
  }

  /** Says where this process serves. What it gives is the server's name, under which links are made for it. */
  async announce({ url, port }: Pick<RunningServer, 'url' | 'port'>): Promise<string> {
    const server = Buffer.from(this.#entropy.bytes(8)).toString('hex');
    const { pid } = process;
    const running: RunningServer = {
      v: 1,
      server,
      pid,
      started: startOf(pid) ?? null,
      url,
      port,
      at: this.#clock.now(),
    };
    await this.#write(`${server}.server`, running);
    return server;
  }

  async withdraw(server: string): Promise<void> {
    await this.#remove(`${server}.server`);
  }

  /** The servers of this store whose processes live, the newest first. One that was killed left its file. */
  async running(): Promise<readonly RunningServer[]> {
    const all = await Promise.all(
      (await this.#names('.server')).map(async (name) => await this.#read(name, RunningServer)),
    );
    return all
      .filter((one) => one !== undefined)
      .filter(({ pid, started }) => !isOver({ pid, started }))
      .toSorted((a, b) => b.at - a.at);
  }

  /** A code that works once, at that server. */
  async make(server: string, grant: Promised): Promise<string> {
    await this.#sweep();
    const code = Buffer.from(this.#entropy.bytes(32)).toString('base64url');
    await this.#write(`${sha256Hex(code)}.link`, {
      v: 1,
      server,
      until: this.#clock.now() + codeMs,
      grant,
    });
    return code;
  }

  async redeem(server: string, code: string): Promise<Promised | undefined> {
    const name = `${sha256Hex(code)}.link`;
    const link = await this.#read(name, Link);
    if (link === undefined || link.server !== server || !(await this.#remove(name))) return undefined;
    return link.until <= this.#clock.now() ? undefined : link.grant;
  }

  /** What nobody brought in time. */
  async #sweep(): Promise<void> {
    for (const name of await this.#names('.link')) {
      const link = await this.#read(name, Link);
      if (link === undefined || link.until <= this.#clock.now()) await this.#remove(name);
    }
  }

  async #names(end: string): Promise<readonly string[]> {
    return (await readdir(this.#folder).catch(() => [])).filter((name) => name.endsWith(end));
  }

  /** What cannot be read, or says something else, is nothing. */
  async #read<S extends z.ZodMiniType>(name: string, shape: S): Promise<z.infer<S> | undefined> {
    try {
      const parsed = z.safeParse(shape, JSON.parse(await readFile(join(this.#folder, name), 'utf8')));
      return parsed.success ? parsed.data : undefined;
    } catch {
      return undefined;
    }
  }

  async #write(name: string, value: object): Promise<void> {
    try {
      await mkdir(this.#folder, { recursive: true, mode: 0o700 });
      const fresh = join(this.#folder, `${name}.new`);
      await writeFile(fresh, JSON.stringify(value), { flag: 'wx', mode: 0o600 });
      await rename(fresh, join(this.#folder, name));
    } catch (cause) {
      throw new StaffettaError('store-io', `The link could not be kept: ${(cause as Error).message}`, {
        cause,
        details: { folder: this.#folder },
        hint: 'Ask for permission on the folder of the store.',
      });
    }
  }

  /** Whether it was there: of several who take it away, one did. */
  async #remove(name: string): Promise<boolean> {
    try {
      await unlink(join(this.#folder, name));
      return true;
    } catch {
      return false;
    }
  }
}
