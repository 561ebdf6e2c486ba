import * as z from 'zod/mini';
import { StaffettaError } from '../base/error.ts';

/** What is kept of one actor's keys, and nowhere else. */
const keyFileShape = () =>
  z.strictObject({
    v: z.literal(1),
    kind: z.string(),
    name: z.string(),
    createdAt: z.int(),
    publicKey: z.base64(),
    privateKey: z.base64(),
    retired: z.array(
      z.strictObject({ publicKey: z.base64(), until: z.int(), successor: z.string(), signature: z.base64() }),
    ),
  });
export type KeyFile = z.infer<ReturnType<typeof keyFileShape>>;

export function parseKeyFile(text: string, file: string): KeyFile {
  try {
    return keyFileShape().parse(JSON.parse(text));
  } catch (cause) {
    throw new StaffettaError('corrupt', `${file} does not hold a key.`, {
      cause,
      details: { path: file },
      hint: 'What was signed with it stays valid. Put a copy of the file back, or move it away: another key is then made.',
    });
  }
}
