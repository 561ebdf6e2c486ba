/**
 * What a user took back. A sentence that says so ("actually … instead", "forget what I said about …", "scratch that") is held against
 * what the same user said before: the statement that shares most of its words is marked as superseded. Where it names what it is
 * about, the words of that name count. A permission ("pandas is ok after all") takes back every rule against what it names. Without shared words only "scratch that" and its like take something back, and then the
 * statement before it. What takes something back tells what to do: it is never kept as something that is not wanted.
 *
 * Nothing is deleted by this: a briefing shows what was superseded after what holds, with the step that replaced it.
 */
import { foreignReplaces, foreignTakesBack } from './foreign-backs.ts';
import { forbids, forbidsMore, isForbidden, nameOf, partsOf } from './forbidden.ts';
import { isQuestion } from './leaning.ts';
import { permitIn, type Permit } from './permits.ts';
import { leavesOff, takenBackIn } from './taken-back.ts';
import { termsOf } from './term.ts';
import type { Statement } from './statements.ts';

/** Takes back whatever shares its words. */
const replaces =
  /\b(?:instead\b(?! of)|changed my mind|on second thoughts?|no longer|not any ?more|any ?more\b|scratch (?:that|the)|never ?mind (?:the|about|what)|(?:forget|ignore|disregard|drop|cancel|skip|undo|strike) (?:about |what I (?:said|wrote|asked)|my (?:earlier|previous|last)|the (?:part|bit|thing|rule|requirement|constraint|point|request|idea|earlier|previous))|what I said (?:about|before|earlier)|I was wrong|correction|after all|actually,? (?:you|we|it|use|do|don['’]?t|no|yes|let|keep|go|make|the))\b/i;
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
/** A goal that is wanted for more than what was dismissed stays, and so does a rule that says more than what was replaced. */
const wholeShareMin = 0.5;

export function withSuperseded(stated: readonly Statement[]): Statement[] {
  const users = stated.filter(({ by, pasted }) => by === 'user' && pasted === undefined);
  const superseded = new Map<Statement, number>();
  const changed = new Map<Statement, Partial<Statement>>();
  const terms = new Map<Statement, ReadonlySet<string>>();
  const of = (statement: Statement): ReadonlySet<string> => {
    const known = terms.get(statement) ?? termsOf(statement.text);
    terms.set(statement, known);
    return known;
  };
  for (const [i, statement] of users.entries()) {
    const { text, ref, kind } = statement;
    const earlier = (): Statement[] =>
      users
        .slice(Math.max(0, i - backMax), i)
        .filter((one) => lasting.has(changed.get(one)?.kind ?? one.kind) && !superseded.has(one));
    /** However often it was said. */
    const take = (gone: Statement): void => {
      const words = sayingOf(gone);
      for (const one of earlier()) if (one === gone || sayingOf(one) === words) superseded.set(one, ref);
    };
    if (takesBack.test(text) || foreignTakesBack.test(text)) {
      const before = earlier().at(-1);
      if (before !== undefined) take(before);
      continue;
    }
    const number = numberIn(text);
    const set = number === null ? undefined : earlier().findLast((one) => isMeasured(one, number));
    if (set !== undefined) {
      take(set);
      changed.set(statement, { kind: set.kind, lead: set.text });
      continue;
    }
    const permit = permitIn(text);
    const gone = permit === null ? [] : namedBy(permit, earlier(), of);
    if (permit !== null && gone.length > 0) {
      const whole = gone.filter(
        (one) =>
          !(permit.way === 'allows' && !onlyThat.test(one.text) && forbidsMore(one.text, namesOf(permit))),
      );
      for (const one of whole) take(one);
      // An exception stands beside the rule.
      changed.set(
        statement,
        whole.length === gone.length ? permitted(statement, permit) : { kind: 'constraint' },
      );
      for (const one of ordersAfter(users, i)) changed.set(one, { kind: 'constraint' });
      continue;
    }
    const back = takenBackIn(text);
    if (back === null && !replaces.test(text) && !foreignReplaces.test(text)) continue;
    const best = closestTo(statement, back?.about ?? '', earlier(), of);
    if (best === null) continue;
    take(best);
    // Said only to take something back, or an order in whatever words.
    if (kind === 'said')
      changed.set(statement, tells.test(text) ? { retracts: true } : { kind: 'constraint' });
    if (kind === 'non-goal' && (leavesOff.test(text) || best.kind === 'constraint'))
      changed.set(statement, { kind: 'constraint' });
    if (back !== null && back.order === '')
      for (const one of ordersAfter(users, i)) changed.set(one, { kind: 'constraint' });
  }
  if (superseded.size + changed.size === 0) return [...stated];
  return stated.map((statement) => {
    const by = superseded.get(statement);
    const now = { ...statement, ...changed.get(statement) };
    return by === undefined ? now : { ...now, superseded: by };
  });
}

/** "Make that 80 %": another number, and of what. */
function numberIn(text: string): string | null {
  return (
    /^\W*(?:(?:no|sorry|actually|ok(?:ay)?|wait|hm+|and|please|let['’]?s|on second thoughts?),? )*(?:make|change|set|call|raise|lower|reduce|increase|bump) (?:that|it|this)(?: down| up)?(?: to| into)? (?:(?:at|under|about|below|above|least|most|only|just|around) )*[\d.,]*\d ?(?<unit>%|[a-z]{1,12})?[.!]?$/i.exec(
      text,
    )?.groups?.['unit'] ?? null
  );
}

function isMeasured({ kind, text }: Statement, unit: string): boolean {
  const lower = text.toLowerCase();
  const at = lower.search(/\d/);
  return (
    (kind === 'acceptance' || kind === 'constraint') &&
    at !== -1 &&
    lower.slice(at).includes(unit.toLowerCase())
  );
}

/** The same words, however the sentence ends. */
export function sayingOf({ text }: Statement): string {
  let end = text.length;
  while (end > 0 && /[\s.!?;:,]/.test(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end).toLowerCase();
}

type TermsOf = (statement: Statement) => ReadonlySet<string>;

/** The statement that shares most of its words with the one that takes it back, or most of the name. */
function closestTo(
  statement: Statement,
  about: string,
  earlier: readonly Statement[],
  of: TermsOf,
): Statement | null {
  const words = of(statement);
  const name = termsOf(about);
  let best: { readonly one: Statement; readonly share: number } | null = null;
  for (const one of earlier) {
    const theirs = of(one);
    const named = name.size === 0 ? 0 : sharedBy(name, theirs) / name.size;
    const most = Math.max(shareOf(theirs, words), named >= namedMin ? named : 0);
    if (most >= shareMin && most >= (best?.share ?? 0)) best = { one, share: most };
  }
  return best?.one ?? null;
}

function sharedBy(some: ReadonlySet<string>, others: ReadonlySet<string>): number {
  return [...some].filter((term) => others.has(term)).length;
}

/** Words that any rule may have. */
const ofRules: ReadonlySet<string> = termsOf('stay stays staying remain remains support supported');

function shareOf(theirs: ReadonlySet<string>, words: ReadonlySet<string>): number {
  const telling = new Set([...theirs].filter((term) => !ofRules.has(term)));
  return telling.size === 0 ? 0 : sharedBy(telling, words) / telling.size;
}

/** What a permission or a dismissal takes back: every rule against what it names; of other things the last one. */
function namedBy(permit: Permit, earlier: readonly Statement[], of: TermsOf): Statement[] {
  return namesOf(permit).flatMap((name) => takenBy(permit, name, earlier, of));
}

function namesOf({ about }: Permit): ReadonlySet<string>[] {
  return about
    .split(several)
    .map(nameOf)
    .filter(({ size }) => size > 0);
}

/** "You can edit other files, too", after "only edit src/a.ts". */
const others =
  /^(?:(?:any|all|the|some) )*(?:others?|anything|everything|more|further|additional|files|whatever)\b/i;
const onlyThat = /\bonly\b|\bnothing (?:else|but)\b/i;

/** "pandas and numpy" are two names. */
const several = /\s(?:and|or|und|oder|et|ou|y|o|e)\s|\s*[&/+]\s+/i;

function takenBy(
  permit: Permit,
  name: ReadonlySet<string>,
  earlier: readonly Statement[],
  of: TermsOf,
): Statement[] {
  const elsewhere =
    permit.way === 'allows' && others.test(permit.about)
      ? earlier.filter(({ kind, text }) => kind === 'constraint' && onlyThat.test(text)).slice(-1)
      : [];
  if (elsewhere.length > 0) return elsewhere;
  const all = earlier.filter((one) => sharedBy(name, partsOf(of(one))) / name.size >= namedMin);
  const limits = all.filter(({ kind }) => kind === 'constraint' || kind === 'non-goal');
  if (permit.way === 'includes') return limits.filter(({ kind }) => kind === 'non-goal').slice(-1);
  if (permit.way === 'allows') return limits.filter(({ text }) => isForbidden(text, permit, name));
  if (permit.way === 'replaces')
    return all
      .filter(({ kind, text }) => (kind === 'constraint' || kind === 'preference') && !forbids.test(text))
      .filter((one) => shareOf(partsOf(of(one)), name) >= wholeShareMin)
      .slice(-1);
  if (limits.length > 0) return limits.slice(-1);
  return all
    .filter((one) => one.kind !== 'goal' || shareOf(partsOf(of(one)), name) >= wholeShareMin)
    .slice(-1);
}

/** What the sentence itself is then: an order if it gives one, and else only what was said. */
function permitted({ kind, text, strength }: Statement, { way, order }: Permit): Partial<Statement> {
  if (kind === 'goal' && strength >= outright) return {};
  return order !== '' || way === 'includes' || way === 'replaces' || gives.test(text)
    ? { kind: 'constraint' }
    : { kind: 'said', retracts: true };
}

const outright = 4;
/** "Use pandas after all" is an order itself. */
const gives =
  /^\W*(?:(?:ok(?:ay)?|actually|so|please|no|then|and|but|well),? )*(?:use|go with|go for|take|let['’]?s)\b/i;
/** How many sentences behind it are looked at for what is to be done in its place. */
const behindMax = 2;

/** The order that follows in the same message: it tells what to do instead, in whatever words. */
function ordersAfter(users: readonly Statement[], at: number): Statement[] {
  const ref = users[at]?.ref;
  const behind = users.slice(at + 1, at + 1 + behindMax).filter((one) => one.ref === ref);
  const order = behind.find(({ text }) => !isQuestion(text) && !tells.test(text));
  if (order === undefined) return [];
  const isPassing = order.kind === 'said' || (order.kind === 'goal' && order.strength < outright);
  return isPassing && order.text.split(' ').length >= orderWordsMin ? [order] : [];
}

const orderWordsMin = 2;
/** Tells how things are: somebody or something is, has or did. */
const tells =
  /^\W*(?:(?:i|we|he|she|they|it|that|this|there|thanks?|sorry)\b|(?:\S+ ){1,4}?(?:is|are|was|were|has|have|had|will|did|does|ist|sind|war|hat|haben|est|sont|a|es|está|son|è|sono|ha)\b)/i;
