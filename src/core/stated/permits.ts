/**
 * Sentences that allow what was forbidden, or that dismiss by its name what was said before: "Actually pandas is ok", "you can touch
 * Cart now", "never mind Cart, edit what you need", "scrap the 30 days thing". Alone they say little: "pandas is ok" takes something
 * back only where somebody forbade pandas. So what they name is held against what the same user said (`supersede.ts`).
 */
import { foreignPermitIn } from './foreign-permits.ts';
import { isQuestion } from './leaning.ts';

export interface Permit {
  /**
   *   allows      what was forbidden may be done
   *   includes    what was left out of the work is part of it
   *   dismisses   what was said no longer holds
   *   replaces    something else is wanted in its place
   */
  readonly way: 'allows' | 'includes' | 'dismisses' | 'replaces';
  /** What it is about. */
  readonly about: string;
  /** What may be done with it, as far as the sentence says so. */
  readonly deed: Deed | null;
  /** "X is fine" may also be said of how X works; "X is fine after all" is not. */
  readonly unsure: boolean;
  /** What else it says: an order, or a limit to what it allows. */
  readonly order: string;
}

/** To use something is not to change it. */
export type Deed = 'use' | 'change';

const using =
  'use|using|import|importing|depend on|rely on|install|installing|pull in|bring in|introduce|go with|go for|take|adopt|pick';
const changing =
  'touch|touching|change|changing|edit|editing|modify|modifying|alter|altering|rewrite|rewriting|refactor|refactoring|rename|renaming|move|moving|delete|deleting|remove|removing|break|breaking|update|updating|rework|mess with|work on|work in|write to|go into|wipe|drop';
const including = 'do|include|build|add|support|cover|handle|tackle|implement|write|ship';
/** To look at something was hardly forbidden, and allows nothing else. */
const looking = 'look|read|see|check|inspect|open|view|ask|mention|leave|skip|ignore|forget|omit|stop|keep';

const before =
  '^\\W*(?:(?:no|ok(?:ay)?|sorry|wait|oh|hm+|and|but|so|actually|please|well|alright|also|just|by the way|btw|fyi|turns out(?: that)?|in fact|after all|yes|yeah|now|good news|update|then|for the record|(?:i|we) (?:just )?(?:checked|asked|talked to \\w+))[,:]? )*';
const adverbs =
  '(?:(?:now|also|actually|just|safely|happily|totally|perfectly|absolutely|of course|again|then|finally|certainly|well|go ahead and|freely|still|in fact|after all) )*';
const name = '(?<about>(?:[^,;:.!?—–]|[.:](?=\\S)){1,80}?)';
/** A pronoun names nothing. */
const named = `(?!(?:it|that|this|they|these|those|he|she|i|we|you|there|everything|all|what|which|if|when|once|unless|as|because|whether|where|only|no|not|nothing|none|the rest|the whole thing|so|which)(?:['’]|\\b))${name}`;
const turn =
  '(?: (?:after all|now|again|then|anyway|in the end|from now on|today|too|as well|already|at last|with me|by me|with us|by us|for me|for us|if you (?:need|want|like|have|must)(?: to)?|for this|for that|here|to use))*';
const end = `${turn}(?=\\s*(?:[,;!—–]|[.:](?!\\S)|$|\\s-\\s|\\s(?:and(?! \\S+(?: (?:now|again|then|too|after all|as well))?[.!]?$)|but|so|because|since|as|though|except|unless|only|for|if|in|as long as)\\s))`;
const kinds =
  '(?:thing|rule|part|bit|requirement|constraint|limit|limitation|restriction|idea|request|stuff|point|ban|freeze|criterion|criteria|condition|business|one|wish|demand|policy|clause|ask|topic|issue)s?';
const verb = `(?!(?:${looking})\\b)(?<verb>(?:${using}|${changing}|${including})\\b|[a-z-]+)`;

type Way = readonly [hint: RegExp, way: Permit['way'], source: string, unsure?: true];

/** What a sentence must have to be held against a way at all: most have nothing of it. */
const hints = {
  contrast: /, (?:and )?not | instead of | rather than /i,
  dismissal:
    /\b(?:mind|nvm|forget|scrap|scratch|disregard|ditch|strike|ignore|drop|cancel|lift|skip|remove|undo|lose|kill|bin|waive|relax)\b/i,
  over: /\b(?:no longer|any ?more|moot|obsolete|history|void|after all|have to|need to)\b/i,
  may: /(?:\b(?:you|we|u|anyone|everybody|everyone)(?:['’]re| are| may| can| could|['’]ve| have)|\b(?:may|can|could) (?:\w+ ){0,3}be) /i,
  fine: /\b(?:ok|okay|fine|good|cool|alright|all right|allowed|safe|happy|free to|go ahead|problem|objections?|mind)\b/i,
  open: /\b(?:allowed|permitted|acceptable|fair game|table|unlocked|unfrozen|cleared|open|free|ok(?:ay)? to|fine to|safe to|no longer|lifted|over|gone|off|removed|history)\b/i,
  turn: /\b(?:after all|anyway|now|again|then|too|as well|already|scope|part of|wanted|needed|on the list|included)\b/i,
} as const;

const ways: readonly Way[] = [
  // "Spaces, not tabs."
  [
    hints.contrast,
    'replaces',
    `(?:use |with |take )?(?!(?:if|when|please|but)\\b)[^,;.!?]{1,40}(?:, (?:and )?not| instead of| rather than) (?:the |an? )?${named}(?=,? ?(?:sorry|please|after all|now)?[.!]?$)`,
  ],
  // "Renaming is fine."
  [
    hints.fine,
    'allows',
    `(?<about>[a-z]+ing)(?: (?:things|files|stuff|them|it|something|anything))? (?:is|would be) ${adverbs}(?:ok(?:ay)?|fine|allowed|good|alright|all right)${end}`,
  ],
  // "Never mind Cart", "scrap the 30 days thing", "drop the pandas rule".
  [
    hints.dismissal,
    'dismisses',
    `(?:never ?mind|nvm|forget(?: about)?|scrap|scratch|disregard|ditch|strike|ignore|drop|cancel|lift|skip|remove|undo|lose|kill|bin|waive|relax)(?: about)? (?:(?:the|that|my|our|this|what (?:I|we) said about|whole) )*${named} ${kinds}${end}`,
  ],
  [
    hints.dismissal,
    'dismisses',
    `(?:never ?mind|nvm|scrap|forget about)(?: about)? (?:(?:the|that|my|our|this) )?${named}${end}`,
  ],
  [
    hints.over,
    'dismisses',
    `(?:the |that |this |my |our )?${named} (?:${kinds} )?(?:is|are|has been|was|['’]s) (?:now )?(?:no longer (?:an issue|needed|required|necessary|valid|true|important|relevant|a (?:rule|requirement|must))|obsolete|moot|history|void|not (?:needed|required|necessary|valid|relevant) any ?more)${end}`,
  ],
  [
    hints.over,
    'dismisses',
    `(?:the |that |this |my |our )?${named} (?:${kinds} )?(?:no longer (?:applies|apply|holds|hold|counts|matters|stands)|(?:does|do)(?:n['’]?t| not) (?:apply|hold|count|matter|stand) any ?more)${end}`,
  ],
  [
    hints.over,
    'dismisses',
    `${named} (?:no longer (?:has|have|needs?) to|(?:does|do)(?:n['’]?t| not) (?:have|need) to)\\b[^,;.]{2,80}?\\b(?:any ?more|after all|now)${end}`,
  ],
  [
    hints.over,
    'dismisses',
    `(?:you|we|i) (?:no longer (?:have|need) to|(?:do)(?:n['’]?t| not) (?:have|need) to) \\w+ ${name}(?: any ?more| after all)${end}`,
  ],
  // "You can touch Cart now", "feel free to use pandas", "it's ok to edit Cart".
  [
    hints.may,
    'allows',
    `(?:you|we|u|anyone|everybody|everyone)(?:['’]re| are| may| can| could|['’]ve| have)(?: now| actually| again)? ?(?:allowed to|free to|welcome to|permitted to|(?:my|our) (?:ok(?:ay)?|blessing|permission|go-ahead) to|)? ?${adverbs}${verb} ${name}${end}`,
  ],
  [
    hints.fine,
    'allows',
    `(?:feel free to|go ahead and|(?:it['’]?s|it is|that['’]?s|its|i['’]m|i am|we['’]re) ${adverbs}(?:ok(?:ay)?|fine|good|alright|all right|allowed|safe|cool)(?: with you| for you| if you)?(?: to)?|no (?:problem|objections?) (?:to|with|if you)|(?:i|we)(?: do|['’])?(?: no longer|n['’]?t| not)? mind (?:you |if you )?) ?${verb} ${name}${end}`,
  ],
  [
    hints.fine,
    'allows',
    `(?:i['’]m|i am|we['’]re|we are) ${adverbs}(?:ok(?:ay)?|fine|good|cool|happy) with (?:you )?(?:(?<verb>${using}|${changing}) )?${named}${end}`,
  ],
  [
    hints.may,
    'allows',
    `${named} (?:may|can|could)(?! not) ${adverbs}be ${adverbs}(?<verb>used|imported|installed|introduced|touched|changed|edited|modified|altered|rewritten|refactored|renamed|moved|deleted|removed|broken|updated|dropped|wiped)${end}`,
  ],
  // "Pandas is allowed", "Cart is no longer off limits", "the freeze on Cart is lifted".
  [
    hints.open,
    'allows',
    `(?:the use of |(?<verb>${using}|${changing}) )?${named}(?: is| are|['’]s| would be| has been| have been) ${adverbs}(?:allowed|permitted|acceptable|fair game|back on the table|unlocked|unfrozen|cleared|open|free|ok(?:ay)? to \\w+|fine to \\w+|safe to \\w+|free to \\w+|no longer (?:off[- ]limits|forbidden|frozen|banned|prohibited|taboo|a no-go|locked))${end}`,
  ],
  [
    hints.open,
    'allows',
    `(?:the |our |my )?(?:ban|freeze|lock|embargo|prohibition|moratorium|block) (?:on|of|for) ${named} (?:is|has been|was) (?:now )?(?:over|lifted|gone|off|removed|history)${end}`,
  ],
  [
    hints.fine,
    'allows',
    `(?:the use of |(?<verb>${using}|${changing}) )?${named}(?: is| are|['’]s| would be) ${adverbs}(?:ok(?:ay)?|fine|good|cool|alright|all right|not a problem|no problem)${end}`,
    true,
  ],
  // "Use pandas after all."
  [
    hints.turn,
    'allows',
    `(?:let['’]?s |you (?:should|must) |do )?(?<verb>${using}) ${name} (?:after all|anyway|now|again|then)${end}`,
  ],
  // "PDF export is in scope after all", "let's do the PDF export after all".
  [
    hints.turn,
    'includes',
    `${named} (?:is|are) ${adverbs}(?:back )?(?:in scope|part of (?:it|this|the \\w+)|wanted|needed|on the list|included)${end}`,
  ],
  [
    hints.turn,
    'includes',
    `(?:let['’]?s|please|you (?:should|must|can)|we (?:should|need to|want to|will)|i (?:want|need) you to) (?:(?:also|now) )*(?:${including}) ${named} (?:too|as well|now|then|already)${end}`,
  ],
  [
    hints.turn,
    'includes',
    `(?:(?:let['’]?s|please|you (?:should|must|can)|we (?:should|need to|want to|will)|i (?:do )?(?:want|need)|we (?:do )?(?:want|need)) )?(?:(?:also|now|do) )*(?:(?:${including}) )?${named} (?:after all|anyway)${end}`,
  ],
];
const patterns = ways.map(
  ([hint, way, source, unsure]) =>
    [hint, way, new RegExp(`${before}(?:${source})`, 'i'), unsure === true] as const,
);
/** Words that show that something turned: without one, "X is fine" says how X is. */
const turned =
  /\b(?:actually|after all|now|again|then|turns out|in the end|anyway|from now on|to use)\b|^\W*(?:ok(?:ay)?|fine|alright|all right|sure|yes|good)\b/i;

/** Nobody takes back anything at greater length. */
const charsMax = 300;

export function permitIn(sentence: string): Permit | null {
  if (sentence.length > charsMax || isQuestion(sentence)) return null;
  return permitAt(sentence, sentence) ?? inClause(sentence) ?? foreignPermitIn(sentence);
}

/** "Fine, add zod, one new dependency is ok": what else is said there is an order. */
function inClause(sentence: string): Permit | null {
  if (!/[,;]\s/.test(sentence) || !turned.test(sentence) || conditional.test(sentence)) return null;
  const clauses = sentence.split(/[,;]\s+/);
  for (const [i, clause] of clauses.entries()) {
    const found = i === 0 ? null : permitAt(clause, sentence);
    if (found !== null) return { ...found, order: clauses.filter((_, k) => k !== i).join(', ') };
  }
  return null;
}

const conditional = /^\W*(?:if|when|once|unless|as soon as|until|after)\b/i;

function permitAt(words: string, sentence: string): Permit | null {
  const seen = new Map<RegExp, boolean>();
  const has = (hint: RegExp): boolean => {
    const known = seen.get(hint) ?? hint.test(words);
    seen.set(hint, known);
    return known;
  };
  for (const [hint, way, pattern, unsure] of patterns) {
    if (!has(hint)) continue;
    const found = pattern.exec(words);
    if (found === null) continue;
    const { about = '', verb: deed } = found.groups ?? {};
    if (unsure && !turned.test(sentence)) return null;
    const isKnown =
      deed === undefined || deedOf(deed) !== null || new RegExp(`^(?:${including})$`, 'i').test(deed);
    return {
      way,
      about: isKnown ? about : `${deed} ${about}`,
      deed: deed === undefined ? null : deedOf(deed),
      unsure: unsure && !/\bafter all\b|\bto use\b/i.test(sentence),
      order: orderIn(words.slice(found[0].length)),
    };
  }
  return null;
}

export function orderIn(rest: string): string {
  return rest.replace(/^[\s,;:.!—–-]+/, '').replace(/^\P{L}+$/u, '');
}

const ofUse = new RegExp(`^(?:${using}|used|imported|installed|introduced)$`, 'i');
const ofChange = new RegExp(
  `^(?:${changing}|touched|changed|edited|modified|altered|rewritten|refactored|renamed|moved|deleted|removed|broken|updated|dropped|wiped)$`,
  'i',
);

function deedOf(verb: string): Deed | null {
  if (ofUse.test(verb)) return 'use';
  return ofChange.test(verb) ? 'change' : null;
}
