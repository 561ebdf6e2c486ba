/** The one place where errors become words and exit codes. */
import { defined } from '../../core/base/defined.ts';
import { isStaffettaError, type ErrorCode } from '../../core/base/error.ts';
import { shortFigures } from './output.ts';
import { sanitize } from '../../core/base/sanitize.ts';
import type { Occasion } from '../../core/gate/subject.ts';
import { notReadyWords } from '../../core/packet/readiness.ts';
import { findingsIn, reasonsText } from '../pages/findings-page.ts';
import { UsageError } from './usage.ts';

export const exits = {
  ok: 0,
  failed: 1,
  usage: 2,
  notFound: 3,
  denied: 4,
  conflict: 5,
  findings: 6,
  review: 7,
  pending: 8,
  integrity: 9,
  interrupted: 130,
} as const;

const exitOf: Readonly<Record<ErrorCode, number>> = {
  'invalid-input': exits.usage,
  'too-large': exits.usage,
  'unknown-task': exits.notFound,
  'ambiguous-task': exits.notFound,
  'unknown-evidence': exits.notFound,
  'unknown-session': exits.notFound,
  'ambiguous-session': exits.notFound,
  'session-unreadable': exits.failed,
  'session-busy': exits.pending,
  'runtime-missing': exits.notFound,
  'not-resumable': exits.conflict,
  'unknown-packet': exits.notFound,
  'unknown-offer': exits.notFound,
  'unknown-decision': exits.notFound,
  'unknown-effect': exits.notFound,
  'unknown-phase': exits.notFound,
  'unknown-token': exits.notFound,
  'store-missing': exits.notFound,
  'task-exists': exits.conflict,
  'wrong-state': exits.conflict,
  held: exits.conflict,
  'stale-generation': exits.conflict,
  'review-stale': exits.conflict,
  'key-reused': exits.conflict,
  conflict: exits.conflict,
  'lease-live': exits.conflict,
  'store-exists': exits.conflict,
  'not-holder': exits.denied,
  'not-addressed': exits.denied,
  'lane-denied': exits.denied,
  denied: exits.denied,
  'author-review': exits.denied,
  'edge-denied': exits.denied,
  bounce: exits.denied,
  'needs-cycle': exits.usage,
  'not-acknowledged': exits.findings,
  'not-ready': exits.findings,
  'audit-changed': exits.denied,
  'review-required': exits.review,
  'effect-unknown': exits.pending,
  'too-early': exits.pending,
  'needs-unmet': exits.pending,
  'outcome-unknown': exits.pending,
  'store-busy': exits.failed,
  'store-newer': exits.failed,
  'store-unsupported': exits.failed,
  'store-readonly': exits.failed,
  'store-full': exits.failed,
  'store-io': exits.failed,
  'store-closed': exits.failed,
  unavailable: exits.failed,
  'far-unreachable': exits.failed,
  'workspace-missing': exits.notFound,
  'workspace-unusable': exits.failed,
  'workspace-dirty': exits.conflict,
  'workspace-moved': exits.conflict,
  'workspace-busy': exits.conflict,
  'commit-missing': exits.notFound,
  'unsafe-path': exits.denied,
  'restore-failed': exits.failed,
  'file-exists': exits.conflict,
  'git-missing': exits.failed,
  'git-failed': exits.failed,
  'blob-missing': exits.integrity,
  corrupt: exits.integrity,
  interrupted: exits.interrupted,
};

export function exitCode(code: ErrorCode): number {
  return exitOf[code];
}

export interface Failure {
  readonly exit: number;
  readonly error: {
    readonly code: string;
    readonly message: string;
    readonly hint?: string;
    readonly retryable?: boolean;
    readonly details?: Readonly<Record<string, unknown>>;
  };
}

export function failureFrom(error: unknown): Failure {
  if (error instanceof UsageError) {
    return {
      exit: exits.usage,
      error: {
        code: 'usage',
        message: error.message,
        ...defined({ hint: error.hint }),
      },
    };
  }
  if (isStaffettaError(error)) {
    const { code, message, hint, details, retryable } = error;
    return {
      exit: exitCode(code),
      error: { code, message, retryable, details, ...defined({ hint }) },
    };
  }
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return {
    exit: exits.failed,
    error: {
      code: 'bug',
      message: stack,
      hint: 'This is a bug in staffetta. Nothing was acknowledged. Please report it.',
    },
  };
}

export function failureWords({ error }: Failure, width = Number.POSITIVE_INFINITY): string {
  const findings = findingsIn(error.details);
  const found = findings.length === 0 ? '' : `\n${reasonsText(findings, width)}`;
  // Each reason has its way out beside it.
  const hint =
    error.hint === undefined || isJudged(error) ? '' : `\n  ${error.hint.replaceAll(/\n(?! )/g, '\n  ')}`;
  const missing = missingFields(error.details).map(({ field, why }) => `\n  ${field}: ${why}`);
  const store = error.details?.['store'];
  const where = typeof store === 'string' && !error.message.includes(store) ? `\n  Store: ${store}` : '';
  return sanitize(
    `staffetta: ${isJudged(error) ? headOf(error) : shortFigures(error.message)}${found}${missing.join('')}${hint}${where}`,
  );
}

/** Fields that somebody has to say, as they stand in the details of an error. */
export function missingFields(
  details: Readonly<Record<string, unknown>> | undefined,
): readonly { readonly field: string; readonly why: string }[] {
  const found = details?.['missing'];
  return Array.isArray(found) ? (found as { field: string; why: string }[]) : [];
}

type Told = Failure['error'];

/** Refused by the gate, which lists why. */
function isJudged({ code, details }: Told): boolean {
  return code === 'not-ready' && typeof details?.['occasion'] === 'string';
}

function headOf({ details }: Told): string {
  return notReadyWords(String(details?.['task']), details?.['occasion'] as Occasion, []);
}
