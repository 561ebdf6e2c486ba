/**
 * What lies where in a bucket. Every name begins with what differs most, so that S3 can spread them: it serves some 3,500 writes a second
 * for each part of the key space that it has split off, and splits by the beginning of keys. Task ids and digests are chance; what is in order of time
 * has a digest of its task before it.
 *
 *   h/TASK                        the head of a task; the only truth about it
 *   s/TASK/INC.FROM.WRITER        a segment: older entries that its head names
 *   b/DIGEST                      a blob
 *   x/GROUP/SHARD/TIME.TASK.…     a marker for lists
 *   k/DIGEST/TASK                 a marker: this task may have an entry of that key
 *   w/NEED/TASK                   a marker: this task may wait for that need
 *   m/DIGEST/TASK.OFFER.EPOCH     a hint, for the address of that digest
 *   n/SHARD/STAMP.TASK.…          an entry that the feed has not numbered yet
 *   f/PAGE                        a page of the feed
 *   meta/…                        the format, the store's secret, and until when somebody does what one is enough for
 */
import { sha256Hex } from '../../core/journal/sha256.ts';
import type { Digest } from '../../core/journal/digest.ts';
import { isTaskId, type TaskId } from '../../core/journal/id.ts';
import type { Card } from '../../core/task/card.ts';
import type { Status } from '../../core/task/state.ts';
import { statuses } from '../../core/task/state.ts';

export const headKey = (task: TaskId): string => `h/${task}`;
export const blobKey = (digest: Digest): string => `b/${digest.slice('sha256:'.length)}`;
export const waitKey = (need: TaskId, task: TaskId): string => `w/${need}/${task}`;
export const keyPrefix = (key: string): string => `k/${sha256Hex(key).slice(0, 32)}/`;
export const hintPrefix = (address: string): string => `m/${sha256Hex(address).slice(0, 32)}/`;
export const pageKey = (page: number): string => `f/${padded(page, 10)}`;
export const formatKey = 'meta/format';
export const secretKey = 'meta/secret';
export const turnKey = (name: string): string => `meta/turn.${sha256Hex(name).slice(0, 16)}`;

export function segmentKey(
  task: TaskId,
  part: { readonly inc: number; readonly from: number; readonly writer: string },
): string {
  return `s/${task}/${part.inc}.${part.from}.${part.writer}`;
}

function padded(value: number, digits: number): string {
  return String(value).padStart(digits, '0');
}

/** Listed apart: most tasks have ended, and a plan may have many that are blocked. */
export type MarkerGroup = 'ended' | 'blocked' | 'live';
export const markerGroups: readonly MarkerGroup[] = ['ended', 'blocked', 'live'];
export const markerShards = ['0', '1', '2', '3'] as const;

const groupOfStatus: Readonly<Partial<Record<Status, MarkerGroup>>> = {
  done: 'ended',
  failed: 'ended',
  cancelled: 'ended',
  elsewhere: 'ended',
  blocked: 'blocked',
};

export function markerGroup(status: Status): MarkerGroup {
  return groupOfStatus[status] ?? 'live';
}

export interface Marker {
  readonly openedAt: number;
  readonly task: TaskId;
  readonly status: Status;
  readonly inc: number;
  /** Of the append that brought this status. */
  readonly seq: number;
  readonly isDead: boolean;
  /** Undefined where it is offered to nobody. */
  readonly offer: MarkedOffer | undefined;
}

export interface MarkedOffer {
  /** A mark of the address. */
  readonly to: string;
  /** Its hint is of this epoch, or lost. */
  readonly epoch: number;
  /** From then on it could be taken. */
  readonly since: number;
  /** Infinity: it ends by itself never. */
  readonly expiresAt: number;
}

/** Offers for others are told apart by it without being read; two addresses with the same one are told apart by heads. */
export function addressMark(address: string): string {
  return sha256Hex(address).slice(0, 8);
}

/** Times count down, so that the newest is listed first. All that a number can be as a time is below it. */
const timeMax = 2 ** 53;

export function markerPlace(openedAt: number, task: TaskId): string {
  return `${padded(timeMax - Math.floor(openedAt), 17)}.${task}`;
}

export function markerPrefix(group: MarkerGroup, shard: string): string {
  return `x/${group}/${shard}/`;
}

/** Whatever lists are searched for without reading a head. */
export function markerKey(
  card: Card,
  { inc, seq, epoch }: { readonly inc: number; readonly seq: number; readonly epoch: number },
): string {
  const { task, openedAt, status, dead, to, expiresAt } = card;
  const shard = markerShards[Number.parseInt(sha256Hex(task).slice(0, 1), 16) % markerShards.length] ?? '0';
  const since = Math.max(card.updatedAt, card.notBefore ?? 0);
  return [
    `${markerPrefix(markerGroup(status), shard)}${markerPlace(openedAt, task)}`,
    status,
    inc,
    seq,
    dead ? 'dead' : '',
    ...(to === null ? [] : [addressMark(to), epoch, Math.floor(since), Math.floor(expiresAt ?? 0)]),
  ].join('.');
}

export function parseMarker(key: string): Marker | undefined {
  const [time = '', task = '', status = '', inc, seq, dead, to, epoch, since, expiresAt] = key
    .slice(key.lastIndexOf('/') + 1)
    .split('.');
  const known = statuses.find((one) => one === status);
  if (!isTaskId(task) || known === undefined) return undefined;
  const openedAt = timeMax - Number(time);
  const offer =
    to === undefined
      ? undefined
      : { to, epoch: Number(epoch), since: Number(since), expiresAt: Number(expiresAt) || Infinity };
  return {
    openedAt,
    task,
    status: known,
    inc: Number(inc),
    seq: Number(seq),
    isDead: dead === 'dead',
    offer,
  };
}

/** An append, or an adoption of several entries, that is about to be stored. */
export interface Intent {
  readonly key: string;
  readonly stamp: number;
  readonly task: TaskId;
  readonly inc: number;
  readonly from: number;
  readonly to: number;
  readonly writer: string;
}

export function intentKey({ stamp, task, inc, from, to, writer }: Omit<Intent, 'key'>): string {
  return `n/${sha256Hex(task).slice(0, 2)}/${padded(stamp, 17)}.${task}.${inc}.${from}.${to}.${writer}`;
}

export function parseIntent(key: string): Intent | undefined {
  const [stamp, task = '', inc, from, to, writer = ''] = key.slice(key.lastIndexOf('/') + 1).split('.');
  if (!isTaskId(task)) return undefined;
  return { key, stamp: Number(stamp), task, inc: Number(inc), from: Number(from), to: Number(to), writer };
}

let lastStamp = 0;

/** Microseconds of this machine's clock; no two of one process are the same, and none is lower than one before. */
export function nextStamp(atLeast = 0): number {
  lastStamp = Math.max(lastStamp + 1, Date.now() * 1000, atLeast);
  return lastStamp;
}

/** Tells one write from all others. */
export function newWriter(): string {
  return Buffer.from(globalThis.crypto.getRandomValues(new Uint8Array(6))).toString('hex');
}
