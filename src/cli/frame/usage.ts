/** A call that cannot be understood: exit 2, with the way to the right one. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
  readonly hint: string | undefined;

  constructor(message: string, hint?: string) {
    super(message);
    this.hint = hint;
  }
}

/** As an edge hands it to the desk. */
export function usageError(message: string, hint?: string): UsageError {
  return new UsageError(message, hint);
}
