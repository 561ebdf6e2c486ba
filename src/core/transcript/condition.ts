/**
 * How a session stands, by what its program recorded: whether a turn is settled, how full the model's window is, and what stopped
 * it. Told from the last steps that the model still sees; what was left aside says nothing of now.
 */
import { programOf } from '../resume/runtime-names.ts';
import { isOwnPrompt } from './leg-line.ts';
import type { ToolCall, Step, Transcript } from './step.ts';

/** At this share of its window a session should be handed on while there is room to say how. */
export const fullShare = 0.8;

/**
 * What fits into a window, where the program's own figures do not say: by the beginning of a model's name, the most exact first. As the
 * programs themselves told it in November 2026: Claude Code 2.1.325 for each of its models, Codex 0.166.0 and Gemini CLI 0.61.0.
 */
const windows: readonly (readonly [RegExp, number])[] = [
  [/\[1m\]$/, 1_000_000],
  [/^claude-(?:[23]|instant)/, 200_000],
  [/^claude-(?:opus|sonnet|haiku)-4(?:-[0-6])?(?:[-@]\d{8})?$/, 200_000],
  [/^claude-/, 1_000_000],
  [/^gpt-5/, 272_000],
  [/^gpt-4\.1/, 1_047_576],
  [/^gemini-/, 1_048_576],
];

/** Windows that there are. A use that is larger than what was assumed proves the assumption wrong: then it is the next one. */
const sizes: readonly number[] = [200_000, 272_000, 400_000, 1_000_000, 1_048_576, 2_097_152];

export interface Window {
  readonly used: number;
  readonly max: number;
  /** From 0 to 1, and more where the program counts otherwise. */
  readonly share: number;
}

export interface Condition {
  /** No call is without its result, and the model has had its say: a boundary at which work can change hands. */
  readonly settled: boolean;
  /** Who has to act: the person, the model, or a tool that was called. */
  readonly turn: 'person' | 'model' | 'tool';
  /** Calls under way. */
  readonly calls: readonly ToolCall[];
  readonly window: Window | null;
  /** What stopped it, as far as it says itself. A limit of requests per minute passes; one of usage does not. */
  readonly stopped:
    | 'usage-limit'
    | 'rate-limited'
    | 'context-limit'
    | 'error'
    | 'interrupted'
    | 'ended'
    | null;
}

export function conditionOf({ steps, unanswered, facts }: Transcript): Condition {
  const seen = steps.filter(({ aside }) => aside === undefined);
  const last = seen.findLast(
    (step) =>
      (step.source !== 'system' && step.mark !== 'command') ||
      stops.has(step.mark ?? '') ||
      isOwnPrompt(step),
  );
  const turn = turnOf(last, unanswered);
  return {
    settled: turn === 'person',
    turn,
    calls: unanswered,
    window: windowOf(seen, facts),
    stopped: stoppedBy(last),
  };
}

const stops: ReadonlySet<string> = new Set([
  'interrupted',
  'error',
  'usage-limit',
  'rate-limited',
  'context-limit',
  'ended',
]);

function stoppedBy(last: Step | undefined): Condition['stopped'] {
  const mark = last?.mark;
  return mark !== undefined && stops.has(mark) ? (mark as NonNullable<Condition['stopped']>) : null;
}

function turnOf(last: Step | undefined, unanswered: readonly ToolCall[]): Condition['turn'] {
  if (unanswered.length > 0) return 'tool';
  if (last === undefined || stoppedBy(last) !== null) return 'person';
  // A step that ends in calls whose results are there waits for what the model makes of them. One that says nothing is not at its
  // end: Gemini CLI writes an answer that is only a call without it, as long as the call has no result.
  const isSaid = last.text.trim() !== '' && (last.calls ?? []).length === 0;
  return last.source === 'agent' && isSaid ? 'person' : 'model';
}

function windowOf(steps: readonly Step[], facts: Transcript['facts']): Window | null {
  const from = steps.findLastIndex(({ mark }) => mark === 'compaction') + 1;
  const step = steps.slice(from).findLast(({ usage }) => usage?.window !== undefined);
  const used = step?.usage?.window;
  if (used === undefined) return null;
  const told = step?.usage?.windowMax;
  const max = told ?? assumedWindow(used, step?.model ?? facts.model ?? '', facts.runtime);
  if (max === null || max <= 0) return null;
  return { used, max, share: used / max };
}

function assumedWindow(used: number, model: string, runtime: string): number | null {
  const assumed = windowOfModel(model) ?? (model === '' ? null : (programOf(runtime)?.unknownWindow ?? null));
  if (assumed === null || used <= assumed) return assumed;
  return sizes.find((size) => size >= used) ?? null;
}

function windowOfModel(model: string): number | null {
  const name = model.toLowerCase().replace(/^.*\//, '');
  return windows.find(([pattern]) => pattern.test(name))?.[1] ?? null;
}
