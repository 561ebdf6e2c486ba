/** After each file of proofs: no program of the lab outlives it, and no home. */
import { afterAll } from 'vitest';
import { removeSources } from './lab.ts';
import { killAll } from './running.ts';

afterAll(async () => {
  killAll();
  await removeSources();
});
