/**
 * What stands in a secret's place: `[redacted:RULE:FINGERPRINT]`. The fingerprint is the beginning of
 *
 *   HMAC-SHA-256(key of the store, "staffetta/redaction/v1\n" + the secret's bytes)
 *
 * so that equal secrets are seen to be equal within a store, however they were escaped, while nobody without the key can test a
 * guess. Twelve digits: two different secrets of a store look equal once in 2^48.
 *
 * It holds no character that JSON, a shell's quotes, a diff or a URL's query would have to escape.
 */
import { sha256Hex } from '../journal/sha256.ts';

const domain = Buffer.from('staffetta/redaction/v1\n');
const fingerprintChars = 12;
const pattern = /\[redacted:[a-z0-9-]{1,40}:[0-9a-f]{12}\]/g;

export const keyBytesMin = 16;
const blockBytes = 64;
const rememberedMax = 1000;

/** Of a secret as a byte string. The lines of one key ask for the same again and again, so the latest are remembered. */
export type Fingerprint = (secret: string) => string;

/**
 * RFC 2104 over the one-shot hash: Node's own HMAC makes a key object for every call, which takes ten times as long as the
 * hashing.
 */
export function fingerprintWith(key: Uint8Array): Fingerprint {
  const block = Buffer.alloc(blockBytes);
  block.set(key.length > blockBytes ? Buffer.from(sha256Hex(key), 'hex') : key);
  const inner = Buffer.concat([block.map((byte) => byte ^ 0x36), domain]);
  const outer = block.map((byte) => byte ^ 0x5c);
  const known = new Map<string, string>();
  return (secret) => {
    const before = known.get(secret);
    if (before !== undefined) return before;
    const hashed = sha256Hex(Buffer.concat([inner, Buffer.from(secret, 'latin1')]));
    const print = sha256Hex(Buffer.concat([outer, Buffer.from(hashed, 'hex')])).slice(0, fingerprintChars);
    if (known.size >= rememberedMax) known.clear();
    known.set(secret, print);
    return print;
  };
}

export function placeholder(rule: string, print: string): string {
  return `[redacted:${rule}:${print}]`;
}

/** Where placeholders already stand. They are left as they are, so redacting twice is redacting once. */
export function placeholdersIn(text: string): readonly { readonly start: number; readonly end: number }[] {
  if (!text.includes('[redacted:')) return [];
  return Array.from(text.matchAll(pattern), (match) => ({
    start: match.index,
    end: match.index + match[0].length,
  }));
}

export function withoutPlaceholders(text: string): string {
  return text.includes('[redacted:') ? text.replace(pattern, '') : text;
}
