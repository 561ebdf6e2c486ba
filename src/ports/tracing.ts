/** A stretch of time that is told to the collector of traces. */
export interface TracedSpan {
  readonly name: 'staffetta.leg' | 'staffetta.handoff' | 'staffetta.checkpoint';
  readonly startedAt: number;
  readonly attributes: Readonly<Record<string, string | number>>;
  /** What it goes on from, each as a W3C `traceparent`. */
  readonly links: readonly string[];
}

export interface OpenSpan {
  /** Null where nobody records it. */
  readonly traceparent: string | null;
  end(at: number, failure?: string): void;
}

/** Tells spans to the program's own collector. Without one nothing is told, and nothing is computed for it. */
export interface Tracing {
  readonly listening: boolean;
  begin(span: TracedSpan): Promise<OpenSpan>;
}
