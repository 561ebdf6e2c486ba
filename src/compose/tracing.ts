/**
 * Spans for OpenTelemetry, through its API alone: the user who runs the program chooses the SDK. The API is loaded only where an SDK has
 * announced itself in the place that the API keeps for it, so that nobody else pays for loading it.
 */
import type { OpenSpan, TracedSpan, Tracing } from '../ports/tracing.ts';

const place = Symbol.for('opentelemetry.js.api.1');

export const openTelemetry: Tracing = {
  get listening() {
    return (globalThis as Record<symbol, unknown>)[place] !== undefined;
  },
  async begin({ name, startedAt, attributes, links }: TracedSpan): Promise<OpenSpan> {
    const { trace, isSpanContextValid, SpanKind, SpanStatusCode } = await import('@opentelemetry/api');
    const span = trace.getTracer('staffetta').startSpan(name, {
      kind: name === 'staffetta.handoff' ? SpanKind.CONSUMER : SpanKind.INTERNAL,
      startTime: new Date(startedAt),
      attributes,
      links: links.flatMap((parent) => {
        const [, traceId = '', spanId = '', flags = '0'] = parent.split('-');
        const context = { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true };
        return isSpanContextValid(context) ? [{ context }] : [];
      }),
    });
    const { traceId, spanId, traceFlags } = span.spanContext();
    const isRecorded = isSpanContextValid(span.spanContext());
    return {
      traceparent: isRecorded ? `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}` : null,
      end(at, failure) {
        if (failure !== undefined)
          span
            .setStatus({ code: SpanStatusCode.ERROR, message: failure })
            .setAttribute('error.type', failure);
        span.end(new Date(at));
      },
    };
  },
};
