import { globMatcher } from '../../base/glob.ts';
import type { GateRule } from '../rule.ts';

/** More of them are counted, not named. */
const namedMax = 20;

export const pathOutside: GateRule = {
  id: 'path-outside',
  title: 'Only what the contract names was changed',
  about: 'facts',
  check({ contract: { paths }, sealedTree }) {
    if (paths === undefined || sealedTree === null) return [];
    const matchers = paths.map(globMatcher);
    const outside = sealedTree.changes.filter(({ path }) => !matchers.some((isMatch) => isMatch(path)));
    const left = outside.length - namedMax;
    const within = paths.length === 0 ? 'nothing may be changed' : `only ${paths.join(', ')} may be changed`;
    return outside.slice(0, namedMax).map(({ path }, n) => ({
      path: `facts.workspace.${path}`,
      text: `${path} was changed${left > 0 && n === namedMax - 1 ? `, and so were ${left} more` : ''}: by the contract ${within}.`,
      fix: 'Undo the change, or have the contract amended in the plan or supervise lane, or by a person.',
    }));
  },
};
