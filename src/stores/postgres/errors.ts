/** What the server, the driver and the network say, in our words. The address is shown without its credentials. */
import { defined } from '../../core/base/defined.ts';
import { StaffettaError, type ErrorCode } from '../../core/base/error.ts';
import { certificateFault } from '../../core/base/certificate.ts';

interface NativeError extends Error {
  /** Five characters from the server (SQLSTATE), or the name of an error of the system. */
  readonly code?: string;
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return '';
  const { code = '' } = error as NativeError;
  // A pooler has one code for whatever it does not do.
  return code === '08P01' && error.message.includes('no more connections') ? '53300' : code;
}

/** What is wrong on this side of the connection, where nothing was asked: such an error has no code, or one of many. */
function faultHere(error: Error): string | undefined {
  if (certificateFault(error) !== undefined) return 'certificate';
  if (/^SASL.*client password must be/.test(error.message)) return 'no password';
  if (error.message.startsWith('SASL')) return 'login';
  return (error as NodeJS.ErrnoException).syscall === 'open' ? 'file' : undefined;
}

/** What our own functions answer with. */
export const sqlStates = { notYours: 'STF01', leaseLive: 'STF02' } as const;

/** The statement was undone, and the same may pass the next time: serialization, deadlock, a lock that was held for too long. */
const undone: ReadonlySet<string> = new Set(['40001', '40P01', '55P03']);
/** The server takes nobody at the moment. */
const crowded: ReadonlySet<string> = new Set(['53300', '57P03']);

export function isUndoneError(error: unknown): boolean {
  return undone.has(codeOf(error));
}

export function isCrowded(error: unknown): boolean {
  return crowded.has(codeOf(error));
}

/** The answer is missing: the connection was lost, or ended by an administrator or a crash. The server may have done what was asked, or may do it yet. */
export function isLost(error: unknown): boolean {
  if (!(error instanceof Error) || error instanceof StaffettaError || error instanceof TypeError)
    return false;
  const code = codeOf(error);
  if (faultHere(error) !== undefined) return false;
  return !/^[0-9A-Z]{5}$/.test(code) || code === 'EPIPE' || /^(08|57P0[1245])/.test(code);
}

/** A function or table that this version calls is not there: a newer version took it away, or the schema is damaged. */
const unknownObject = /^(42883|42P01|42703|3F000)$/;
export function isUnknownObject(error: unknown): boolean {
  return unknownObject.test(codeOf(error));
}

/** A pooler between here and the server, which passes on no settings. */
export function isUnsupportedSetting(error: unknown): boolean {
  return codeOf(error) === '08P01' && /startup parameter/.test((error as Error).message);
}

const passwordPlaces = 'Check user and password. The password may also stand in PGPASSWORD or ~/.pgpass.';

/** By code or fault; after a colon come the words of who reports it. */
const known: readonly (readonly [RegExp, ErrorCode, string, string])[] = [
  [/^no password$/, 'denied', 'asks for a password, and none was given', passwordPlaces],
  [/^(login$|28)/, 'denied', 'refused the login:', passwordPlaces],
  [
    /^certificate$/,
    'store-io',
    'shows a certificate that is not trusted here:',
    'Nothing was sent. If it is the right server, name who signed its certificate: sslrootcert=FILE in the address, or NODE_EXTRA_CA_CERTS=FILE in the environment.',
  ],
  [/^file$/, 'invalid-input', 'cannot be asked:', 'Check the files that the address names.'],
  [
    /^3D000/,
    'store-missing',
    'has no such database',
    'Check the name of the database, or let somebody create it.',
  ],
  [
    /^42501/,
    'denied',
    'does not let this user do that',
    'Ask its administrator: a store that is there admits logins (docs/scale.md: A team), and a first use needs the right to create a schema.',
  ],
  [
    /^53300/,
    'store-busy',
    'has no connection left',
    'Try again. Many workers go through a pooler, or through a server: staffetta up',
  ],
  [/^57P03/, 'store-busy', 'is starting up or shutting down', 'Try again.'],
  [
    /^53100/,
    'store-full',
    'has no space left on its disk',
    'Nothing was acknowledged. Free some space on the server and try again.',
  ],
  [
    /^25006/,
    'store-readonly',
    'takes no changes: it is a standby, or read-only',
    'Name the primary server in the address.',
  ],
  [/^(40001|40P01|55P03|57014)/, 'store-busy', 'was busy with other writers for too long', 'Try again.'],
  [/^(XX001|XX002)/, 'corrupt', 'reports damaged data', 'Restore a backup of the database.'],
  [unknownObject, 'corrupt', 'lacks what a store has:', 'Restore a backup of the database.'],
  [/^54/, 'too-large', 'does not take content of that size', 'Store it in pieces.'],
  [/^22021/, 'invalid-input', 'takes no U+0000 in names and keys', 'Leave the character out.'],
  [
    /^STF01/,
    'denied',
    'refuses what this login brings:',
    'Words and verdicts of a person, and those of a reviewer, take a login of their own, admitted with the name that they speak by. See docs/scale.md: A team.',
  ],
  [
    /^STF02/,
    'lease-live',
    'says that this lease is not over',
    'Check the time of this machine: staffetta doctor',
  ],
  [/^(ENOTFOUND|EAI_AGAIN)$/, 'store-io', 'cannot be found: no such host', 'Check the host in the address.'],
];

export function translate(error: unknown, shown: string): unknown {
  if (error instanceof StaffettaError || !(error instanceof Error)) return error;
  const code = faultHere(error) ?? codeOf(error);
  const [, ours, words = '', hint] = known.find(([pattern]) => pattern.test(code)) ?? [];
  const native = certificateFault(error) ?? nativeWords(error);
  const details = { store: shown, native };
  if (ours !== undefined)
    return new StaffettaError(
      ours,
      `PostgreSQL at ${shown} ${words}${words.endsWith(':') ? ` ${native}` : ''}.`,
      {
        cause: error,
        details,
        ...defined({ hint }),
      },
    );
  if (isLost(error))
    return new StaffettaError('store-io', `PostgreSQL at ${shown} cannot be reached: ${native}`, {
      cause: error,
      details,
      hint: 'Check that the server runs and that the address is right. No other store is used in its place.',
    });
  return error;
}

/** Nobody was let in: whatever the server says then is no fault of ours. */
export function translateRefusal(error: unknown, shown: string): unknown {
  const translated = translate(error, shown);
  if (translated instanceof StaffettaError || codeOf(error) === '') return translated;
  const native = nativeWords(error as Error);
  return new StaffettaError('store-io', `PostgreSQL at ${shown} takes no connection: ${native}.`, {
    cause: error,
    details: { store: shown, native },
    hint: 'Ask its administrator.',
  });
}

/** It was there before, and will be again: who works on for long waits for it. */
export function awayNow(cause: unknown, shown: string): StaffettaError {
  return new StaffettaError('store-busy', `PostgreSQL at ${shown} cannot be reached at the moment.`, {
    cause,
    details: { store: shown },
    hint: 'Try again. Nothing was changed.',
  });
}

/** Of several tries to connect the system reports an error without words. */
function nativeWords(error: Error): string {
  if (error instanceof AggregateError) return error.errors.map((one) => (one as Error).message).join('; ');
  return error.message;
}

export function unknownOutcome(cause: unknown, shown: string): StaffettaError {
  return new StaffettaError(
    'outcome-unknown',
    `The connection to PostgreSQL at ${shown} was lost before it answered; the change may or may not be stored.`,
    {
      cause,
      details: { store: shown },
      hint: 'Repeat with the same idempotency key: if the change is there, its first outcome is returned.',
    },
  );
}

export function damagedRow(cause: unknown): StaffettaError {
  return new StaffettaError('corrupt', 'The database holds a row that cannot be read.', {
    cause,
    hint: 'Run: staffetta verify. Then restore a backup.',
  });
}
