/**
 * progress.json: how a task stands, for tools that only read files. Made of its state, its contract and its latest packet, and
 * of nothing else, so that the same input gives the same bytes. `seal` is the digest of all the other fields: the next writer
 * of the file can tell whether somebody changed it.
 */
import { defined } from '../base/defined.ts';
import * as z from 'zod/mini';
import { Owner } from '../task/address.ts';
import { canonical } from '../journal/canonical.ts';
import type { Contract } from '../contract/contract.ts';
import { Digest, digestOf } from '../journal/digest.ts';
import { CommandWords } from '../journal/event.ts';
import { packetResults } from './handoff-facts.ts';
import { TaskId } from '../journal/id.ts';
import type { Packet } from '../packet/packet.ts';
import { phaseStatuses, statuses, type TaskState } from '../task/state.ts';
import { Text, Title } from '../base/text.ts';

const Count = z.int().check(z.minimum(0));

export const ProgressFile = z.strictObject({
  $schema: z.optional(z.string()),
  v: z.literal(1),
  task: TaskId,
  title: Title,
  status: z.enum(statuses),
  generation: Count,
  holder: z.nullable(z.string()),
  packet: Digest,
  /** When the packet was sealed, in milliseconds since 1970. */
  at: Count,
  phases: z.array(
    z.strictObject({
      name: Title,
      goal: z.optional(Text),
      criteria: z.array(Text),
      status: z.enum(['not-started', ...phaseStatuses]),
    }),
  ),
  progress: z.nullable(
    z.strictObject({
      at: Count,
      of: z.nullable(Count),
      unit: z.nullable(Title),
      cursor: z.nullable(Text),
    }),
  ),
  /** The agent's word, as are the questions of the packet. */
  next: z.nullable(Text),
  questions: z.array(z.strictObject({ text: Text, owner: z.nullable(Owner) })),
  /** Against the workspace that the packet was sealed on. */
  validation: z.array(
    z.strictObject({
      run: CommandWords,
      outcome: z.nullable(z.enum(['passed', 'failed'])),
      standing: z.enum(['bound', 'stale', 'unknown', 'not-run']),
      at: z.nullable(Count),
      exit: z.nullable(z.int()),
    }),
  ),
  seal: Digest,
});
export type ProgressFile = z.infer<typeof ProgressFile>;

/** Of a task whose latest packet is this one. */
export function progressFile(
  state: TaskState & { readonly packet: Digest },
  contract: Contract,
  packet: Packet,
): ProgressFile {
  const body: Omit<ProgressFile, 'seal'> = {
    v: 1,
    task: state.task,
    title: contract.title,
    status: state.status,
    generation: state.generation,
    holder: state.leg?.holder.name ?? null,
    packet: state.packet,
    at: packet.at,
    phases: (contract.phases ?? []).map(({ name, goal, criteria = [] }) => ({
      name,
      ...defined({ goal }),
      criteria,
      status: state.phases.find((known) => known.name === name)?.status ?? 'not-started',
    })),
    progress: state.progress,
    next: packet.claims.next ?? null,
    questions: [
      ...state.raised.map(({ question, owner }) => ({ text: question, owner })),
      ...(packet.claims.questions ?? []).map(({ text, owner = null }) => ({ text, owner })),
    ],
    validation: packetResults(packet, contract).map(({ run, outcome, standing, at, exit }) => ({
      run: [...run],
      outcome,
      standing,
      at,
      exit,
    })),
  };
  return { ...body, seal: sealOf(body) };
}

/** Whether a text is a progress.json that nobody changed, but for its layout. */
export function isOwnProgress(text: string): boolean {
  try {
    const { seal, ...body } = JSON.parse(text) as ProgressFile;
    return seal === sealOf(body);
  } catch {
    return false;
  }
}

function sealOf(body: object): Digest {
  return digestOf(canonical(body));
}
