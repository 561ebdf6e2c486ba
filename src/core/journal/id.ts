import * as z from 'zod/mini';
import { sha256Hex } from './sha256.ts';

/**
 * A task's id: `t` and twelve Crockford base32 characters (60 random bits). Any unambiguous beginning of four or more
 * characters names the task on the command line. A collision cannot overwrite: the first append of a task
 * succeeds only where no entry exists.
 */
export type TaskId = `t${string}`;

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';
const pattern = /^t[0-9a-hjkmnp-tv-z]{12}$/;

export const TaskId = z.custom<TaskId>(
  (value) => typeof value === 'string' && pattern.test(value),
  'expected a task id: t and 12 letters or digits',
);

export function isTaskId(value: string): value is TaskId {
  return pattern.test(value);
}

/** At least eight random bytes in, an id out. */
export function taskIdFrom(random: Uint8Array): TaskId {
  let value = 0n;
  for (const byte of random.subarray(0, 8)) value = (value << 8n) | BigInt(byte);
  let text = '';
  for (let i = 0; i < 12; i += 1) {
    text += alphabet[Number(value & 31n)] ?? '';
    value >>= 5n;
  }
  return `t${text}`;
}

/** The same idempotency key by the same actor opens the same task, wherever it is retried. */
export function taskIdForKey(actor: string, key: string): TaskId {
  return taskIdFrom(Buffer.from(sha256Hex(`staffetta/open/v1\n${actor}\n${key}`), 'hex'));
}
