/**
 * What one call of LangGraph leaves: a line of JSON that says what it is, and after it the bytes of its parts, each as the serializer of
 * the saver wrote them.
 */
import * as z from 'zod/mini';
import { StaffettaError } from '../../core/base/error.ts';
import { parsedJson } from '../kept-lists.ts';

/** A channel that changed: where it grew from another value of the same channel, only what is new. */
const Channel = z.strictObject({
  name: z.string(),
  type: z.string(),
  bytes: z.int(),
  /** Of the base, which is the value of the parent; absent where this is all of it. */
  head: z.optional(z.int()),
  tail: z.optional(z.int()),
});

const Write = z.strictObject({ channel: z.string(), idx: z.int(), type: z.string(), bytes: z.int() });

const Put = z.strictObject({
  v: z.literal(1),
  kind: z.literal('put'),
  thread: z.string(),
  ns: z.string(),
  id: z.string(),
  parent: z.optional(z.string()),
  /** The checkpoint without its values, then its metadata, then its channels. */
  checkpoint: z.strictObject({ type: z.string(), bytes: z.int() }),
  metadata: z.strictObject({ type: z.string(), bytes: z.int() }),
  /** Those that changed. */
  channels: z.array(Channel),
  /** The names of all that have a value. */
  values: z.array(z.string()),
});

const Writes = z.strictObject({
  v: z.literal(1),
  kind: z.literal('writes'),
  ns: z.string(),
  id: z.string(),
  task: z.string(),
  writes: z.array(Write),
});

const Header = z.discriminatedUnion('kind', [Put, Writes]);
export type PutHeader = z.infer<typeof Put>;
export type WritesHeader = z.infer<typeof Writes>;

export interface CheckpointRecord<H extends PutHeader | WritesHeader> {
  readonly header: H;
  readonly parts: readonly Uint8Array[];
}

export function sealRecord({ header, parts }: CheckpointRecord<PutHeader | WritesHeader>): Uint8Array {
  return Buffer.concat([Buffer.from(`${JSON.stringify(header)}\n`), ...parts]);
}

export function openRecord(bytes: Uint8Array): CheckpointRecord<PutHeader | WritesHeader> {
  const end = bytes.indexOf(0x0a);
  const parsed = z.safeParse(Header, parsedJson(bytes.subarray(0, Math.max(0, end))));
  if (!parsed.success)
    throw new StaffettaError('corrupt', 'What was kept of a LangGraph thread has an unknown form.', {
      hint: 'It may be from a newer version of Staffetta. Run: staffetta verify',
    });
  const { data: header } = parsed;
  const sizes =
    header.kind === 'put' ? [header.checkpoint, header.metadata, ...header.channels] : header.writes;
  let at = end + 1;
  const parts = sizes.map(({ bytes: size }) => bytes.subarray(at, (at += size)));
  return { header, parts };
}
