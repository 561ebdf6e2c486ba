const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Strict: malformed UTF-8 throws, a byte order mark is kept. */
export function utf8(bytes: Uint8Array): string {
  return decoder.decode(bytes);
}
