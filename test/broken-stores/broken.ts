import { memoryScratch } from '../../src/stores/memory/scratch.ts';
import type { OpenScratch } from '../../src/conformance/index.ts';
import type {
  Bell,
  BlobStore,
  Catalog,
  GrantKeeper,
  JournalStore,
  Mailbox,
  Store,
  Upkeep,
} from '../../src/ports/index.ts';
import type { Renewer } from '../../src/ports/store.ts';
import { createWorld, type World } from '../../src/stores/memory/open.ts';

/** A store that breaks one sentence of its contract, and how. Cases of that sentence must catch it. */
export interface BrokenStore {
  readonly breaks: string;
  readonly how: string;
  readonly openScratch: OpenScratch;
}

/** The calls that are replaced; all others are those of the memory store. */
interface Spoiled {
  readonly journal?: Partial<JournalStore>;
  readonly catalog?: Partial<Catalog>;
  readonly blobs?: Partial<BlobStore>;
  readonly mailbox?: Partial<Mailbox>;
  readonly upkeep?: Partial<Upkeep>;
  readonly renewer?: Renewer;
  readonly bell?: Bell | undefined;
  readonly grants?: GrantKeeper;
  readonly close?: Store['close'];
}

/** Called once for each scratch, so that connections may share what they do wrong, and then for each connection. */
export type Spoil = (world: World) => (store: Store) => Spoiled;

export function broken(breaks: string, how: string, spoil: Spoil): BrokenStore {
  const openScratch: OpenScratch = async () => {
    const world = createWorld();
    const scratch = memoryScratch(world);
    const spoilOne = spoil(world);
    return {
      ...scratch,
      connect: async () => {
        const store = await scratch.connect();
        return spoiled(store, spoilOne(store));
      },
    };
  };
  return { breaks, how, openScratch };
}

function spoiled(store: Store, { close, ...parts }: Spoiled): Store {
  return {
    ...store,
    journal: instead(store.journal, parts.journal),
    catalog: instead(store.catalog, parts.catalog),
    blobs: instead(store.blobs, parts.blobs),
    mailbox: instead(store.mailbox, parts.mailbox),
    upkeep: instead(store.upkeep, parts.upkeep),
    ...(parts.renewer === undefined ? {} : { renewer: parts.renewer }),
    ...(parts.bell === undefined ? {} : { bell: parts.bell }),
    ...(parts.grants === undefined ? {} : { grants: parts.grants }),
    close: close ?? (async () => await store.close()),
  };
}

export function without<T extends object, K extends keyof T>(whole: T, name: K): Omit<T, K> {
  const { [name]: _, ...rest } = whole;
  return rest;
}

export function instead<T extends object>(part: T, other: Partial<T> = {}): T {
  return new Proxy(part, {
    get: (target, name): unknown => Reflect.get(other, name) ?? Reflect.get(target, name),
  });
}
