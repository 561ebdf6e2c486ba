/**
 * The usual ways to say it in German, Italian, Spanish and French. Only what has no other meaning in English text, so that a
 * sentence in one language is never judged by the words of another. Weights as in `user-cues.ts`.
 */
import type { Cue, UserKind } from './kinds.ts';

/** Edges of words that know letters beyond ASCII. */
const wholeWord = (sources: readonly string[], flags: string): RegExp =>
  new RegExp(`(?<![\\p{L}\\p{N}])(?:${sources.join('|')})(?![\\p{L}\\p{N}])`, flags);
/** For sentences in lower case: to compile signs for letters of either case takes three times as long. */
const cue = (kind: UserKind, weight: number, sources: readonly string[]): Cue<UserKind> => ({
  kind,
  weight,
  sign: wholeWord(sources, 'u'),
});
const headingCue = (kind: UserKind, weight: number, sources: readonly string[]): Cue<UserKind> => ({
  kind,
  weight,
  sign: wholeWord(sources, 'iu'),
});

/** The commonest words of these languages: a sentence without two of them, or a letter beyond ASCII, need not be looked at. */
const commonest: ReadonlySet<string> = new Set(
  [
    'der die das den dem ein eine einen nicht ist sind und bitte sobald bleibt noch am muss soll sollen darf kann kannst ohne nur kein keine keinen wenn wird werden mit auf von wir ich ziel aufgabe teil davon lass fertig wichtig niemals es',
    'il lo gli della del di che non per con senza deve devono vorrei quando solo mai una fuori obiettivo vietato tutti anche usare toccare scope',
    'el los las que para por sin debe deben quiero cuando nunca hay objetivo se fuera no hace falta en la de antes',
    'le les des une est sont ne pas pour avec sans doit doivent faut faudrait quand jamais du objectif hors qui au besoin',
  ].flatMap((list) => list.split(' ')),
);

/** Words that no English sentence has: one of them is enough. */
const telling: ReadonlySet<string> = new Set(
  [
    'machen erstmal bitte nicht kein keine keinen soll sollte muss darf ohne vergiss brauchen brauche niemals',
    'deve devono vorrei vogliamo senza bisogna dobbiamo niente nessun nessuna dimentica lascia',
    'quiero queremos necesito necesitamos debe deben nunca ninguna olvida hace hacer tiene',
    'faut doit doivent voudrais voudrait besoin jamais aucun aucune oublie veux pas',
  ].flatMap((list) => list.split(' ')),
);

/** By a sum of their letters: few other words have the sum of one of these. */
const sums = new Uint8Array(1024);
for (const word of [...commonest, ...telling]) {
  let sum = 0;
  for (let i = 0; i < word.length; i += 1) sum = added(sum, word.charCodeAt(i));
  sums[sum] = 1;
}

function added(sum: number, letter: number): number {
  return (sum * 31 + letter) & 1023;
}

export function isForeign(sentence: string): boolean {
  let found = 0;
  let sum = 0;
  let from = 0;
  for (let i = 0; i <= sentence.length; i += 1) {
    const code = i < sentence.length ? sentence.charCodeAt(i) : 0;
    if (code >= 0xc0 && code <= 0x24f) return true;
    const letter = code >= 65 && code <= 90 ? code + 32 : code;
    if (letter >= 97 && letter <= 122) {
      sum = added(sum, letter);
      continue;
    }
    if (sums[sum] === 1 && i > from) {
      const word = sentence.slice(from, i).toLowerCase();
      if (telling.has(word)) return true;
      if (commonest.has(word)) found += 1;
    }
    [sum, from] = [0, i + 1];
  }
  return found > 1;
}

/** Of sentences in lower case. */
export const foreignCues: readonly Cue<UserKind>[] = [
  cue('goal', 4, [
    '(?:das |unser |mein )?ziel(?: ist|:)?|aufgabe(?: ist|:)',
    "(?:l[’']|il nostro )?obiettivo|compito",
    '(?:el )?objetivo|tarea',
    "(?:l[’'])?objectif|(?:la )?tâche",
  ]),
  cue('goal', 3, [
    '(?:ich|wir) (?:möchten?|will|wollen|brauchen?|hätten? gern\\p{L}*)|(?:kannst|könntest|könnt|können) (?:du|ihr|sie|wir)|es (?:soll|sollte|wäre (?:gut|schön|toll),? wenn)|(?:bau|füg|mach|ersetz|stell|schreib|erstell|implementier|beheb|reparier|korrigier|ergänz|entfern|migrier|beschleunig|verschieb|bring|richt|erweiter|zieh)e?|sorg\\p{L}* dafür,? dass',
    'vorrei|vorremmo|voglio|vogliamo|mi serve|ci serve|bisogna|bisognerebbe|dovremmo|dobbiamo|puoi|potresti|potete|abbiamo bisogno di|ci vuole|aggiungi|sostituisci|scrivi|crea|correggi|sistema|implementa|converti|migliora|sposta|riscrivi|fai in modo che',
    'quiero|queremos|quisiera|necesito|necesitamos|hay que|puedes|podrías|me gustaría|nos gustaría|tenemos que|hace falta que|añade|agrega|haz|crea|escribe|arregla|corrige|implementa|convierte|mejora|mueve|reescribe',
    "je (?:voudrais|veux|souhaite)|nous (?:voulons|voudrions)|on (?:veut|voudrait)|il (?:faut|faudrait)|j[’']aimerais|peux-tu|pourrais-tu|pouvez-vous|(?:j[’']ai|nous avons|on a) besoin (?:de|d[’'])|il nous (?:faut|faudrait)|(?:ajout|remplac|corrig|répar|implément|amélior|déplac|cré)e[rz]?|écris|convertis|réécris|fai(?:s|tes)(?: en sorte)?",
  ]),
  cue('acceptance', 5, [
    '(?:nehmen?|nimmt) .{1,40}\\bab|sobald|fertig (?:ist (?:es|das)|sind wir|bist du),? (?:erst )?wenn|erledigt,? (?:ist es,? )?(?:erst )?wenn|abgenommen|(?:es|das) ist (?:erst )?(?:fertig|erledigt|gut),? wenn|abnahme(?:kriteri\\p{L}+)?|(?:zufrieden|fertig|durch|passt|gut),? (?:erst )?(?:wenn|sobald)|gilt als (?:fertig|erledigt)|wenn .{3,120}(?:sind wir|bin ich|ist es|ist das) (?:fertig|durch|zufrieden|erledigt|gut)|akzeptier\\p{L}*|(?:fertig|erledigt|bestanden|grün|gut) (?:heißt|bedeutet)',
    '(?:è|sarà|sia) (?:finito|fatto|pronto|completo|concluso)\\p{L}*,? (?:solo )?(?:quando|se)|finito quando|(?:va bene|siamo a posto|sono (?:contento|soddisfatto)|basta|accetto)\\P{L}.{0,20}(?:quando|se|solo)|finito (?:significa|vuol dire)|quando .{3,120}(?:abbiamo finito|siamo a posto|è fatta|è finit[oa])|criteri\\p{L}* di accettazione',
    '(?:terminad|acabad|hech|list|completad)[oa] (?:solo )?(?:cuando|si)|se (?:considera|da por|acepta)\\p{L}*|(?:acepto|aceptaré|aceptamos|vale|estará|está)\\P{L}.{0,20}cuando|(?:hecho|terminado) (?:significa|quiere decir)|cuando .{3,120}(?:hemos terminado|está (?:listo|hecho)|estamos|habremos)|criterios? de aceptación',
    "(?:terminée?|finie?|prête?|faite?|acceptée?|validée?) (?:seulement )?(?:quand|lorsque|si|dès que)|(?:bon|ok|gagné) (?:quand|lorsque|dès que)|(?:quand|dès que) .{3,120}(?:c[’']est (?:bon|fini|gagné)|on a (?:fini|terminé))|j[’']accepte|(?:fini|terminé) (?:veut dire|signifie)|critères? d[’']acceptation",
  ]),
  cue('constraint', 4, [
    'auf keinen fall|niemals|ohne .{1,60}(?:anzufassen|anzurühren|zu \\p{L}+n)(?=\\P{L}|$)|(?<=^\\P{L}*(?:(?:und|aber|bitte|also) )*)kein(?:e|en|er|erlei)?(?! (?:ahnung|sorge|problem|zeit|lust|panik|eile|wunder))|nichts? (?:\\p{L}+ ){0,4}\\p{L}{3,}(?:en|ern|eln)(?=\\P{L}*$)|(?:finger|hände) weg|(?:wir|es) bleib(?:en|t) bei|vermeide\\p{L}*|bleib(?:t|en) (?:\\p{L}+ ){0,3}(?:wie|unverändert|so|gleich|dabei|kompatibel|bestehen|erhalten|offline)|keinesfalls|darf (?:sich )?(?:nicht|nichts|kein\\p{L}*|nur)|dürfen (?:nicht|nur|keine)|nicht (?:anfassen|ändern|verändern|anrühren|löschen|umbenennen|benutzen|verwenden|committen|pushen)|verboten|unverändert|muss (?:\\p{L}+ ){0,6}(?:bleiben|laufen|funktionieren|unterstützen)|keine neuen|nur .{1,60}(?:verwenden|benutzen|nutzen|nehmen)',
    '(?:niente|nessun[oa]?) \\p{L}+|evita(?:re|te)?|(?:restiamo|rimaniamo) (?:su|con|in|a)|non (?:\\p{L}+ )?\\p{L}+(?:are|ere|ire|arl[oaie]|erl[oaie])|(?:resta|rimane)\\p{L}* (?:\\p{L}+ ){0,2}(?:com|così|ugual|invariat|compatibil|gratuit|privat)\\p{L}*|non (?:toccare|modificare|cambiare|usare|rompere|rinominare|cancellare|aggiungere|si (?:può|deve|tocca))|(?:è )?vietato|proibito|mai (?:toccare|modificare|usare)|deve (?:restare|rimanere|funzionare|girare)|senza (?:toccare|modificare|cambiare|aggiungere)|solo con',
    '(?:seguimos|nos quedamos) (?:con|en)|(?:nada de|ning[uú]n[oa]?) \\p{L}+|evit[ae]\\p{L}*|(?<=^\\P{L}*(?:(?:y|pero|por favor),? )*)no (?:me |lo |la |los |las |se )?\\p{L}+(?:es|as|áis|éis)|(?:sigue|queda)\\p{L}* (?:siendo|igual|como|intact\\p{L}+)|no (?:toques?|modifiques?|cambies?|uses?|borres?|renombres?|rompas?|añadas?|se (?:puede|debe|permite))|nunca|prohibido|debe (?:seguir|quedar|mantener|funcionar)\\p{L}*|sin (?:tocar|modificar|cambiar|añadir)|jamás|bajo ningún concepto',
    "ne (?:\\p{L}+ ){1,3}?(?:\\p{L}+ )?(?:pas|jamais|rien)|n[’']\\p{L}+ (?:surtout )?(?:pas|jamais|rien)|(?<=^\\P{L}*(?:(?:et|mais|surtout),? )*)pas (?:de|d[’'])|aucune?|(?:on|nous) (?:garde|gardons|reste|restons)|évite[rz]?|reste(?:nt)? (?:\\p{L}+ ){0,2}(?:comme|tel|inchang|compatible|identique|gratuit|privé)\\p{L}*|interdit\\p{L}*|sans (?:toucher|modifier|changer|ajouter|casser)|doit (?:rester|fonctionner|tourner|continuer)",
  ]),
  cue('constraint', 2, [
    'wichtig|muss|müssen',
    'importante|deve|devono',
    'debe|deben|obligatorio',
    'doit|doivent|impérati\\p{L}+',
  ]),
  // What need not be is no rule.
  cue('constraint', -4, [
    '(?:müssen|musst|muss) (?:wir|du|man|es|das|ich|ihr) (?:\\p{L}+ ){0,3}nicht',
    'non (?:dobbiamo|devi|deve|serve)',
    'no (?:tenemos|tienes|hay|hace falta) (?:que)?',
    "(?:n[’']avons|n[’']as) pas à|pas besoin",
  ]),
  cue('non-goal', 5, [
    'nicht teil (?:davon|der|des|von)|gehört nicht (?:dazu|hierher)|außerhalb des (?:umfangs|rahmens)|(?:brauchen?|braucht) (?:du|wir|es|ihr|man) (?:nicht|keine?n?)|nicht nötig|ist (?:hier |jetzt )?(?:kein thema|egal)|lass\\p{L}* .{1,40} weg|weglassen|machen wir (?:\\p{L}+ )?(?:separat|extra|später|getrennt|woanders|ein andermal|in einem)|lassen wir .{0,30}(?:liegen|weg|sein|aus|bleiben|so)|(?:bleibt|bleiben) (?:erst ?mal|vorerst|vorläufig) (?:so|wie)|außen vor|später|kann warten|ein andermal|(?:müssen|musst|muss) (?:wir|du|man|es|das)? ?(?:\\p{L}+ ){0,3}nicht|brauch\\p{L}* .{0,30}nicht|nicht (?:unser|dein|mein) (?:problem|thema|bier|job)|anderes (?:ticket|projekt|thema)|verzichten|kümmer\\p{L}* .{0,30}nicht|nicht (?:darum )?kümmern|interessiert .{0,20}nicht',
    "fuori (?:scope|ambito|dallo scope)|non (?:serve|è necessario|fa parte|rientra|occorre)|non c[’']è bisogno|lascia(?:mo)? (?:stare|perdere|fuori)|più avanti|può aspettare|un[’']altra volta|non (?:ci |mi )?(?:interessa|importa)|non (?:dobbiamo|devi) \\p{L}+|non (?:preoccuparti|ti preoccupare)|(?:un altro|altro) (?:ticket|progetto|momento)|per ora no|tralascia\\p{L}*",
    'fuera de(?:l)? (?:alcance|ámbito|scope)|no (?:hace falta|es necesario|forma parte|entra|importa)|dej[ae]\\p{L}* (?:de lado|para|fuera)|más adelante|puede[ns]? esperar|otro (?:día|ticket|proyecto|momento)|no (?:nos |me )?(?:interesa|importa|preocupa)|no te preocupes|queda(?:n)? fuera|olvídate de|no (?:tenemos|tienes|hay) que|no vamos a',
    "hors (?:périmètre|scope|sujet)|pas (?:besoin|nécessaire|la peine|prévu)|ne fait pas partie|inutile de|plus tard|laiss(?:e|ons|ez) (?:de côté|tomber)|peu(?:t|vent) attendre|une autre fois|autre (?:ticket|projet|lot)|pas (?:notre|ton|votre) (?:problème|sujet|affaire)|on s[’']en (?:fiche|moque|occupera)|pour (?:le moment|l[’']instant),? (?:non|pas|on)|pas pour (?:maintenant|l[’']instant|cette fois)|(?:ne )?t[’']occupe pas|on ne (?:fait|gère|traite|migre)\\p{L}* pas|n[’']avons pas à",
  ]),
  cue('reviewer', 5, [
    '(?:drüber|darüber|rüber)(?:schau|guck|les)\\p{L}*|gegenlesen|schaut .{1,30}(?:drüber|darüber|an)|(?:freigabe|review|abnahme) (?:von|durch|macht)|gibt (?:es |das )?frei|über den tisch von|(?:soll|muss|wird|sollte|darf) (?:(?:es|das|dies|alles|noch|vorher|den \\p{L}+|die \\p{L}+) )*(?:abnehmen|prüfen|freigeben|gegenlesen|reviewen|anschauen|absegnen|ansehen|durchsehen)|(?:schaut|sieht|prüft|reviewt) (?:es|das|sich)',
    '(?:deve|dovrà|può) (?:approvar|rivedere|controllar|revisionar)\\p{L}*|(?:lo|la) (?:approva|rivede|revisiona|controlla)|approvazione (?:di|da)|revisione (?:di|da)',
    '(?:lo|la) (?:revisa|aprueba|valida)|(?:debe|tiene que) (?:aprobar|revisar)\\p{L}*|revisión de|aprobación de|(?:revisado|aprobado) por',
    'qui (?:relit|valide|approuve)|(?:relecture|validation|approbation) (?:de|par)|(?:relu|validée?|approuvée?) par|doit (?:relire|valider|approuver)',
  ]),
];

/** What stands over a list, or before a colon. */
export const foreignHeadings: readonly Cue<UserKind>[] = [
  headingCue('goal', 4, ['ziele?|aufgaben?|obiettiv[oi]|compit[oi]|objetivos?|tareas?|objectifs?|tâches?']),
  headingCue('acceptance', 4, [
    "abnahme\\p{L}*|fertig,? wenn|criteri(?: di accettazione)?|criterios?(?: de aceptación)?|critères?(?: d[’']acceptation)?|accettazione",
  ]),
  headingCue('constraint', 4, [
    'regeln?|vorgaben?|einschränkung\\p{L}*|randbedingung\\p{L}*|wichtig|vincol[oi]|regole|restriccion\\p{L}*|reglas|contraintes?|règles?|interdit',
  ]),
  headingCue('non-goal', 5, [
    'nicht[- ]ziele?|nicht teil davon|fuori (?:scope|ambito)|fuera de(?:l)? (?:alcance|ámbito)|hors (?:périmètre|scope)',
  ]),
  headingCue('reviewer', 5, ['prüfer|freigabe|revisor[ei]?|revis(?:ione|ión)|relecteur|relecture']),
];
