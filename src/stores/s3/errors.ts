import { filled } from '../../core/base/defined.ts';
import { StaffettaError, type ErrorCode } from '../../core/base/error.ts';
import { certificateFault } from '../../core/base/certificate.ts';

/** What an answer that is no success says of a request. */
export type S3Failure =
  /** The condition did not hold, or another write of the same object was under way. */
  | 'refused'
  /** There is no such object. */
  | 'absent'
  /** Nobody knows whether it was done; asking again is right. */
  | 'unknown'
  /** It was not done, and will not be. */
  | 'final';

interface ServiceError {
  readonly name?: string;
  readonly code?: string;
  readonly message?: string;
  readonly $metadata?: { readonly httpStatusCode?: number };
  readonly $response?: { readonly statusCode?: number };
}

/** Answers of 4xx that pass by themselves: a slow upload, a clock that the SDK sets right for the next request. */
const passing: ReadonlySet<string> = new Set([
  'RequestTimeout',
  'RequestTimeTooSkewed',
  'SlowDown',
  'Throttling',
  'ThrottlingException',
  'TooManyRequests',
]);

/** Of the SDK itself: no request was sent. */
const unsent: ReadonlySet<string> = new Set(['CredentialsProviderError', 'TokenProviderError']);

export function failureOf(error: unknown): S3Failure {
  const { name = '', $metadata, $response } = error as ServiceError;
  const status = $metadata?.httpStatusCode ?? $response?.statusCode;
  if (unsent.has(name) || certificateFault(error) !== undefined) return 'final';
  // A connection that broke, and an answer that is no XML, come without a status.
  if (status === undefined || status >= 500 || status === 429 || passing.has(name)) return 'unknown';
  if (status === 412 || status === 409) return 'refused';
  if (status === 404 && name !== 'NoSuchBucket') return 'absent';
  return 'final';
}

/** By the name that S3 gives its answer. */
const meanings: Readonly<Record<string, readonly [code: ErrorCode, message: string, hint: string]>> = {
  NoSuchBucket: [
    'store-missing',
    'There is no such bucket.',
    'Create it first, with infra/aws, or mend the name in --store.',
  ],
  CredentialsProviderError: [
    'store-io',
    'There are no credentials for AWS here.',
    'Sign in as you do for the AWS command line, or set AWS_PROFILE, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.',
  ],
  PermanentRedirect: [
    'store-io',
    'The bucket is in another region.',
    'Name it: --store aws://bucket/prefix?region=…',
  ],
  AuthorizationHeaderMalformed: [
    'store-io',
    'The bucket is in another region.',
    'Name it: --store aws://bucket/prefix?region=…',
  ],
};

const wrongCredentials: ReadonlySet<string> = new Set([
  'InvalidAccessKeyId',
  'SignatureDoesNotMatch',
  'ExpiredToken',
  'ExpiredTokenException',
  'InvalidToken',
  'TokenRefreshRequired',
]);

export interface FailedCall {
  /** `s3:GetObject` and the like, as a policy names it. */
  readonly action: string;
  /** Without credentials. */
  readonly store: string;
}

/** What a user is told of a request that failed for good. */
export function translated(error: unknown, { action, store }: FailedCall): StaffettaError {
  const { name = '', $metadata } = error as ServiceError;
  const status = $metadata?.httpStatusCode;
  const fail = (code: ErrorCode, text: string, hint: string): StaffettaError =>
    new StaffettaError(code, `${text} (${store})`, {
      cause: error,
      hint,
      details: {
        store,
        action,
        ...filled({ answer: name, status }),
      },
    });
  const certificate = certificateFault(error);
  if (certificate !== undefined)
    return fail(
      'store-io',
      `The server shows a certificate that is not trusted here: ${certificate}.`,
      'Nothing was sent. If it is the right server, name who signed its certificate: NODE_EXTRA_CA_CERTS=FILE in the environment.',
    );
  const known = meanings[name];
  if (known !== undefined) return fail(...known);
  if (wrongCredentials.has(name))
    return fail(
      'store-io',
      `AWS does not accept the credentials: ${name}.`,
      'Sign in again, or choose another AWS_PROFILE.',
    );
  if (status === 403 || status === 401)
    return fail(
      /Put|Delete/.test(action) ? 'store-readonly' : 'store-io',
      `The role that asks has no permission for ${action}.`,
      'Ask for the policy that infra/aws prints for agents. A bucket that is not yours answers the same.',
    );
  return fail(
    'store-io',
    `S3 does not answer as it should: ${answerWords(error)}.`,
    'Look at the region and the endpoint in the address, and at the network here; or try again later.',
  );
}

/** What came instead of an answer. What the SDK says of one that it could not read is of no use to anybody else. */
export function answerWords(error: unknown): string {
  const { name = '', message = '', $metadata, $response } = error as ServiceError;
  const status = $metadata?.httpStatusCode ?? $response?.statusCode;
  if (status !== undefined && (name === 'Error' || name === 'SyntaxError'))
    return `what came with status ${status} is no answer of AWS`;
  return name === '' || name === 'Error' ? message : `${name} ${message}`.trim();
}

/** A change whose answer never came, and which does not show yet. */
export function unknownChange(store: string, cause: unknown): StaffettaError {
  return new StaffettaError('outcome-unknown', `S3 did not say whether the change is stored. (${store})`, {
    cause,
    hint: 'Repeat with the same idempotency key: if the change is there, its first outcome is returned.',
    details: { store },
  });
}

export function damagedObject(key: string, cause?: unknown): StaffettaError {
  return new StaffettaError('corrupt', `The object ${key} cannot be read.`, {
    cause,
    details: { key },
    hint: 'Run: staffetta verify. With versioning on, an earlier version of the object can be put back.',
  });
}
