/** What waits for a person: asked for once for all pages, and again after changes. */
import { computed, signal } from '@preact/signals';
import type { InboxAnswer } from '../../../src/server/contract/contract-looks.ts';
import { get } from '../api/client.ts';
import { onChange, onOpening } from '../api/live.ts';
import { refusalOf, type Refusal } from '../api/refusal.ts';
import { isCalling, type InboxItem } from '../inbox/rows.ts';
import { setServerTime } from '../parts/clock.ts';

/** Undefined until the server has said. */
export const waiting = signal<readonly InboxItem[] | undefined>(undefined);
export const waitingRefusal = signal<Refusal | undefined>(undefined);

const calling = computed(() => (waiting.value ?? []).filter(isCalling));
export const needingTasks = signal<ReadonlySet<string>>(new Set());
export const waitingCounts = computed(() => ({
  all: calling.value.length,
  reviews: calling.value.filter(({ kind }) => kind === 'review').length,
}));

/** Leases run out without an event. */
const everyMs = { change: 700, silence: 15_000 } as const;
let timer: ReturnType<typeof setTimeout> | undefined;
let running = false;
let wanted = false;

export function followWaiting(): void {
  onChange(() => later(everyMs.change));
  onOpening(() => later(everyMs.change));
  setInterval(() => document.visibilityState === 'visible' && later(0), everyMs.silence);
  void loadWaiting();
}

function later(ms: number): void {
  wanted = true;
  if (running) return;
  timer ??= setTimeout(() => {
    timer = undefined;
    void loadWaiting();
  }, ms);
}

export async function loadWaiting(): Promise<void> {
  running = true;
  wanted = false;
  try {
    const { items, needing, now } = await get<InboxAnswer>('/api/inbox');
    setServerTime(now);
    waiting.value = items;
    needingTasks.value = new Set(needing);
    waitingRefusal.value = undefined;
  } catch (error) {
    waitingRefusal.value = refusalOf(error);
  } finally {
    running = false;
  }
  if (wanted) later(everyMs.change);
}
