import type { Hit } from './finding.ts';
import type { Rule } from './rule.ts';
import type { Subject } from './subject.ts';

export const validationMissing: Rule = {
  id: 'validation-missing',
  title: 'A command that can be run here proves the result',
  about: 'contract',
  weight: { strict: 'error', softer: { research: 'note', docs: 'warning', review: 'warning' } },
  check(subject) {
    const validation = subject.contract.validation ?? [];
    if (validation.length > 0)
      return validation.flatMap(({ run, shell }, i) =>
        shell === true ? [] : notRunnable(subject, run[0] ?? '', i),
      );
    return [
      {
        path: 'contract.validation',
        text: 'No command proves the result.',
        fix: 'Add one: --validate "npm test".',
      },
    ];
  },
};

function notRunnable(subject: Subject, program: string, i: number): Hit[] {
  if (subject.runnable(program) !== false) return [];
  return [
    {
      path: `contract.validation[${i}].run`,
      text: `${program} cannot be started here.`,
      fix: 'Install it, or name a command that exists in this workspace.',
    },
  ];
}
