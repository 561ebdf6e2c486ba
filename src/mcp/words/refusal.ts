/** The one place where errors become answers that a model can act on. */
import { isStaffettaError, type ErrorCode } from '../../core/base/error.ts';
import type { Finding } from '../../core/gate/finding.ts';
import { mended } from './mending.ts';
import { askedFor, commandsAsTools } from './next-calls.ts';

/** What went wrong, in every answer that is an error. */
export interface Refusal {
  readonly code: ErrorCode | 'bug';
  readonly message: string;
  readonly hint?: string;
  readonly retryable: boolean;
  /** What to call, or to do, instead. */
  readonly next: readonly string[];
  readonly findings?: readonly Finding[];
  readonly details?: Readonly<Record<string, unknown>>;
}

export function refusalOf(error: unknown): Refusal {
  if (!isStaffettaError(error))
    return {
      code: 'bug',
      message: `Something went wrong inside staffetta: ${error instanceof Error ? error.message : String(error)}`,
      hint: 'Nothing was acknowledged. Call status to see how the task stands. A person can report this as a bug.',
      retryable: false,
      next: ['status'],
    };
  const { code, message, hint, retryable } = error;
  const { findings, ...details } = error.details;
  return {
    code,
    message,
    ...(hint === undefined ? {} : { hint: commandsAsTools(hint) }),
    retryable,
    next: [...nextFor(code, details)],
    ...(Array.isArray(findings) ? { findings: (findings as Finding[]).map(mended) } : {}),
    ...(Object.keys(details).length === 0 ? {} : { details }),
  };
}

/** What helps after a refusal. Never anything that could destroy work: it is followed without much thought. */
function nextFor(code: ErrorCode, details: Readonly<Record<string, unknown>>): readonly string[] {
  const task = typeof details['task'] === 'string' ? { task: details['task'] } : {};
  switch (code) {
    case 'invalid-input':
      return ['mend the arguments, then make the same call again'];
    case 'not-ready':
      return ['mend what the findings list, then make the same call again'];
    case 'not-acknowledged':
      return [
        askedFor('take', { ...task, acknowledge: { goal: 'TEXT', gate: 'TEXT', next: 'TEXT' } }),
        'then make the same call again',
      ];
    case 'stale-generation':
    case 'not-holder':
      return ['stop working on this task', askedFor('status', task)];
    case 'held':
    case 'too-early':
    case 'needs-unmet':
      return [askedFor('wait', { for: 'offer' }), askedFor('status', task)];
    case 'wrong-state':
      return [askedFor('status', task)];
    case 'unknown-task':
    case 'ambiguous-task':
      return [askedFor('status', {})];
    case 'unknown-evidence':
    case 'unknown-packet':
      return [askedFor('read', { ...task, what: 'briefing' })];
    case 'store-missing':
      return [askedFor('open', { goal: 'TEXT' })];
    case 'key-reused':
      return ['make the call with another idempotencyKey, or with none'];
    case 'author-review':
    case 'review-required':
      return ['a person approves, outside this program: staffetta review TASK'];
    case 'effect-unknown':
      return [
        'find out whether it took place, and settle it in a shell: staffetta settle TASK EFFECT --done',
      ];
    case 'conflict':
    case 'store-busy':
    case 'outcome-unknown':
      return ['make the same call again, with an idempotencyKey'];
    default:
      return [];
  }
}
