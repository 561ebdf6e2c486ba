/**
 * The life of one server. Its name is made when it starts and kept nowhere but in its memory and in what it gives to agents: so that is worth
 * nothing at any other server, and nothing once this one is over, however it ended. The process is named for those who only look.
 */
import * as z from 'zod/mini';
import { isOver, startOf } from '../../process/process-tree.ts';
import type { Entropy } from '../../ports/entropy.ts';

export const ServerLife = z.strictObject({
  id: z.string().check(z.regex(/^[0-9a-f]{32}$/)),
  pid: z.int().check(z.minimum(1)),
  /** By the kernel's clock, where something tells. */
  started: z.nullable(z.string()),
});
export type ServerLife = z.infer<typeof ServerLife>;

export function newLife(entropy: Entropy): ServerLife {
  const id = Buffer.from(entropy.bytes(16)).toString('hex');
  return { id, pid: process.pid, started: startOf(process.pid) ?? null };
}

export function hasEnded(life: ServerLife): boolean {
  return isOver(life);
}
