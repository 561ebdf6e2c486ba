import * as z from 'zod/mini';
import { limits } from '../base/limits.ts';

/** A git object id, SHA-1 or SHA-256. */
export const ObjectId = z.string().check(z.regex(/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/));
export const RefName = z.string().check(z.minLength(1), z.maxLength(limits.pathBytesMax));

/** Where the work began: HEAD when the first leg started. */
export const startShape = () =>
  z.strictObject({
    /** Null: there was no commit yet. */
    head: z.nullable(ObjectId),
    /** Null: HEAD was detached. */
    branch: z.nullable(RefName),
  });
export type WorkStart = z.infer<ReturnType<typeof startShape>>;
