/** Words for counts and names, the same everywhere. */

export { counted } from '../../../src/core/base/counted.ts';

/** A count of a list that may not be all of it. */
export function atLeast(count: number, more: boolean): string {
  return `${count}${more ? '+' : ''}`;
}

/** `leg-started` as people say it. */
export function worded(type: string): string {
  return type.replaceAll('-', ' ');
}

/** An address as people say it: `lane:audit` is the lane audit. */
export function addressed(to: string): string {
  return to.startsWith('agent:') ? to.slice('agent:'.length) : to.replace(':', ' ');
}

export function timeOf(at: number): string {
  return new Date(at).toLocaleString();
}

export function bytesOf(count: number): string {
  if (count < 1024) return `${count} bytes`;
  if (count < 1024 * 1024) return `${(count / 1024).toFixed(1)} KiB`;
  return `${(count / 1024 / 1024).toFixed(1)} MiB`;
}
