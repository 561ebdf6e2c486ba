/**
 * What a user took back. A sentence that says so ("actually … instead", "forget what I said about …", "scratch that") is held against
 * what the same user said before: the statement that shares most of its words is marked as superseded. Where it names what it is
 * about, the words of that name count. Without shared words only "scratch that" and its like take something back, and then the
 * statement before it. What takes something back tells what to do: it is never kept as something that is not wanted.
 *
 * Nothing is deleted by this: a briefing shows what was superseded after what holds, with the step that replaced it.
 */
import { foreignReplaces, foreignTakesBack } from './foreign-backs.ts';
import { leavesOff, takenBackIn } from './taken-back.ts';
import { termsOf } from './term.ts';
import type { Statement } from './statements.ts';

/** Takes back whatever shares its words. */
const replaces =
  /\b(?:instead\b(?! of)|changed my mind|on second thoughts?|no longer|not any ?more|any ?more\b|scratch (?:that|the)|never ?mind (?:the|about|what)|(?:forget|ignore|disregard|drop|cancel|skip|undo|strike) (?:about |what I (?:said|wrote|asked)|my (?:earlier|previous|last)|the (?:part|bit|thing|rule|requirement|constraint|point|request|idea|earlier|previous))|what I said (?:about|before|earlier)|I was wrong|correction|actually,? (?:you|we|it|use|do|don['’]?t|no|yes|let|keep|go|make|the))\b/i;
/** Takes back what stands before it. */
const takesBack =
  /^\W*(?:no,? |actually,? |sorry,? |wait,? )*(?:scratch that|never ?mind(?: that)?|forget (?:it|that)|strike that|ignore that|cancel that)\W*$/i;

const lasting: ReadonlySet<Statement['kind']> = new Set([
  'goal',
  'acceptance',
  'constraint',
  'non-goal',
  'reviewer',
  'preference',
]);
/** Of the words of the earlier statement, so many must be in the one that takes it back. */
const shareMin = 0.34;
/** Of the words that name what is taken back, so many must be in the earlier statement. */
const namedMin = 0.6;
/** How far back somebody means when they say "actually". */
const backMax = 400;

export function withSuperseded(stated: readonly Statement[]): Statement[] {
  const users = stated.filter(({ by, pasted }) => by === 'user' && pasted === undefined);
  const superseded = new Map<Statement, number>();
  const orders = new Set<Statement>();
  const terms = new Map<Statement, ReadonlySet<string>>();
  const of = (statement: Statement): ReadonlySet<string> => {
    const known = terms.get(statement) ?? termsOf(statement.text);
    terms.set(statement, known);
    return known;
  };
  for (const [i, statement] of users.entries()) {
    const { text, ref } = statement;
    if (takesBack.test(text) || foreignTakesBack.test(text)) {
      const before = users.slice(Math.max(0, i - backMax), i).findLast(({ kind }) => lasting.has(kind));
      if (before !== undefined) superseded.set(before, ref);
      continue;
    }
    const back = takenBackIn(text);
    if (back === null && !replaces.test(text) && !foreignReplaces.test(text)) continue;
    const words = of(statement);
    const name = termsOf(back?.about ?? '');
    let best: { readonly earlier: Statement; readonly share: number } | null = null;
    for (const earlier of users.slice(Math.max(0, i - backMax), i)) {
      if (!lasting.has(earlier.kind) || superseded.has(earlier)) continue;
      const theirs = of(earlier);
      const shared = [...theirs].filter((term) => words.has(term)).length;
      const share = theirs.size === 0 ? 0 : shared / theirs.size;
      const named = name.size === 0 ? 0 : [...name].filter((term) => theirs.has(term)).length / name.size;
      const most = Math.max(share, named >= namedMin ? named : 0);
      if (most >= shareMin && most >= (best?.share ?? 0)) best = { earlier, share: most };
    }
    if (best === null) continue;
    superseded.set(best.earlier, ref);
    if (statement.kind === 'non-goal' && leavesOff.test(text)) orders.add(statement);
  }
  if (superseded.size === 0) return [...stated];
  return stated.map((statement) => {
    const by = superseded.get(statement);
    const kind = orders.has(statement) ? 'constraint' : statement.kind;
    return by === undefined ? { ...statement, kind } : { ...statement, kind, superseded: by };
  });
}
