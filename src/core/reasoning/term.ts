/** Words as they are compared: lower case, without the commonest ones, and without the ends that grammar puts on them. */
const common: ReadonlySet<string> = new Set(
  'a about above actually after again all also am an and any are as at be because been before being but by can cannot could did do does doing done down each few for from further get go had has have having here how i if in instead into is it its just keep let like make me more most must my need never no nor not now of off on once only or other our out over own please same she should so some such than that the their them then there these they this those through to too under until up use using very want was we were what when where which while who whom why will with within without would you your'.split(
    ' ',
  ),
);

const word = /[\p{L}\p{N}_][\p{L}\p{N}_./-]*[\p{L}\p{N}_]|\p{L}/gu;

/** The words of a text that tell it from others. Paths and names count whole and in their parts. */
export function tellingWords(text: string): Set<string> {
  const terms = new Set<string>();
  for (const [found] of text.toLowerCase().matchAll(word)) {
    for (const part of /[./_-]/.test(found) ? [found, ...found.split(/[./_-]+/)] : [found])
      if (part.length > 1 && !common.has(part)) terms.add(stem(part));
  }
  return terms;
}

function stem(term: string): string {
  if (term.length < 5 || /[^a-z]/.test(term)) return term;
  return term.replace(/(?:ations?|ings?|ers?|ed|es|s|ly|e)$/, '') || term;
}
