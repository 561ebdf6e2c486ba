import type { Step } from './step.ts';

/** Without the calls that a script made: the model made one call, and had one result. */
export function calledByModel<S extends Step>(step: S): S {
  const inner = new Set((step.calls ?? []).filter(({ within }) => within !== undefined).map(({ id }) => id));
  if (inner.size === 0) return step;
  return {
    ...step,
    calls: step.calls?.filter(({ id }) => !inner.has(id)) ?? [],
    results: step.results?.filter(({ call }) => !inner.has(call)) ?? [],
  };
}
