/** A collector of spans whose names are counted, the same in every run. */
import type { TracedSpan, Tracing } from '../../src/ports/tracing.ts';

export interface ToldSpan extends TracedSpan {
  readonly traceparent: string;
  endedAt?: number;
  failure?: string | undefined;
}

export function fixedTracing(): Tracing & { readonly spans: ToldSpan[] } {
  const spans: ToldSpan[] = [];
  return {
    spans,
    listening: true,
    begin: async (span) => {
      const number = String(spans.length + 1);
      const told: ToldSpan = {
        ...span,
        traceparent: `00-${number.padStart(32, '0')}-${number.padStart(16, '0')}-01`,
      };
      spans.push(told);
      return {
        traceparent: told.traceparent,
        end(at, failure) {
          told.endedAt = at;
          told.failure = failure;
        },
      };
    },
  };
}
