/**
 * Changes as they happen. The browser comes back by itself after a cut and says the last id it saw; only where it gives up (the server
 * was away, or refused) does this open a new stream, after the last position that was heard of.
 */
import { effect, signal } from '@preact/signals';
import type { LiveEvent } from '../../../src/server/contract/contract.ts';
import { signedOut, withQuery } from './client.ts';

type Connection = 'connecting' | 'live' | 'away';
export const connection = signal<Connection>('connecting');

type Listener = (event: LiveEvent) => void;
const listeners = new Set<Listener>();
/** Called whenever a stream was opened, the first included: whatever was asked for before may be older than its beginning. */
const openings = new Set<() => void>();

let source: EventSource | undefined;
let last: number | undefined;
let waitMs = 1000;

export function onChange(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function onOpening(listener: () => void): () => void {
  openings.add(listener);
  return () => openings.delete(listener);
}

export function listen(): void {
  open();
  effect(() => {
    if (signedOut.value) source?.close();
  });
  // A laptop that slept has a dead connection and does not know it.
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible' && source?.readyState === EventSource.CLOSED) open();
  });
}

function open(): void {
  source?.close();
  const own = new EventSource(withQuery('/api/events', { after: last }));
  source = own;
  own.addEventListener('open', () => {
    connection.value = 'live';
    waitMs = 1000;
    for (const listener of openings) listener();
  });
  own.addEventListener('entry', (message) => {
    const event = JSON.parse(message.data as string) as LiveEvent;
    if (last !== undefined && event.position <= last) return;
    last = event.position;
    for (const listener of listeners) listener(event);
  });
  own.addEventListener('error', () => {
    if (connection.value !== 'away') connection.value = 'away';
    if (own.readyState !== EventSource.CLOSED || signedOut.value) return;
    setTimeout(open, waitMs);
    waitMs = Math.min(waitMs * 2, 30_000);
  });
}
