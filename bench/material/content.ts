import { randomBytes } from 'node:crypto';

/** Bytes that no codec makes smaller. */
export function noise(bytes: number): Uint8Array {
  return randomBytes(bytes);
}

/** The same as text, for systems that carry no bytes. */
export function noiseText(chars: number): string {
  return randomBytes(Math.ceil((chars * 3) / 4))
    .toString('base64')
    .slice(0, chars);
}

const words =
  `the holder reads packet and restates goal gate then carries on with parser cache because test failed at line src index
  function returns undefined when lease is over so retry after backoff was added to worker but not yet to client which still
  waits for timeout expected received error stack module export type check passed commit branch diff review asked for smaller
  change rename field keep order of entries stable digest mismatch fixed by writing canonical form before hashing`.split(
    /\s+/,
  );

/** Words in random order: about as compressible as what agents write. */
export function prose(chars: number): string {
  const random = new Uint16Array(randomBytes(chars).buffer);
  const chosen = Array.from(random, (number) => words[number % words.length] ?? '');
  return chosen.join(' ').slice(0, chars);
}
