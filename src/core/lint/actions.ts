/**
 * How many actions a text names. An action is a clause that begins with a verb in the imperative and has an object, or with a verb that
 * needs none. Clauses are told apart by dots, semicolons, commas, arrows, "and", "then" and numbers. Lists of nouns, and verbs that
 * belong to another clause ("a test that opens, writes and closes"), are none.
 */
import { withoutMarks } from './clauses.ts';

/** Base forms with which an instruction begins. */
const verbs: ReadonlySet<string> = new Set(
  `add adjust allow amend analyse analyze announce answer apply archive ask assign audit backfill backport benchmark bisect bring bump call cap
  catch change check choose clean clear close collect combine commit compare compute configure confirm connect convert copy correct count
  cover create cut debug decide decouple deduplicate define delete deploy deprecate describe design detect disable discuss document download
  draft drop dump emit enable encode ensure escape evaluate examine explain explore export expose extend extract fetch fill filter find finish
  fix flip fold force format forward gather generate get give go grep group handle hide hook implement import include increase inline
  insert inspect install instrument integrate introduce investigate join keep land let lift limit link lint list load localize locate log look
  lower make map mark measure mend merge migrate mock modify monitor move name normalize notify open order pack pass patch pick pin plan port
  prepare print profile promote propose prove provide prune publish pull push put query raise read rebase rebuild record redo reduce refactor
  refine refresh regenerate register reject release reload remove rename render reorder repair repeat replace reply report reproduce request
  rerun reset resolve restart restore restructure retry return reuse revert review revise revoke rewrite roll rotate round run save scan
  schedule seal search seed send separate serve set ship show shrink simplify skip sort specify speed split squash stage start stop store strip
  submit summarise summarize swap switch sync tag take teach tell test throw tidy time trace track train translate trim try tune turn type
  unblock undo unify uninstall unify unpin update upgrade upload use validate verify wait warn watch wire wrap write`.split(
    /\s+/,
  ),
);
/** Verbs that say enough by themselves. */
const alone: ReadonlySet<string> = new Set(
  `backport benchmark bisect build commit deploy merge migrate publish push rebase rebuild redeploy refactor release rerun restart retry
  revert rollback ship squash submit tag test validate deduplicate reinstall upgrade reproduce profile lint format`.split(
    /\s+/,
  ),
);

const leadIn =
  /^(?:(?:and|then|next|also|finally|first|firstly|second|secondly|third|last|lastly|afterwards?|after (?:that|which|this)|before that|please|now|just|in the end|once (?:done|that is done)|step \d+|\(?\d+[.)]|\(?[a-h]\)|[-*•])(?:[\s:,]+|$))+/i;
const order = /\b(?:then|next|afterwards?|after (?:that|which)|finally|lastly|also)\b/i;
interface Clause {
  readonly text: string;
  /** What stands between it and the clause before. */
  readonly joint: 'start' | 'stop' | 'comma' | 'and';
}

export interface Actions {
  readonly count: number;
  /** At least two of them are told apart by more than a comma or "and". */
  readonly apart: boolean;
  /** Two stand side by side with a comma between. */
  readonly side: boolean;
}

const joint =
  /(\s*(?:[;\n]|\.(?=\s|$)|→|\s->\s|=>)\s*|\s*,\s*(?:and\s+(?:then\s+)?|then\s+)?|\s+(?:and then|and|then|&|\+)\s+)/i;

export function actionsIn(given: string): Actions {
  const clauses = ownClauses(split(withoutMarks(given).replaceAll(/\([^)]*\)/g, ' ')));
  const actions = clauses.filter(({ text }) => isAction(text));
  const later = actions.slice(1);
  return {
    count: actions.length,
    apart: later.some((clause) => clause.joint === 'stop' || order.test(leading(clause.text))),
    side: clauses.some(
      (clause, i) =>
        clause.joint === 'comma' && isAction(clause.text) && isAction(clauses[i - 1]?.text ?? ''),
    ),
  };
}

/** "Teach it to read, merge and write files": what follows a verb without its object goes on with that verb. */
function ownClauses(clauses: readonly Clause[]): Clause[] {
  let goesOn = false;
  return clauses.filter((clause) => {
    if (clause.joint === 'start' || clause.joint === 'stop') goesOn = false;
    const isOwn = !goesOn;
    const last = /\b(?:to|can|cannot|must|should|will|that|which|how to)\s+([a-z]+)$/i.exec(clause.text)?.[1];
    goesOn ||= last !== undefined && isVerb(last.toLowerCase());
    return isOwn;
  });
}

function split(text: string): Clause[] {
  const parts = text.trim().split(joint);
  const clauses: Clause[] = [];
  for (let i = 0; i < parts.length; i += 2) {
    const between = i === 0 ? '' : (parts[i - 1] ?? '');
    const words = `${/then/i.test(between) ? 'then ' : ''}${parts[i] ?? ''}`.trim();
    const before = clauses.at(-1);
    if (words === '') continue;
    // "After that, wire it up": a lead-in with a comma of its own.
    if (before !== undefined && before.text.replace(leadIn, '') === '')
      clauses[clauses.length - 1] = { ...before, text: `${before.text}, ${words}` };
    else clauses.push({ text: words, joint: before === undefined ? 'start' : jointOf(between) });
  }
  return clauses;
}

function jointOf(between: string): Clause['joint'] {
  if (/[;\n.→>]/.test(between)) return 'stop';
  return between.includes(',') && !/\band\b/i.test(between) ? 'comma' : 'and';
}

function leading(text: string): string {
  return leadIn.exec(text)?.[0] ?? '';
}

function isAction(clause: string): boolean {
  const bare = clause.replace(leadIn, '').replace(/[.!]+$/, '');
  const [first = '', ...rest] = bare.toLowerCase().split(/[\s:]+/);
  if (alone.has(first) && rest.length === 0) return true;
  if (!verbs.has(first) && !alone.has(first)) return false;
  return (
    rest.length > 0 && !/^(?:is|are|was|were|must|should|will|has|have|bits?|of|or)$/.test(rest[0] ?? '')
  );
}

/** A verb of an action, in any of its forms. */
export function isVerb(word: string): boolean {
  const stems = [
    word,
    word.replace(/(?:e?s|e?d|ing)$/, ''),
    word.replace(/(?:s|d)$/, ''),
    word.replace(/(?:ing|ed)$/, 'e'),
  ];
  const doubled = word.replace(/(.)\1(?:ing|ed)$/, '$1');
  return [...stems, doubled, word.replace(/ie[sd]$/, 'y')].some((stem) => verbs.has(stem) || alone.has(stem));
}

/** A single word that says what to do. */
export function isActionWord(word: string): boolean {
  return alone.has(word.toLowerCase());
}
