/**
 * Ids as the program makes them: a prefix, 12 hex digits of time (milliseconds × 4096 plus a counter, the lowest 48 bits; for
 * sessions inverted, so that the newest sorts first) and 14 characters at random. The program sorts parts by id,
 * so the counter must rise.
 */
export interface IdSource {
  session(): string;
  message(): string;
  part(): string;
}

const letters = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const timeBits = (1n << 48n) - 1n;

/** `random` gives that many bytes. */
export function idSource(now: number, random: (bytes: number) => Uint8Array): IdSource {
  let count = 0n;
  const next = (prefix: string, inverted: boolean): string => {
    count += 1n;
    const value = BigInt(now) * 4096n + count;
    const time = (inverted ? ~value : value) & timeBits;
    const tail = [...random(14)].map((byte) => letters[byte % letters.length] ?? '0').join('');
    return `${prefix}_${time.toString(16).padStart(12, '0')}${tail}`;
  };
  return {
    session: () => next('ses', true),
    message: () => next('msg', false),
    part: () => next('prt', false),
  };
}
