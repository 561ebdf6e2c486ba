/** Sessions that were read at a start, as they were then: `hooks/looked.json`. Unchanged ones are not read at every start. */
import type { Home } from './home.ts';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SessionCard } from '../ports/runtime.ts';
import { writePrivate } from '../process/private-file.ts';

const lookedMax = 500;

export class LookedSessions {
  readonly #path: string;
  readonly #marks: Map<string, string>;

  constructor(home: Home) {
    this.#path = join(home.hooks, 'looked.json');
    this.#marks = new Map(entriesIn(this.#path));
  }

  has(card: SessionCard): boolean {
    return this.#marks.get(`${card.runtime}:${card.id}`) === markOf(card);
  }

  add(card: SessionCard): void {
    this.#marks.set(`${card.runtime}:${card.id}`, markOf(card));
  }

  save(): void {
    writePrivate(this.#path, JSON.stringify([...this.#marks].slice(-lookedMax)));
  }
}

function markOf({ updatedAt, liveness }: SessionCard): string {
  return `${updatedAt} ${liveness}`;
}

function entriesIn(path: string): [string, string][] {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as [string, string][];
  } catch {
    return [];
  }
}
