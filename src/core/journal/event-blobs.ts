import type { Digest } from './digest.ts';
import type { Event } from './event.ts';

/** The blobs an event names directly. A packet names more; see `packetBlobs`. */
export function eventBlobs(event: Event): Digest[] {
  switch (event.type) {
    case 'task-opened':
    case 'contract-amended':
      return [event.contract];
    case 'checkpoint-sealed':
      return event.findings === undefined ? [event.packet] : [event.packet, event.findings];
    case 'task-forked':
      return [event.packet];
    case 'signed':
      return [event.key];
    case 'validation-run':
      return event.output === undefined ? [] : [event.output];
    case 'effect-settled':
      return event.receiptBlob === undefined ? [] : [event.receiptBlob];
    case 'state-kept':
      return [event.state];
    case 'run-steered':
      return event.plan === undefined ? [] : [event.plan];
    default:
      return [];
  }
}
