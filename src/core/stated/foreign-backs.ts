/**
 * How something is taken back in German, French, Spanish and Italian. Each way begins a sentence and may name what it is about; what
 * stands behind it is said in its place. Where a name ends depends on the language: in German the verb stands behind it.
 */
const before =
  '^\\P{L}*(?:(?:nein|okay|ok|ach|moment|sorry|bitte|also|und|aber|doch|non|bon|attends|désolée?|finalement|en fait|et|mais|no|vale|perdón|espera|bueno|mejor|y|pero|scusa|aspetta|anzi|allora|e|ma)[,:]? )*';
/** A name: up to the end of the clause. */
const named = '(?<about>[^,;:.!—–]{2,80}?)';
const whole = '(?=\\s*(?:[,;:.!—–]|$|\\s-\\s|\\s(?:und|et|y|e)\\s))';

const ways: readonly string[] = [
  // German
  `(?:vergiss|vergesst|vergessen sie|ignorier\\p{L}*|streich\\p{L}*)(?: bitte)?(?: mal)?,? (?:alles,? )?was (?:ich|wir) (?:(?:dir|euch|vorhin|oben|gerade|eben) )*(?:(?:zu[mr]?|über|wegen|von|bezüglich|mit) ${named} )?(?:(?:vorhin|oben|gerade|eben) )*(?:gesagt|geschrieben|gemeint|verlangt|gewünscht) (?:habe|hatte|haben|hatten)`,
  `(?:vergiss|vergesst|ignorier\\p{L}*|streich\\p{L}*)(?: bitte)? (?:meine?n?|die|den|das) (?:letzte|vorige|vorherige|frühere|erste|obige)\\p{L}* \\p{L}+(?: (?:zu[mr]?|über|wegen|mit) ${named}${whole})?`,
  `(?:ich|wir) ha(?:be|ben|b)['’]?s? ?(?:es )?(?:mir|uns) ?(?:(?:mit|bei|wegen) ${named} )?anders überlegt`,
  `(?:ich|wir) nehmen? (?:das|es|alles) zurück`,
  // French
  `(?:oublie|oubliez|ignore|ignorez|annule|annulez|laisse tomber)(?: tout)? ce que (?:j[’']ai|je t[’']ai|je vous ai|nous avons|on a) (?:dit|écrit|demandé)(?: (?:sur|à propos d(?:e|u|es)|au sujet d(?:e|u|es)|concernant|pour) ${named}${whole})?`,
  `(?:j[’']ai|nous avons|on a) changé d[’']avis(?: (?:sur|pour|à propos d(?:e|u|es)|concernant) ${named}${whole})?`,
  `je retire ce que j[’']ai dit(?: (?:sur|à propos d(?:e|u|es)|concernant) ${named}${whole})?`,
  // Spanish
  `(?:olvida|olvidad|olvídate de|olvidaos de|ignora|ignorad|descarta)(?: todo)? lo que (?:te |os )?(?:dije|he dicho|había dicho|escribí|pedí|dijimos)(?: antes)?(?: (?:sobre|de|del|acerca del?|respecto al?) ${named}${whole})?`,
  `(?:he|hemos|cambié|cambiamos) ?(?:cambiado)? ?de (?:opinión|idea)(?: (?:sobre|con|respecto al?) ${named}${whole})?`,
  `retiro lo (?:dicho|que dije)(?: (?:sobre|de|del) ${named}${whole})?`,
  // Italian
  `(?:dimentica|dimenticate|ignora|ignorate|lascia perdere|lascia stare|annulla)(?: tutto)? (?:quello|ciò|quanto)(?: che)? (?:ti |vi )?(?:(?:ho|abbiamo|avevo) )?(?:detto|scritto|chiesto|dissi)(?: prima)?(?: (?:su(?:l|llo|lla|i|gli|lle|ll)?[’']?|riguardo (?:al?|allo|alla|ai|agli|alle)|di|del|della|per) ?${named}${whole})?`,
  `(?:ho|abbiamo) cambiato idea(?: (?:su(?:l|llo|lla|i|gli|lle|ll)?[’']?|riguardo (?:al?|alla|ai|alle)|per) ?${named}${whole})?`,
  `ritiro (?:quello|ciò) che ho detto(?: (?:su(?:l|llo|lla|i|gli|lle|ll)?[’']?) ?${named}${whole})?`,
];
const retractions = ways.map((way) => new RegExp(`${before}(?:${way})(?![\\p{L}\\p{N}])`, 'iu'));
/** Most sentences have none of these, and need no further look. */
const perhaps =
  /vergiss|vergess|ignor|streich|überlegt|zurück|oubli|annul|laisse|changé|retir|olvid|descarta|cambi|dimentic|lascia|ritiro/i;
const article =
  /^(?:(?:der|die|das|den|dem|des|ein|eine|einen|einem|einer|le|la|les|un|une|du|de|des|el|los|las|una|unos|il|lo|gli|i|uno|dei|delle)\s+|l[’'])+/i;

/** The words that take something back, and what they are about; null where nothing is taken back. */
export function foreignBackIn(sentence: string): { readonly words: string; readonly about: string } | null {
  if (!perhaps.test(sentence)) return null;
  for (const retraction of retractions) {
    const found = retraction.exec(sentence);
    if (found !== null)
      return { words: found[0], about: (found.groups?.['about'] ?? '').trim().replace(article, '') };
  }
  return null;
}

/** Takes back what stands before it, and says nothing else. */
export const foreignTakesBack = new RegExp(
  `${before}(?:vergiss (?:das|es)(?: wieder)?|streich das(?: wieder)?|kommando zurück|doch nicht|oublie(?:z)?(?: ça| cela|-le)?|laisse(?:z)? tomber|annule(?:z)? (?:ça|cela)|olvídalo|olvida eso|déjalo|retiro lo dicho|come non detto|lascia (?:stare|perdere)|dimenticalo)\\P{L}*$`,
  'iu',
);

/** Takes back whatever shares its words. */
export const foreignReplaces =
  /(?<!\p{L})(?:stattdessen|doch lieber|nicht mehr|à la place|plutôt que|finalement|ne .{1,40} plus|en su lugar|en vez de eso|ya no|al suo posto|invece|non .{1,30} più)(?!\p{L})/iu;

/** Says to leave something off, in the imperative. */
export const foreignLeavesOff = new RegExp(
  `${before}(?:(?:lösch|entfern|lass|streich|wirf|nimm)\\p{L}*|(?:retir|supprim|enl[eè]v|laiss|saut|exclu)\\p{L}*|(?:quita|elimina|borra|omite|salta|deja|excluye)\\p{L}*|(?:togli|rimuovi|elimina|salta|ometti|lascia|escludi)\\p{L}*)(?!\\p{L})`,
  'iu',
);
