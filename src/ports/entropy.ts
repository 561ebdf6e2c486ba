/**
 * Where chance comes from.
 * EN1 `bytes` returns as many bytes as asked, unpredictable to an outsider.
 * EN2 `fraction` is at least 0 and below 1, evenly spread.
 */
export interface Entropy {
  bytes(count: number): Uint8Array;
  fraction(): number;
}
