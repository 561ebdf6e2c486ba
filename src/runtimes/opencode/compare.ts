import { isDeepStrictEqual } from 'node:util';
import type { Step, Transcript } from '../../core/transcript/step.ts';
import type { Carried, CarriedCall } from './compose.ts';

/** The first difference between what was to be written and what was read back, in words; null where there is none. */
export function differenceOf(carried: readonly Carried[], read: Transcript): string | null {
  if (carried.length !== read.steps.length) {
    return `${carried.length} steps were written and ${read.steps.length} were read back.`;
  }
  const at = carried.findIndex((step, i) => !isDeepStrictEqual(step, seen(read.steps[i])));
  return at < 0
    ? null
    : `Step ${at + 1} (${carried[at]?.source}) was read back otherwise than it was written.`;
}

function seen(step: Step | undefined): Carried | null {
  if (step === undefined) return null;
  const results = new Map((step.results ?? []).map((result) => [result.call, result]));
  const calls = (step.calls ?? []).map((call): CarriedCall => {
    const result = results.get(call.id);
    return {
      id: call.id,
      tool: call.tool,
      input: call.args,
      output: result?.text ?? '',
      failed: result?.failed ?? true,
      exit: result?.exit ?? null,
    };
  });
  return { source: step.source, text: step.text, calls };
}
