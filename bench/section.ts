import type { Curves } from './draw/curves.ts';

/** What a measure hands to the report. */
export interface Line {
  readonly measure: string;
  readonly target: string;
  readonly result: string;
  /** Quartiles or extremes over the rounds; empty where there is one number only. */
  readonly spread: string;
  readonly verdict: Verdict;
}

export type Verdict = 'met' | 'missed' | 'not measured' | 'for information';

export interface Section {
  readonly title: string;
  readonly lines: readonly Line[];
  /** How it was measured, in sentences. */
  readonly notes: readonly string[];
  readonly curves?: readonly Curves[];
}

export function verdict(met: boolean): Verdict {
  return met ? 'met' : 'missed';
}

export function notMeasured(measure: string, target: string, why: string): Line {
  return { measure, target, result: `NOT MEASURED: ${why}`, spread: '', verdict: 'not measured' };
}
