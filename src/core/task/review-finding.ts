import * as z from 'zod/mini';
import { Text } from '../base/text.ts';

const diffSides = ['old', 'new'] as const;

/** What a reviewer says; where they name a line, it is one of the new file unless `side` says that it was in the old one. */
export const findingShape = () =>
  z.strictObject({
    text: Text,
    path: z.optional(z.string().check(z.minLength(1), z.maxLength(4096))),
    line: z.optional(z.int().check(z.minimum(1))),
    side: z.optional(z.enum(diffSides)),
  });
export type ReviewFinding = z.infer<ReturnType<typeof findingShape>>;
