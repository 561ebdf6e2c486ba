/** Places where a test wants to fail or be killed. */
type RestoreStep = 'staged' | 'recorded' | 'moved' | 'indexed' | 'committed';
export type RestoreReached = (step: RestoreStep, n: number) => void;
