/**
 * Chance that can be repeated. Every run has a new seed and says which; STAFFETTA_SEED runs it again.
 * STAFFETTA_RUNS multiplies how much is tried.
 */
const given = process.env['STAFFETTA_SEED'];
const times = Number(process.env['STAFFETTA_RUNS'] ?? '1');

export const seed = given === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(given);

let said = given !== undefined;

/** Once in a process, unless it was told, so that what failed can be had again. */
export function saySeed(): void {
  if (!said) process.stdout.write(`seed ${seed}; again with STAFFETTA_SEED=${seed}\n`);
  said = true;
}

/** Bounds for `fc.assert`, with the seed. */
export function runs(numRuns: number): { seed: number; numRuns: number } {
  saySeed();
  return { seed, numRuns: Math.ceil(numRuns * times) };
}
