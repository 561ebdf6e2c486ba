/**
 * Where time comes from.
 * CL1 `now` is milliseconds since the Unix epoch, a whole number.
 * CL2 `sleep` resolves no earlier than asked, by this clock.
 * CL3 `sleep` rejects with the signal's reason when the signal is aborted.
 */
export interface Clock {
  now(): number;
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}
