import { StaffettaError } from '../../core/error.ts';

/** A workspace that is there but cannot be worked with; `details.reason` says why in one word. */
export function unusable(
  reason: string,
  message: string,
  options: { readonly hint?: string; readonly cause?: unknown } = {},
): StaffettaError {
  return new StaffettaError('workspace-unusable', message, { ...options, details: { reason } });
}
