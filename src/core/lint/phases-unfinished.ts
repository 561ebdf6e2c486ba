import type { Rule } from './rule.ts';
import { isEnd } from './subject.ts';

export const phasesUnfinished: Rule = {
  id: 'phases-unfinished',
  title: 'Work that is handed in has every phase verified',
  about: 'facts',
  weight: { strict: 'error' },
  check({ occasion, phases }) {
    if (!isEnd(occasion)) return [];
    return phases
      .filter(({ status }) => status !== 'verified')
      .map(({ name, status }) => ({
        path: `contract.phases.${name}`,
        text: `Phase ${name} is ${status === null ? 'not started' : status === 'started' ? 'started, not verified' : status}.`,
        fix: `Finish it: staffetta phase ${status === null || status === 'rolled-back' ? 'start' : 'verify'} ${JSON.stringify(name)}.`,
      }));
  },
};
