/** Time as the server has it, and how long ago or ahead something is. One timer for the whole page. */
import { signal } from '@preact/signals';
import { isPausedForGood } from '../../../src/core/task/lapse.ts';

let offsetMs = 0;
export const now = signal(Date.now());

/** Leases are held against the server's clock; a reader's may be off by minutes. */
export function setServerTime(at: number): void {
  offsetMs = at - Date.now();
  now.value = at;
}

export function startClock(): void {
  setInterval(() => {
    if (document.visibilityState === 'visible') now.value = Date.now() + offsetMs;
  }, 1000);
}

/** A duration in the two largest units that matter: 45s, 3m, 2h 10m, 5d. */
export function span(ms: number): string {
  const seconds = Math.floor(Math.max(0, ms) / 1000);
  if (seconds < 60) return `${seconds}s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return minutes < 10 ? `${minutes}m ${seconds % 60}s` : `${minutes}m`;
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return minutes % 60 === 0 ? `${hours}h` : `${hours}h ${minutes % 60}m`;
  return `${Math.floor(hours / 24)}d`;
}

export function ago(at: number, from: number): string {
  const ms = from - at;
  return ms < 1000 ? 'just now' : `${span(ms)} ago`;
}

/** Until when paused work rests: the day where it is another than today. */
export function restWords(until: number, from: number): string {
  if (isPausedForGood(until, from)) return 'until somebody continues it';
  const [at, today] = [new Date(until), new Date(from)];
  const clock = at.toLocaleTimeString(undefined, { hour: '2-digit', minute: '2-digit' });
  if (at.toDateString() === today.toDateString()) return `until ${clock}`;
  return `until ${at.toLocaleDateString(undefined, { month: 'short', day: 'numeric' })}, ${clock}`;
}
