/**
 * Whether a sentence denies the wish it speaks of: "PDF output isn't something I want". A "not" elsewhere denies nothing: "I want it
 * to stream, so that it does not run out of memory" asks for something.
 */
const wish =
  '(?:want|need|wish|ask|asked|asking|after|about|require|intend|plan|planned|planning|expect|look|looking|aim|aiming|care|hoping|wanted|needed|required|interested)';
const denials: readonly RegExp[] = [
  // It is not what, something, the thing, part of …
  /\b(?:is|are|was|were|['’]s|['’]re)(?:n['’]t| not|nt)\b(?: \w+){0,2} (?:what|something|anything|things?|the (?:goal|aim|point|task|job|idea|plan|request|objective|mission|purpose|ask)|a (?:goal|priority|requirement)|part of|about|wanted|needed|required|on (?:my|our|the) (?:list|roadmap|plan)|for (?:now|this)|in (?:scope|this)|planned|asked for)\b/i,
  // I do not want it.
  new RegExp(
    `\\b(?:do|does|did|am|are|is|was|were|would|have|has|['’]m|['’]re)(?:n['’]t| not|nt)(?: \\w+ly| even| yet| be)* ${wish}\\b`,
    'i',
  ),
  /\b(?:never|no longer|nobody|no one|none of us) (?:\w+ )?(?:want|need|ask|plan|intend|require|expect)(?:s|ed)?\b/i,
  /\b(?:what|all) (?:I|we)(?:['’]m| am|['’]re| are| do)? ?(?:not|n['’]t|don['’]?t) (?:want|need|after|ask|asking|looking)\b/i,
  /^\W*(?:and |but |also |so |please )*(?:not |let['’]?s not\b|no need\b|don['’]?t\b|do not\b|never\b)/i,
];

export function isDenied(sentence: string): boolean {
  return denials.some((denial) => denial.test(sentence));
}
