import { assertionsOf } from './claims.ts';
import type { Rule } from './rule.ts';

const none =
  /\b(?:no (?:code |file |source )?(?:changes?|edits?|modifications?)(?: (?:were|was|have been|has been))?(?: (?:made|needed|necessary|required|done))?|nothing (?:was |has been |is )?(?:changed|edited|modified|touched)|did(?: not|n't) (?:change|edit|modify|touch) (?:any|the) (?:code|files?|sources?)|no files? (?:(?:was|were|has been|have been) )?(?:changed|edited|modified|touched)|nothing to commit|(?:work(?:ing)? ?(?:tree|copy|directory)|workspace|repo(?:sitory)?)(?: (?:is|was|stays|stayed|remains|left))? (?:clean|unchanged|untouched)|read-only (?:so far|work))\b/i;
const qualified =
  /\bno (?:code |file |source )?(?:changes?|edits?|modifications?) (?:to|in|for|of|outside|beyond|since)\b/i;

export function claimsNoChanges(text: string): boolean {
  return none.test(text) && !qualified.test(text);
}

export const noChangesContradicted: Rule = {
  id: 'no-changes-contradicted',
  title: '"No changes" is true of the workspace',
  about: 'facts',
  weight: { strict: 'error' },
  check({ packet, sealedTree }) {
    if (sealedTree === null || sealedTree.changes.length === 0) return [];
    const changed = sealedTree.changes.map((change) => change.path);
    return assertionsOf(packet)
      .filter(({ text }) => claimsNoChanges(text))
      .map(({ path }) => ({
        path,
        text: `It says that nothing was changed, but these files were: ${changed.slice(0, 5).join(', ')}${changed.length > 5 ? ', …' : ''}.`,
        fix: 'Say what was changed, or undo it.',
      }));
  },
};
