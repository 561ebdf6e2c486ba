/** What the board shows beside the cards, for the rows in view: asked for together, at most once a second, and once for each change. */
import { signal, type Signal } from '@preact/signals';
import type { Glances } from '../../../src/server/contract/contract.ts';
import { get } from '../api/client.ts';

type Glance = Glances['glances'][number];

const atOnceMax = 60;
const everyMs = 400;
const known = new Map<string, Signal<Glance | undefined>>();
const wanted = new Map<string, number>();
let timer: ReturnType<typeof setTimeout> | undefined;

export function glanceOf(task: string): Signal<Glance | undefined> {
  const found = known.get(task);
  if (found !== undefined) return found;
  const made = signal<Glance | undefined>(undefined);
  known.set(task, made);
  return made;
}

interface Looked {
  readonly task: string;
  readonly seq: number;
}

const rows = new WeakMap<Element, Looked>();
const observer = new IntersectionObserver(
  (entries) => {
    for (const { target, isIntersecting } of entries) {
      const card = rows.get(target);
      if (isIntersecting && card !== undefined) want(card);
    }
  },
  { rootMargin: '200px' },
);

/** Asks for more about a card while its row is in view; call what comes back when it is gone. */
export function lookAt(row: Element, card: Looked): () => void {
  rows.set(row, card);
  observer.observe(row);
  return () => observer.unobserve(row);
}

function want({ task, seq }: Looked): void {
  if ((glanceOf(task).value?.last.seq ?? -1) >= seq) return;
  wanted.set(task, seq);
  timer ??= setTimeout(() => void ask(), everyMs / 4);
}

async function ask(): Promise<void> {
  const tasks = [...wanted.keys()].slice(0, atOnceMax);
  for (const task of tasks) wanted.delete(task);
  try {
    const { glances } = await get<Glances>('/api/glances', { task: tasks });
    for (const glance of glances) glanceOf(glance.card.task).value = glance;
  } catch {
    // The list says what is wrong; the rest of a row is not worth an alarm of its own.
  }
  timer = wanted.size === 0 ? undefined : setTimeout(() => void ask(), everyMs);
}
