/**
 * The usual ways to say it in German, Italian, Spanish and French. Only what has no other meaning in English text, so that a
 * sentence in one language is never judged by the words of another. Weights as in `user-cues.ts`.
 */
import type { Cue, UserKind } from './kinds.ts';

/** Edges of words that know letters beyond ASCII. */
const wholeWord = (sources: readonly string[]): RegExp =>
  new RegExp(`(?<![\\p{L}\\p{N}])(?:${sources.join('|')})(?![\\p{L}\\p{N}])`, 'iu');
const cue = (kind: UserKind, weight: number, sources: readonly string[]): Cue<UserKind> => ({
  kind,
  weight,
  sign: wholeWord(sources),
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

export function isForeign(sentence: string): boolean {
  if (/[\u00c0-\u024f]/.test(sentence)) return true;
  let found = 0;
  for (const word of sentence.toLowerCase().split(/[^a-z]+/)) {
    if (commonest.has(word)) found += 1;
    if (found === 2) return true;
  }
  return false;
}

export const foreignCues: readonly Cue<UserKind>[] = [
  cue('goal', 4, [
    '(?:das |unser |mein )?ziel(?: ist|:)?|aufgabe(?: ist|:)',
    "(?:l[’']|il nostro )?obiettivo|compito",
    '(?:el )?objetivo|tarea',
    "(?:l[’'])?objectif|(?:la )?tâche",
  ]),
  cue('goal', 3, [
    '(?:ich|wir) (?:möchten?|will|wollen|brauchen?|hätten? gern\\p{L}*)|(?:kannst|könntest|könnt|können) (?:du|ihr|sie|wir)|es (?:soll|sollte)|baue?|füge?|mach|ersetze|stelle?',
    'vorrei|vorremmo|voglio|vogliamo|mi serve|ci serve|bisogna|bisognerebbe|dovremmo|puoi|potresti|aggiungi|sostituisci',
    'quiero|queremos|quisiera|necesito|necesitamos|hay que|puedes|podrías|me gustaría|añade|agrega|haz que',
    "je (?:voudrais|veux|souhaite)|nous (?:voulons|voudrions)|on (?:veut|voudrait)|il (?:faut|faudrait)|j[’']aimerais|peux-tu|pourrais-tu|pouvez-vous|ajoute|remplace",
  ]),
  cue('acceptance', 5, [
    '(?:nehmen?|nimmt) .{1,40}\\bab|sobald|fertig (?:ist (?:es|das)|sind wir|bist du),? (?:erst )?wenn|erledigt,? (?:ist es,? )?(?:erst )?wenn|abgenommen|(?:es|das) ist (?:erst )?(?:fertig|erledigt|gut),? wenn|abnahme(?:kriteri\\p{L}+)?',
    '(?:è|sarà|sia) (?:finito|fatto|pronto|completo|concluso)\\p{L}*,? (?:solo )?(?:quando|se)|finito quando|criteri\\p{L}* di accettazione',
    '(?:terminad|acabad|hech|list|completad)[oa] (?:solo )?(?:cuando|si)|se (?:considera|da por|acepta)\\p{L}*|criterios? de aceptación',
    "(?:terminée?|finie?|prête?|faite?|acceptée?|validée?) (?:seulement )?(?:quand|lorsque|si|dès que)|critères? d[’']acceptation",
  ]),
  cue('constraint', 4, [
    'auf keinen fall|niemals|keinesfalls|darf (?:sich )?(?:nicht|nichts|kein\\p{L}*|nur)|dürfen (?:nicht|nur|keine)|nicht (?:anfassen|ändern|verändern|anrühren|löschen|umbenennen|benutzen|verwenden|committen|pushen)|verboten|unverändert|muss (?:\\p{L}+ ){0,6}(?:bleiben|laufen|funktionieren|unterstützen)|keine neuen|nur .{1,60}(?:verwenden|benutzen|nutzen|nehmen)',
    'non (?:toccare|modificare|cambiare|usare|rompere|rinominare|cancellare|aggiungere|si (?:può|deve|tocca))|(?:è )?vietato|proibito|mai (?:toccare|modificare|usare)|deve (?:restare|rimanere|funzionare|girare)|senza (?:toccare|modificare|cambiare|aggiungere)|solo con',
    'no (?:toques?|modifiques?|cambies?|uses?|borres?|renombres?|rompas?|añadas?|se (?:puede|debe|permite))|nunca|prohibido|debe (?:seguir|quedar|mantener|funcionar)\\p{L}*|sin (?:tocar|modificar|cambiar|añadir)|jamás|bajo ningún concepto',
    "ne (?:\\p{L}+ ){1,3}?(?:\\p{L}+ )?(?:pas|jamais|rien)|n[’']\\p{L}+ (?:surtout )?(?:pas|jamais|rien)|interdit\\p{L}*|sans (?:toucher|modifier|changer|ajouter|casser)|doit (?:rester|fonctionner|tourner|continuer)",
  ]),
  cue('constraint', 2, [
    'wichtig|muss|müssen',
    'importante|deve|devono',
    'debe|deben|obligatorio',
    'doit|doivent|impérati\\p{L}+',
  ]),
  cue('non-goal', 5, [
    'nicht teil (?:davon|der|des|von)|gehört nicht (?:dazu|hierher)|außerhalb des (?:umfangs|rahmens)|(?:brauchen?|braucht) (?:du|wir|es|ihr|man) (?:nicht|keine?n?)|nicht nötig|ist (?:hier |jetzt )?(?:kein thema|egal)|lass .{1,40} weg|außen vor|später',
    "fuori (?:scope|ambito|dallo scope)|non (?:serve|è necessario|fa parte|rientra|occorre)|non c[’']è bisogno|lascia (?:stare|perdere)|più avanti",
    'fuera de(?:l)? (?:alcance|ámbito|scope)|no (?:hace falta|es necesario|forma parte|entra|importa)|deja (?:de lado|para)|más adelante',
    'hors (?:périmètre|scope|sujet)|pas (?:besoin|nécessaire|la peine|prévu)|ne fait pas partie|inutile de|plus tard|laisse (?:de côté|tomber)',
  ]),
  cue('reviewer', 5, [
    '(?:drüber|darüber|rüber)(?:schau|guck|les)\\p{L}*|gegenlesen|schaut .{1,30}(?:drüber|darüber|an)|(?:freigabe|review|abnahme) (?:von|durch|macht)|gibt (?:es |das )?frei|(?:schaut|sieht|prüft|reviewt) (?:es|das|sich)',
    '(?:deve|dovrà|può) (?:approvar|rivedere|controllar|revisionar)\\p{L}*|(?:lo|la) (?:approva|rivede|revisiona|controlla)|approvazione (?:di|da)|revisione (?:di|da)',
    '(?:lo|la) (?:revisa|aprueba|valida)|(?:debe|tiene que) (?:aprobar|revisar)\\p{L}*|revisión de|aprobación de|(?:revisado|aprobado) por',
    'qui (?:relit|valide|approuve)|(?:relecture|validation|approbation) (?:de|par)|(?:relu|validée?|approuvée?) par|doit (?:relire|valider|approuver)',
  ]),
];

/** What stands over a list, or before a colon. */
export const foreignHeadings: readonly Cue<UserKind>[] = [
  cue('goal', 4, ['ziele?|aufgaben?|obiettiv[oi]|compit[oi]|objetivos?|tareas?|objectifs?|tâches?']),
  cue('acceptance', 4, [
    "abnahme\\p{L}*|fertig,? wenn|criteri(?: di accettazione)?|criterios?(?: de aceptación)?|critères?(?: d[’']acceptation)?|accettazione",
  ]),
  cue('constraint', 4, [
    'regeln?|vorgaben?|einschränkung\\p{L}*|randbedingung\\p{L}*|wichtig|vincol[oi]|regole|restriccion\\p{L}*|reglas|contraintes?|règles?|interdit',
  ]),
  cue('non-goal', 5, [
    'nicht[- ]ziele?|nicht teil davon|fuori (?:scope|ambito)|fuera de(?:l)? (?:alcance|ámbito)|hors (?:périmètre|scope)',
  ]),
  cue('reviewer', 5, ['prüfer|freigabe|revisor[ei]?|revis(?:ione|ión)|relecteur|relecture']),
];
