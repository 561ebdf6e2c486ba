import type { Digest } from './digest.ts';
import { sha256Hex } from './sha256.ts';
import { foldVersion, type TaskState } from '../task/state.ts';

/**
 * The folded state as stores keep it beside a head: a checksum bound to the head's digest, then JSON. It is a cache. A reader
 * that cannot use it (another fold wrote it, or it is damaged) folds the journal again.
 */
export function writeSnapshot(state: TaskState): string {
  const json = JSON.stringify(state);
  return `${checksum(state.head, json)} ${json}`;
}

export function readSnapshot(snapshot: string, head: Digest): TaskState | undefined {
  const read = inspectSnapshot(snapshot, head);
  return typeof read === 'string' ? undefined : read;
}

/** The state, or why it cannot be used: `damaged`, or `other-fold`, which is no fault. */
export function inspectSnapshot(snapshot: string, head: Digest): TaskState | 'damaged' | 'other-fold' {
  const space = snapshot.indexOf(' ');
  const json = snapshot.slice(space + 1);
  if (space !== 32 || snapshot.slice(0, space) !== checksum(head, json)) return 'damaged';
  const state = JSON.parse(json) as TaskState;
  return state.foldVersion === foldVersion ? state : 'other-fold';
}

function checksum(head: Digest, json: string): string {
  return sha256Hex(head + json).slice(0, 32);
}
