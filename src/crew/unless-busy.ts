import { isStaffettaError } from '../core/base/error.ts';

/** A store that is busy now will not be for ever: undefined, and the caller tries again later. */
export async function unlessBusy<T>(act: () => Promise<T>): Promise<T | undefined> {
  try {
    return await act();
  } catch (error) {
    if (!isStaffettaError(error) || !error.retryable) throw error;
    return undefined;
  }
}
