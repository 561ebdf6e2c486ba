/** Which accounts are exhausted, for all runs of a store on this machine: a file for each account, with the time when it can be used again. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Store } from '../ports/store.ts';
import type { ExhaustedHere } from '../ports/exhausted-here.ts';
import { writePrivate } from '../process/private-file.ts';
import { homeOf } from './home.ts';

const account = /^[A-Za-z][A-Za-z0-9_.-]{0,63}$/;

/** In a store that ends with the process, they do so too. */
export function exhaustedHere({ address }: Pick<Store, 'address'>): ExhaustedHere {
  const folder = homeOf(address)?.exhausted;
  if (folder === undefined) {
    const known = new Map<string, number>();
    return { until: () => known, note: (name, until) => void known.set(name, until) };
  }
  return {
    until: () => new Map(namesIn(folder).flatMap((name) => timeIn(join(folder, name), name))),
    note: (name, until) => {
      if (account.test(name)) writePrivate(join(folder, name), `${until}\n`);
    },
  };
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => account.test(name) && !name.endsWith('.tmp'));
  } catch {
    return [];
  }
}

/** One that was written by nobody of us says nothing. */
function timeIn(path: string, name: string): (readonly [string, number])[] {
  try {
    const until = Number(readFileSync(path, 'utf8'));
    return Number.isFinite(until) ? [[name, until]] : [];
  } catch {
    return [];
  }
}
