/**
 * For commands that may take long. The embedded store answers at once, so a loop of awaits over it never gives the event loop
 * a turn: Ctrl-C would go unheard, a closed pipe unnoticed, and progress unseen. Here it gets one every few reads.
 * What blocks by nature (checking pages, copying the file) is announced before; Ctrl-C ends the process at once meanwhile.
 */
import { statSync } from 'node:fs';
import { setImmediate as turn } from 'node:timers/promises';
import type { Context } from '../../handoff/record/context.ts';
import type { Upkeep } from '../../ports/store.ts';
import { formatBytes } from './bytes.ts';
import type { Output } from './output.ts';
import type { Session } from '../call/session.ts';

const turnEveryMs = 40;
const showAfterMs = 1000;
const showEveryMs = 100;
/** A file of this size takes about a second to read. */
const announcedBytesMin = 256 * 1024 * 1024;

export async function longRun<T>(
  session: Pick<Session, 'context' | 'output' | 'home'>,
  what: string,
  work: (context: Context) => Promise<T>,
): Promise<T> {
  const context = await session.context();
  const progress = new Progress(what, session.output);
  try {
    return await work(withTurns(context, progress, session.home?.file));
  } finally {
    progress.clear();
  }
}

/** One line on the terminal that is written over and goes away at the end. */
class Progress {
  readonly #what: string;
  readonly #output: Pick<Output, 'passing'>;
  readonly #started = performance.now();
  #turned = this.#started;
  #shown = 0;
  #entries = 0;

  constructor(what: string, output: Pick<Output, 'passing'>) {
    this.#what = what;
    this.#output = output;
  }

  async read(entries: number): Promise<void> {
    this.#entries += entries;
    const now = performance.now();
    if (now - this.#turned < turnEveryMs) return;
    this.#turned = now;
    if (now - this.#started > showAfterMs && now - this.#shown > showEveryMs)
      this.show(`${this.#what}: ${this.#entries.toLocaleString('en')} entries`);
    await turn();
  }

  show(text: string): void {
    this.#output.passing(text);
    this.#shown = performance.now();
  }

  clear(): void {
    if (this.#shown > 0) this.#output.passing('');
  }
}

function withTurns(context: Context, progress: Progress, file: string | undefined): Context {
  const { store } = context;
  const { journal, blobs, catalog, upkeep } = store;
  return {
    ...context,
    store: {
      ...store,
      journal: {
        ...journal,
        async read(task, from, limit) {
          const page = await journal.read(task, from, limit);
          await progress.read(page.length);
          return page;
        },
      },
      blobs: {
        ...blobs,
        async get(digest) {
          await progress.read(0);
          return await blobs.get(digest);
        },
      },
      catalog: {
        ...catalog,
        async list(query) {
          await progress.read(0);
          return await catalog.list(query);
        },
      },
      upkeep: announced(upkeep, progress, file),
    },
  };
}

function announced(upkeep: Upkeep, progress: Progress, file: string | undefined): Upkeep {
  const { backup, compact } = upkeep;
  const announce = (what: string): void => {
    const bytes = file === undefined ? 0 : (statSync(file, { throwIfNoEntry: false })?.size ?? 0);
    if (bytes >= announcedBytesMin) progress.show(`${what} (${formatBytes(bytes)})`);
  };
  return {
    ...upkeep,
    async check() {
      announce('checking the pages of the store');
      return await interruptible(async () => await upkeep.check());
    },
    ...(backup === undefined
      ? {}
      : {
          async backup(to: string) {
            announce('copying the store');
            return await interruptible(async () => await backup(to));
          },
        }),
    ...(compact === undefined
      ? {}
      : {
          async compact() {
            announce('giving space back');
            await interruptible(compact);
          },
        }),
  };
}

/** Without listeners the system's own answer to Ctrl-C applies, which needs no turn of the event loop. */
async function interruptible<T>(run: () => Promise<T>): Promise<T> {
  const listeners = process.listeners('SIGINT');
  process.removeAllListeners('SIGINT');
  try {
    return await run();
  } finally {
    for (const listener of listeners) process.on('SIGINT', listener);
  }
}
