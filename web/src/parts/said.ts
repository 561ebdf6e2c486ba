/** Words for counts and names, the same everywhere. */

import { counted } from '../../../src/core/base/counted.ts';

export { counted };

/** A count of a list that may not be all of it. */
export function atLeast(count: number, more: boolean): string {
  return `${count}${more ? '+' : ''}`;
}

/** `leg-started` as people say it. */
export function worded(type: string): string {
  return type.replaceAll('-', ' ');
}

/** Why something stopped by itself, in plain words. */
export function reasonWords(reason: string): string {
  return stopWords[reason] ?? worded(reason);
}

const stopWords: Readonly<Record<string, string>> = {
  bounce: 'came back unchanged',
  'idle-hops': 'handed on without progress',
  'hop-cap': 'handed on too often',
  'rework-cap': 'sent back too often',
  'attempts-cap': 'too many failed tries',
  'need-failed': 'something it needs failed',
  asked: 'somebody asked',
};

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

/** What a run has used; empty where nobody said. */
export function spentWords({
  tokens,
  costs,
}: {
  readonly tokens: number;
  readonly costs: readonly { readonly amount: number; readonly unit: string }[];
}): string {
  return [
    ...(tokens === 0 ? [] : [counted(tokens, 'token')]),
    ...costs.map(({ amount, unit }) => `${amount.toFixed(2)} ${unit}`),
  ].join(', ');
}
