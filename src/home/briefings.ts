/** Briefings that were made in the background, as files beside the store; a few of them. */
import type { Home } from './home.ts';
import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { writePrivate } from '../process/private-file.ts';
import type { Briefings } from '../handoff/views/greet.ts';

const briefingsMax = 20;

export function keptBriefings(home: Home): Briefings {
  const folder = join(home.hooks, 'briefings');
  const fileOf = (name: string): string => join(folder, `${name}.md`);
  return {
    get(name) {
      return existsSync(fileOf(name)) ? readFileSync(fileOf(name), 'utf8') : undefined;
    },
    put(name, text) {
      writePrivate(fileOf(name), text);
      const all = readdirSync(folder).map((file) => join(folder, file));
      const byAge = all.toSorted((a, b) => ageOf(b) - ageOf(a));
      for (const old of byAge.slice(briefingsMax)) rmSync(old, { force: true });
    },
  };
}

function ageOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
