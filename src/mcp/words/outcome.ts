/** The result of a change, the same for every tool that makes one. */
import * as z from 'zod/mini';
import { readiness } from '../../core/packet/readiness.ts';
import { sanitizeLine } from '../../core/base/sanitize.ts';
import type { Recorded } from '../../handoff/record/record.ts';
import type { SealedRecord } from '../../handoff/sealing/sealing.ts';
import { eventIn } from '../../handoff/record/record.ts';
import { outcomeOf } from '../../desk/outcome.ts';
import { mended } from './mending.ts';

export const OutcomeOutput = {
  task: z.string(),
  status: z.string(),
  generation: z.int(),
  holder: z.nullable(z.string()),
  offeredTo: z.nullable(z.string()),
  leaseUntil: z.nullable(z.string()),
  /** Its place in the journal: evidence as j and this number. */
  entry: z.int(),
  /** The key was known: this is what the first call did. */
  repeated: z.boolean(),
  next: z.array(z.string()),
};

/** The same where there may be none. */
export const NoOutcome = {
  task: z.nullable(OutcomeOutput.task),
  status: z.nullable(OutcomeOutput.status),
  generation: z.nullable(OutcomeOutput.generation),
  holder: OutcomeOutput.holder,
  offeredTo: OutcomeOutput.offeredTo,
  leaseUntil: OutcomeOutput.leaseUntil,
  entry: z.nullable(OutcomeOutput.entry),
  repeated: OutcomeOutput.repeated,
  next: OutcomeOutput.next,
};

export const FindingOutput = z.strictObject({
  rule: z.string(),
  severity: z.string(),
  path: z.string(),
  text: z.string(),
  fix: z.string(),
});

export const SealedOutcome = {
  ...OutcomeOutput,
  packet: z.nullable(z.string()),
  certification: z.string(),
  findings: z.array(FindingOutput),
  missing: z.array(z.string()),
  /** The session whose records are in the packet. */
  captured: z.nullable(z.string()),
};

export function toolOutcome(
  recorded: Recorded,
  next: readonly string[],
): z.output<z.ZodMiniObject<typeof OutcomeOutput>> {
  const { seq: entry, leaseUntil, packet: _packet, head: _head, ...stands } = outcomeOf(recorded);
  return { ...stands, leaseUntil: timeOf(leaseUntil), entry, next: [...next] };
}

export function sealedOutcome(
  recorded: SealedRecord,
  captured: string | null,
  next: readonly string[],
): z.output<z.ZodMiniObject<typeof SealedOutcome>> {
  const { certification, findings, missing, entry, state } = recorded;
  return {
    ...toolOutcome(recorded, next),
    packet: eventIn(entry, 'checkpoint-sealed')?.packet ?? state.packet,
    certification,
    findings: findings.map(mended),
    missing: [...missing],
    captured,
  };
}

export function timeOf(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString();
}

/** One sentence, marked where nothing was done now, and what to do next. */
export function sentence(repeated: boolean, words: string, next: readonly string[] = []): string {
  const prefix = repeated ? 'Done before: ' : '';
  return [`${prefix}${words}`, ...next.map((one) => `Next: ${one}`)].join('\n');
}

/** What the gate found in a packet that was sealed all the same. */
export function foundText({ certification, findings, missing }: SealedRecord): string {
  if (findings.length === 0 && missing.length === 0) return '';
  const lines = findings
    .map(mended)
    .map(({ severity, rule, path, text, fix }) => `- ${severity}: ${rule}, ${path}: ${text} → ${fix}`);
  const lacks = missing.map((what) => `- missing: ${what}`);
  return `\nThe packet is ${readiness(certification)}. What the gate found:\n${[...lines, ...lacks].map(sanitizeLine).join('\n')}`;
}
