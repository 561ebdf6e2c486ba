/** What was said and done, one thing after the other, so that two transcripts can be compared whatever their ids and steps are. */
import { defined } from '../../core/base/defined.ts';
import { calledByModel } from '../../core/transcript/called-by-model.ts';
import type { Step } from '../../core/transcript/step.ts';

export interface Exchange {
  readonly what: 'user' | 'agent' | 'summary' | 'call' | 'result';
  readonly text: string;
  readonly failed?: boolean;
  readonly exit?: number;
}

export function callText(tool: string, args: unknown, raw?: string): string {
  return `${tool} ${raw ?? JSON.stringify(args)}`;
}

export function exchangesIn(steps: readonly Step[]): Exchange[] {
  return steps.map(calledByModel).flatMap((step) => {
    if (step.source === 'user') return [{ what: 'user', text: step.text } as const];
    if (step.source === 'system') {
      return step.mark === 'compaction' ? [{ what: 'summary', text: step.text } as const] : [];
    }
    const calls = step.calls ?? [];
    const results = new Map((step.results ?? []).map((result) => [result.call, result]));
    return [
      ...(step.text === '' ? [] : [{ what: 'agent', text: step.text } as const]),
      ...calls.map(({ tool, args, raw }) => ({ what: 'call', text: callText(tool, args, raw) }) as const),
      // In the order of the calls, and not of the answers.
      ...calls.flatMap(({ id }): Exchange[] => {
        const result = results.get(id);
        if (result === undefined) return [];
        const { text, failed, exit } = result;
        return [{ what: 'result', text, failed, ...defined({ exit }) }];
      }),
    ];
  });
}

/** The first difference in words, or null. What was not said of an exit code is not asked for. */
export function differenceOf(expected: readonly Exchange[], found: readonly Exchange[]): string | null {
  for (const [place, want] of expected.entries()) {
    const got = found[place];
    if (got === undefined) return `${want.what} ${place + 1} is missing`;
    const same =
      want.what === got.what &&
      want.text === got.text &&
      want.failed === got.failed &&
      (want.exit === undefined || want.exit === got.exit);
    if (!same) return `${want.what} ${place + 1} came back as another ${got.what}`;
  }
  return found.length > expected.length
    ? `there are ${found.length - expected.length} more than were written`
    : null;
}
