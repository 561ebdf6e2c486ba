/**
 * A claim says that nothing was changed if one of its clauses says so and nothing else: without a place ("in the router"), an
 * exception ("else", "except") or another subject ("the schema"). Beside a clause that says what was changed it is a warning. That
 * the working tree is clean is true once everything is committed.
 */
import { assertionsOf } from './claims.ts';
import { clausesOf, withoutMarks } from './clauses.ts';
import type { Hit } from './finding.ts';
import type { Rule } from './rule.ts';

const change = '(?:changed?|edited|modified|touched|altered|written)';
const changes = '(?:changes?|edits?|modifications?|diff)';
const kind =
  '(?:(?:code|file|source|functional|actual|committed|uncommitted|new|local|real|or|further)\\s+)*';
const anything =
  '(?:anything|any(?: of the)? (?:code|files?|sources?|source files?|thing)|the code(?:base)?|(?:a|one|a single) (?:file|line))';
const nothing = `(?:nothing|no (?:single )?${kind}(?:files?|code|sources?|lines?|line of code)|not (?:a single|a|one) (?:file|line)(?: of code)?)`;
const done = `(?:were|was|is|are|has been|have been|had to be|got)?\\s*(?:${change}|made|needed|necessary|required|done)(?: or (?:${change}|added|removed|deleted))?`;
const before = `(?:(?:so far|for now|in the end|i|we|this (?:leg|session|task|run)|the (?:leg|session)|have|has|there (?:is|are|was|were|have been)|made|with|overall|result|analysis only|read-only|still|currently|as of now)\\s+)*`;
const after = `(?:\\s+(?:yet|so far|at all|here|by me|myself|anywhere|today|for now|in this (?:leg|session|task|run)|(?:to|in|of) (?:any|the) (?:files?|code|codebase|repo(?:sitory)?|workspace|working tree|sources?)|to anything|whatsoever|made|needed|required|to report))*`;

const none = new RegExp(
  `^${before}(?:${[
    `(?:no|zero|0|without(?: any)?) ${kind}${changes}(?:\\s+${done})?`,
    `${nothing}\\s+${done}`,
    `(?:${nothing}|zero files|0 files|all files) (?:has |have )?(?:changed|unchanged)`,
    `(?:did(?: not|n['’]t)|have(?: not|n['’]t)|has(?: not|n['’]t)) (?:yet )?(?:make|made|do|done) (?:any )?${kind}${changes}`,
    `none of the (?:files|sources|code) (?:was|were|has been|have been) ${change}`,
    'everything (?:is|was|remains|stayed) (?:unchanged|untouched|as it was)',
    `nothing in the (?:repo(?:sitory)?|workspace|code(?:base)?|working tree) ${done}`,
    `(?:have |has )?changed (?:nothing|no (?:files?|code))(?: at all)?`,
    '(?:kept|left) (?:the code|the files|everything) (?:exactly )?as (?:it|they) (?:was|were|is)',
    `(?:did(?: not|n['’]t)|have(?: not|n['’]t)|has(?: not|n['’]t)|not|never|without)\\s+(?:yet )?(?:chang|edit|modif|touch|alter)(?:e|ed|y|ied|ing|ying)?\\s+${anything}`,
    `(?:the |all )?(?:code(?:base)?|files?|sources?) (?:was|were|is|are|stays?|remains?|left)(?: all| completely)? (?:not ${change}|unchanged|untouched)`,
    `(?:left )?(?:the )?(?:repo(?:sitory)?|workspace|tree|working (?:tree|copy|directory)|code(?:base)?)(?: (?:is|was|stays|stayed|remains|left))?(?: completely| entirely)? (?:unchanged|untouched)`,
    'read-only (?:so far|work)',
    'nothing to change',
  ].join('|')})${after}$`,
  'i',
);
const clean = new RegExp(
  `^${before}(?:${[
    'nothing (?:left )?to commit',
    '(?:the )?(?:work(?:ing)? ?(?:tree|copy|directory)|workspace|repo(?:sitory)?|git status)(?: (?:is|was|stays|stayed|remains|shows|reports))?(?: completely| entirely)? clean',
    'clean (?:working tree|workspace|git status)',
  ].join('|')})${after}$`,
  'i',
);
/** Clauses that say what was changed all the same. */
const told =
  /^(?:i |we |the |a |only |just |also |then )*(?:fix(?:ed|es)?|chang(?:ed|es)|add(?:ed|s)|rewrote|wrote|mov(?:ed|es)|renam(?:ed|es)|remov(?:ed|es)|delet(?:ed|es)|updat(?:ed|es)|replac(?:ed|es)|refactor(?:ed|s)|implement(?:ed|s)|creat(?:ed|es)|edited|modified|committed|mended|made)\b|\b(?:the fix|was (?:rewritten|changed|fixed|added|moved|mended))\b/i;
/** Words that join parts of one saying, where a clause would otherwise be torn. */
const joined = /\b(committed|uncommitted|code|written|changed|edited|modified|touched)\s+and\s+(?=\w)/gi;

const nothingBut =
  /\b((?:nothing|anything|no \w+)(?: \w+){0,3}),? but\b(?! (?:the|it|they|all) \w+ (?:is|are|was|were)\b)/gi;

export type NoChanges = 'nothing' | 'clean';

/** What of the kind a text says, and whether it also tells of changes. */
export function noChangesIn(
  given: string,
): { readonly said: NoChanges; readonly alsoTold: boolean } | undefined {
  const text = withoutMarks(given).replaceAll(joined, '$1 or ').replaceAll(nothingBut, '$1 except');
  const clauses = clausesOf(text);
  const said = clauses.map((clause) => (none.test(clause) ? 'nothing' : clean.test(clause) ? 'clean' : null));
  const strongest = said.includes('nothing') ? 'nothing' : said.includes('clean') ? 'clean' : undefined;
  if (strongest === undefined) return undefined;
  return {
    said: strongest,
    alsoTold: clauses.some((clause, i) => said[i] === null && told.test(clause)),
  };
}

export const noChangesContradicted: Rule = {
  id: 'no-changes-contradicted',
  title: '"No changes" is true of the workspace',
  about: 'facts',
  weight: { strict: 'error' },
  check({ packet, sealedTree }) {
    if (sealedTree === null || sealedTree.changes.length === 0) return [];
    const all = sealedTree.changes;
    const uncommitted = all.filter(({ committed }) => committed !== true);
    return assertionsOf(packet).flatMap(({ path, text }): Hit[] => {
      const claim = noChangesIn(text);
      if (claim === undefined) return [];
      const against = (claim.said === 'clean' ? uncommitted : all).map((one) => one.path);
      if (against.length === 0) return [];
      const named = `${against.slice(0, 5).join(', ')}${against.length > 5 ? ', …' : ''}`;
      return [
        {
          path,
          text:
            claim.said === 'clean'
              ? `It says that nothing is uncommitted, but these files are: ${named}.`
              : `It says that nothing was changed, but these files were: ${named}.`,
          fix: 'Say what was changed, or undo it.',
          ...(claim.alsoTold ? { atMost: 'warning' as const } : {}),
        },
      ];
    });
  },
};
