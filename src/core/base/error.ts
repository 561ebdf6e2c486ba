/**
 * The one error class. `code` is closed: every code has a section in docs/errors.md (a test holds them together)
 * and one exit code in the command line. `hint` says what to do next and is safe to follow blindly:
 * agents read it too, so it never proposes anything destructive.
 */
export const errorCodes = [
  'invalid-input',
  'too-large',
  'unknown-task',
  'ambiguous-task',
  'unknown-evidence',
  'unknown-session',
  'ambiguous-session',
  'session-unreadable',
  'session-busy',
  'runtime-missing',
  'not-resumable',
  'unknown-packet',
  'unknown-offer',
  'unknown-decision',
  'unknown-effect',
  'unknown-phase',
  'unknown-token',
  'task-exists',
  'wrong-state',
  'held',
  'stale-generation',
  'not-holder',
  'not-addressed',
  'not-acknowledged',
  'too-early',
  'needs-unmet',
  'needs-cycle',
  'lane-denied',
  'denied',
  'author-review',
  'review-required',
  'review-stale',
  'not-ready',
  'audit-changed',
  'edge-denied',
  'bounce',
  'effect-unknown',
  'key-reused',
  'conflict',
  'lease-live',
  'outcome-unknown',
  'store-missing',
  'store-exists',
  'store-newer',
  'store-unsupported',
  'store-busy',
  'store-readonly',
  'store-full',
  'store-io',
  'store-closed',
  'workspace-missing',
  'workspace-unusable',
  'workspace-dirty',
  'workspace-moved',
  'workspace-busy',
  'commit-missing',
  'unsafe-path',
  'restore-failed',
  'file-exists',
  'git-missing',
  'git-failed',
  'blob-missing',
  'corrupt',
  'interrupted',
  'unavailable',
  'far-unreachable',
] as const;

export type ErrorCode = (typeof errorCodes)[number];

const retryableCodes: ReadonlySet<ErrorCode> = new Set([
  'conflict',
  'store-busy',
  'too-early',
  'session-busy',
  'outcome-unknown',
  'far-unreachable',
]);

export interface ErrorOptions {
  readonly details?: Readonly<Record<string, unknown>>;
  readonly hint?: string;
  readonly cause?: unknown;
}

export class StaffettaError extends Error {
  override readonly name = 'StaffettaError';
  readonly code: ErrorCode;
  readonly details: Readonly<Record<string, unknown>>;
  readonly hint: string | undefined;

  constructor(code: ErrorCode, message: string, options: ErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.details = options.details ?? {};
    this.hint = options.hint;
  }

  get retryable(): boolean {
    return retryableCodes.has(this.code);
  }
}

export function isStaffettaError(error: unknown, code?: ErrorCode): error is StaffettaError {
  return error instanceof StaffettaError && (code === undefined || error.code === code);
}
