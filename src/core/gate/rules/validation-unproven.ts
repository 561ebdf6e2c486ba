import type { GateRule } from '../rule.ts';
import type { RunFact } from '../subject.ts';

export const validationUnproven: GateRule = {
  id: 'validation-unproven',
  title: 'Work that is handed in has passed every command of its contract, on the workspace as it is',
  about: 'facts',
  check({ contract, runs, sealedTree, unconfirmed }) {
    return (contract.validation ?? []).flatMap(({ run }, i) => {
      // What a holder added may not be run by others, and nobody asked for it.
      if (unconfirmed.some((one) => sameWords(one, run))) return [];
      const last = runs.findLast((one) => sameWords(one.run, run));
      if (last?.exit === 0 && (sealedTree === null || last.workspace === sealedTree.digest)) return [];
      const words = run.join(' ');
      const text =
        last === undefined
          ? `${words} was never run.`
          : last.exit === 0
            ? `${words} passed, but on another state of the workspace.`
            : `${words} failed when it was last run.`;
      const failed = last !== undefined && last.exit !== 0;
      const fix = failed ? 'Mend what fails, and run it again.' : 'Run it on the workspace as it is.';
      return [{ path: `contract.validation[${i}]`, text, fix }];
    });
  },
};

function sameWords(a: RunFact['run'], b: RunFact['run']): boolean {
  return a.length === b.length && a.every((word, i) => word === b[i]);
}
