/** Whether a rule forbids what a later sentence allows: both must speak of the same thing, and of doing the same with it. */
import type { Deed, Permit } from './permits.ts';
import { termsOf } from './term.ts';

/** Says no, or that something stays as it is. */
const holdsOff =
  /\b(?:no|not|never|nothing|none|nobody|avoid|without|alone|away|off|out|forbidden|prohibited|banned|taboo|frozen|freeze|locked|untouched|unchanged|intact|stays?|remains?|keep|leave|only|must|cannot|refrain|spare|later|skip|ignore|wait|except)\b|n['’]t\b|(?<!\p{L})(?:nicht|kein\p{L}*|niemals|nie|finger weg|verboten|ohne|bleib\p{L}*|lass\p{L}*|unverändert|später|pas|jamais|aucune?|interdit\p{L}*|sans|rien|évite\p{L}*|laisse\p{L}*|rest\p{L}*|ninguna?|nunca|jamás|prohibid\p{L}*|sin|nada|evita\p{L}*|deja\p{L}*|debe\p{L}*|non|mai|nessun\p{L}*|vietat\p{L}*|senza|niente|lascia\p{L}*|deve|devono)(?!\p{L})/iu;

/** Says no. */
export const forbids = /\b(?:no|not|never|nothing|avoid|without|forbidden|prohibited|banned)\b|n['’]t\b/i;

const ofUse =
  /\b(?:us(?:e|es|ed|ing)|import\w*|depend\w*|rely|install\w*|pull in|bring in|introduc\w*|adopt\w*|add\w*)\b|(?<!\p{L})(?:benutz\p{L}*|verwend\p{L}*|nutz\p{L}*|einsetz\p{L}*|utilis\p{L}*|emplo\p{L}*|usar|uses|utiliz\p{L}*|usare)(?!\p{L})/iu;
const ofChange =
  /\b(?:touch\w*|chang\w*|edit\w*|modif\w*|alter\w*|rewrit\w*|refactor\w*|renam\w*|mov(?:e|es|ed|ing)|delet\w*|remov\w*|break\w*|updat\w*|alone|untouched|unchanged|intact|hands off|frozen|freeze|stay away|stay out|as (?:it|they) (?:is|are)|as[- ]is)\b|(?<!\p{L})(?:anfass\p{L}*|(?:ver)?änder\p{L}*|anrühr\p{L}*|lösch\p{L}*|finger weg|in ruhe|touche\p{L}*|modifi\p{L}*|chang\p{L}*|toques?|tocar|cambi\p{L}*|toccare)(?!\p{L})/iu;
/** What stands right behind these is what is forbidden: "use pandas in the parser" is about pandas. */
const object =
  /\b(?:use|using|import|importing|install|add|adding|introduce|touch|touching|change|changing|edit|editing|modify|modifying|alter|rewrite|refactor|rename|move|delete|remove|break|update|leave|away from|out of|hands off|no|avoid|keep)\s+(?:(?:the|an?|any|our|my|your|this|that|these|those|of|in|on|into|anything|at|all|new|using)\s+)*(.{1,60})/i;

export function isForbidden(rule: string, { deed, unsure }: Permit, name: ReadonlySet<string>): boolean {
  if (!holdsOff.test(rule)) return false;
  const forbidden = deedIn(rule);
  if (unsure && forbidden === 'change') return false;
  if (deed !== null && forbidden !== null && deed !== forbidden) return false;
  if (rule.split(' ').some((word) => isDeed(word) && [...termsOf(word)].some((term) => name.has(term))))
    return true;
  const names = namesIn(rule);
  // "Use pandas in the parser" is about pandas: what is named first.
  return names.length === 0 || names.some(([first = '']) => name.has(first));
}

/** Whether the rule forbids more than what was allowed: "touch neither api.ts nor schema.sql". */
export function forbidsMore(rule: string, names: readonly ReadonlySet<string>[]): boolean {
  return namesIn(rule).some((one) => !names.some((name) => one.some((term) => name.has(term))));
}

const nameWordsMax = 4;

/** What a list in a rule names, thing by thing. */
function namesIn(rule: string): string[][] {
  return objectIn(rule)
    .split(/\s(?:and|or|nor|und|oder|noch|et|ou|ni|y|o|e|né)\s|,\s+/i)
    .filter((part, i) => i === 0 || part.split(' ').length <= nameWordsMax)
    .map((part) => [...nameOf(part)])
    .filter(({ length }) => length > 0);
}

function objectIn(rule: string): string {
  const words = (object.exec(rule)?.[1] ?? '').split(' ');
  return words.filter((word) => !isDeed(word)).join(' ');
}

function isDeed(word: string): boolean {
  return ofUse.test(word) || ofChange.test(word);
}

function deedIn(rule: string): Deed | null {
  const [use, change] = [ofUse.test(rule), ofChange.test(rule)];
  if (use === change) return null;
  return use ? 'use' : 'change';
}

/** What kind of thing something is: "the Cart class" is Cart. */
const generic: ReadonlySet<string> = new Set(
  [
    ...termsOf(
      'class classes module modules file files folder folders directory package packages library libraries lib thing stuff rule part code table service function method component page limit limits requirement klasse modul datei ordner bibliothek regel classe fichier bibliothèque règle clase archivo biblioteca regla modulo file libreria regola',
    ),
  ].map(singular),
);
/** Words of the four other languages that name nothing. */
const small: ReadonlySet<string> = new Set(
  'der die das den dem des ein eine einen und mit zu zum zur für von im am le la les un une du de des et pour avec au aux el los las una del con para por en il lo gli di della dei da su per nel al alla anyth everyth noth one some another'.split(
    ' ',
  ),
);

/** The words of a name that tell it from others. */
export function nameOf(about: string): ReadonlySet<string> {
  const all = [...partsOf(termsOf(about))].filter((term) => !small.has(term));
  const telling = all.filter((term) => !generic.has(term));
  return new Set(telling.length === 0 ? all : telling);
}

/** Each part by itself, in the singular: "30-day" has the words of "30 days". */
export function partsOf(terms: ReadonlySet<string>): ReadonlySet<string> {
  return new Set(
    [...terms]
      .flatMap((term) => term.split(/[./_-]+/))
      .filter((part) => part.length > 1)
      .map(singular),
  );
}

function singular(term: string): string {
  return term.length > 3 ? term.replace(/(?<=[^s])s$|(?<=.{5})[iy]$/, '') : term;
}
