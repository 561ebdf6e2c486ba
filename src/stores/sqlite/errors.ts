import { StaffettaError, type ErrorCode } from '../../core/error.ts';

/** node:sqlite reports the extended result code as `errcode`; its low byte is the primary code. */
interface NativeError extends Error {
  readonly errcode?: number;
}

const busy = 5;
const locked = 6;

export function isBusy(error: unknown): boolean {
  const primary = primaryCode(error);
  return primary === busy || primary === locked;
}

function primaryCode(error: unknown): number | undefined {
  const code = error instanceof Error ? (error as NativeError).errcode : undefined;
  return code === undefined ? undefined : code & 0xff;
}

const known: ReadonlyMap<number, readonly [ErrorCode, string, string]> = new Map([
  [busy, ['store-busy', 'The store is busy: another process has been writing for too long.', 'Try again.']],
  [locked, ['store-busy', 'The store is locked by another connection.', 'Try again.']],
  [
    8,
    [
      'store-readonly',
      'The store cannot be written: the file or its folder is read-only.',
      'Give write permission, or choose another store with --store. Inside a sandboxed agent, use the MCP tools instead.',
    ],
  ],
  [
    10,
    [
      'store-io',
      'The disk reported an error.',
      'Nothing was acknowledged. Check the disk, then run: staffetta verify',
    ],
  ],
  [11, ['corrupt', 'The database file is damaged.', 'Run: staffetta verify. Then restore a backup.']],
  [13, ['store-full', 'The disk is full.', 'Nothing was acknowledged. Free some space and try again.']],
  [
    14,
    [
      'store-io',
      'The store cannot be opened.',
      'Check that the folder exists and may be written. Inside a sandboxed agent, use the MCP tools instead.',
    ],
  ],
  [18, ['too-large', 'The store does not take content of that size.', 'Store it in pieces.']],
  [26, ['corrupt', 'The file is not a database.', 'Check the path given with --store.']],
]);

/** What the disk says, in our words. */
export function translate(error: unknown, url: string): unknown {
  if (error instanceof StaffettaError) return error;
  const primary = primaryCode(error);
  const words = primary === undefined ? undefined : known.get(primary);
  if (words === undefined) return error;
  const [code, message, hint] = words;
  const details = { store: url, errcode: (error as NativeError).errcode, native: (error as Error).message };
  return new StaffettaError(code, message, { cause: error, hint, details });
}

/** A commit that failed halfway may still be on disk: whoever asked must look before asking again. */
export function unknownOutcome(error: unknown, url: string): unknown {
  const primary = primaryCode(error);
  if (primary !== 10) return translate(error, url);
  return new StaffettaError(
    'outcome-unknown',
    'The disk failed while the change was being committed; it may or may not be stored.',
    {
      cause: error,
      hint: 'Repeat with the same idempotency key: if the change is there, its first outcome is returned.',
      details: { store: url },
    },
  );
}
