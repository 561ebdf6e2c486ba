import type { GateRule } from '../rule.ts';

export const validationUnrunnable: GateRule = {
  id: 'validation-unrunnable',
  title: 'The commands of the contract can be started here',
  about: 'contract',
  check: ({ contract, runnable }) =>
    (contract.validation ?? []).flatMap(({ run, shell }, i) => {
      const program = run[0] ?? '';
      if (shell === true || runnable(program) !== false) return [];
      return [
        {
          path: `contract.validation[${i}].run`,
          text: `${program} cannot be started here.`,
          fix: 'Install it, or name a command that exists in this workspace.',
        },
      ];
    }),
};
