import { signal } from '@preact/signals';
import type * as z from 'zod/mini';
import type { Me as MeSchema } from '../../../src/server/contract/contract.ts';
import { get, leave } from '../api/client.ts';

export type Me = z.infer<typeof MeSchema>;

/** Who is signed in, and what the sign-in allows. Undefined until the server has said. */
export const me = signal<Me | undefined>(undefined);

export function may(verb: Me['verbs'][number]): boolean {
  return me.value?.verbs.includes(verb) ?? false;
}

export async function loadMe(): Promise<void> {
  try {
    me.value = await get<Me>('/api/me');
  } catch {
    // The pages say what is wrong when they ask for something themselves.
  }
}

/** It was asked to end and did not. */
export const staysSignedIn = signal(false);

/** Revokes the sign-in, so that its cookie is worth nothing any more, in any window. */
export async function signOut(): Promise<void> {
  try {
    await leave();
  } catch {
    staysSignedIn.value = true;
  }
}
