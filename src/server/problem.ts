/** The one place where errors become answers: problem details (RFC 9457) with our codes. */
import { defined } from '../core/base/defined.ts';
import { isStaffettaError, type ErrorCode } from '../core/base/error.ts';

/** What only a server can refuse, and the status of each. */
const httpProblems = {
  'unknown-route': { status: 404, title: 'There is no such address here' },
  'not-signed-in': { status: 401, title: 'No token' },
  'wrong-host': { status: 421, title: 'Not the name of this server' },
  'wrong-origin': { status: 403, title: 'Asked by another site' },
  'out-of-scope': { status: 403, title: 'The token does not allow it' },
  'rate-limited': { status: 429, title: 'Too many requests' },
  'body-too-large': { status: 413, title: 'Too much at once' },
  'body-too-slow': { status: 408, title: 'The request did not arrive in time' },
  'wrong-media': { status: 415, title: 'Not JSON' },
  bug: { status: 500, title: 'A bug in Staffetta' },
} as const;
export type HttpCode = keyof typeof httpProblems;

/** A refusal that has nothing to do with tasks. */
export class HttpRefusal extends Error {
  override readonly name = 'HttpRefusal';
  readonly code: HttpCode;
  readonly hint: string | undefined;
  /** Seconds after which to try again. */
  readonly retryAfter: number | undefined;

  constructor(
    code: HttpCode,
    message: string,
    more: { readonly hint?: string; readonly retryAfter?: number } = {},
  ) {
    super(message);
    this.code = code;
    this.hint = more.hint;
    this.retryAfter = more.retryAfter;
  }
}

const badRequest = 400;
const denied = 403;
const missing = 404;
const conflict = 409;
const unprocessable = 422;
const broken = 500;
const busy = 503;

const statusOf: Readonly<Record<ErrorCode, number>> = {
  'invalid-input': badRequest,
  'too-large': 413,
  'unknown-task': missing,
  'ambiguous-task': missing,
  'unknown-evidence': missing,
  'unknown-session': missing,
  'ambiguous-session': missing,
  'session-unreadable': broken,
  'session-busy': conflict,
  'runtime-missing': missing,
  'not-resumable': conflict,
  'unknown-packet': missing,
  'unknown-offer': missing,
  'unknown-decision': missing,
  'unknown-effect': missing,
  'unknown-phase': missing,
  'unknown-token': missing,
  'task-exists': conflict,
  'wrong-state': conflict,
  held: conflict,
  'stale-generation': conflict,
  'not-holder': denied,
  'not-addressed': denied,
  'not-acknowledged': unprocessable,
  'too-early': conflict,
  'needs-unmet': conflict,
  'needs-cycle': badRequest,
  'lane-denied': denied,
  denied,
  'author-review': denied,
  'review-required': conflict,
  'review-stale': conflict,
  'not-ready': unprocessable,
  'audit-changed': denied,
  'edge-denied': denied,
  bounce: denied,
  'effect-unknown': conflict,
  'key-reused': conflict,
  conflict,
  'lease-live': conflict,
  'outcome-unknown': busy,
  'store-missing': busy,
  'store-exists': conflict,
  'store-newer': broken,
  'store-unsupported': broken,
  'store-busy': busy,
  'store-readonly': busy,
  'store-full': 507,
  'store-io': broken,
  'store-closed': busy,
  'workspace-missing': missing,
  'workspace-unusable': broken,
  'workspace-dirty': conflict,
  'workspace-moved': conflict,
  'workspace-busy': conflict,
  'commit-missing': missing,
  'unsafe-path': denied,
  'restore-failed': broken,
  'file-exists': conflict,
  'git-missing': broken,
  'git-failed': broken,
  'blob-missing': broken,
  corrupt: broken,
  interrupted: busy,
  unavailable: broken,
  'far-unreachable': broken,
};

export interface Problem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly code: string;
  readonly retryable: boolean;
  readonly hint?: string;
  readonly details?: Readonly<Record<string, unknown>>;
}

/** `onBug` hears of what nobody expected; the client learns only that it happened. */
export function problemFrom(error: unknown, onBug: (error: unknown) => void): Problem {
  if (error instanceof HttpRefusal) {
    const { code, message, hint } = error;
    const { status, title } = httpProblems[code];
    const retryable = code === 'rate-limited' || code === 'body-too-slow';
    return {
      ...named(code, title),
      status,
      detail: message,
      retryable,
      ...defined({ hint }),
    };
  }
  if (isStaffettaError(error)) {
    const { code, message, hint, details, retryable } = error;
    return {
      ...named(code, code.replaceAll('-', ' ')),
      status: statusOf[code],
      detail: message,
      retryable,
      ...defined({ hint }),
      ...(Object.keys(details).length === 0 ? {} : { details }),
    };
  }
  onBug(error);
  const { status, title } = httpProblems.bug;
  const detail = 'Something went wrong that nobody expected. Nothing was acknowledged.';
  return { ...named('bug', title), status, detail, retryable: false };
}

function named(code: string, title: string): Pick<Problem, 'type' | 'title' | 'code'> {
  return { type: `urn:staffetta:problem:${code}`, title, code };
}

export function problemAnswer(problem: Problem, error?: unknown): Response {
  const headers = new Headers({ 'Content-Type': 'application/problem+json' });
  if (problem.status === 401) headers.set('WWW-Authenticate', 'Bearer realm="staffetta"');
  if (error instanceof HttpRefusal && error.retryAfter !== undefined)
    headers.set('Retry-After', String(error.retryAfter));
  // What is left of a body that nobody reads must not be taken for the next request.
  if (problem.status === 408 || problem.status === 413) headers.set('Connection', 'close');
  return new Response(`${JSON.stringify(problem)}\n`, { status: problem.status, headers });
}
