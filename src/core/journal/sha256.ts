/**
 * SHA-256 of exact bytes; text is hashed as UTF-8. The crypto module takes 7 ms to load, a quarter of what Node needs to start,
 * so it is fetched when the first digest is made: commands that only list never make one.
 */
let hash: ((algorithm: 'sha256', data: Uint8Array | string, encoding: 'hex') => string) | undefined;

export function sha256Hex(bytes: Uint8Array | string): string {
  hash ??= process.getBuiltinModule('node:crypto').hash;
  return hash('sha256', bytes, 'hex');
}
