import { trace, type Span, type SpanOptions, type TracerProvider } from '@opentelemetry/api';
import { afterEach, expect, test } from 'vitest';
import { openTelemetry } from './tracing.ts';

const begun: { readonly name: string; readonly options: SpanOptions; readonly ended: unknown[] }[] = [];

/** As much of an SDK as the API asks for. */
const provider: TracerProvider = {
  getTracer: () =>
    ({
      startSpan(name: string, options: SpanOptions) {
        const ended: unknown[] = [];
        begun.push({ name, options, ended });
        return {
          spanContext: () => ({ traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), traceFlags: 1 }),
          setStatus(status: unknown) {
            ended.push(status);
            return this;
          },
          setAttribute: (name: string, value: unknown) => ended.push({ [name]: value }),
          end: (at: unknown) => ended.push(at),
        } as unknown as Span;
      },
    }) as never,
};

afterEach(() => {
  trace.disable();
  begun.length = 0;
});

const asked = {
  name: 'staffetta.leg',
  startedAt: 5,
  attributes: { 'staffetta.task': 't1' },
  links: [`00-${'1'.repeat(32)}-${'2'.repeat(16)}-01`, '00-0-0-00', 'nonsense'],
} as const;

test('spans go to the SDK of the surrounding program, with links that can be followed', async () => {
  trace.setGlobalTracerProvider(provider);
  expect(openTelemetry.listening).toBe(true);
  const span = await openTelemetry.begin(asked);
  expect(span.traceparent).toBe(`00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`);
  span.end(9, 'lapsed');
  expect(begun).toMatchObject([
    {
      name: 'staffetta.leg',
      options: {
        startTime: new Date(5),
        attributes: { 'staffetta.task': 't1' },
        links: [{ context: { traceId: '1'.repeat(32), spanId: '2'.repeat(16), traceFlags: 1 } }],
      },
      ended: [{ message: 'lapsed' }, { 'error.type': 'lapsed' }, new Date(9)],
    },
  ]);
  expect(begun[0]?.options.links).toHaveLength(1);
});

test('without an SDK nothing is recorded, and there is nothing to carry', async () => {
  const span = await openTelemetry.begin(asked);
  expect(span.traceparent).toBeNull();
  span.end(9);
});
