/** How something is allowed after all, or dismissed by its name, in German, French, Spanish and Italian. See `permits.ts`. */
import type { Deed, Permit } from './permits.ts';

const before =
  '^\\P{L}*(?:(?:nein|okay|ok|ach|moment|sorry|bitte|also|und|aber|doch|übrigens|eigentlich|jetzt|gut|non|bon|attends|désolée?|finalement|en fait|au final|et|mais|du coup|no|vale|perdón|espera|bueno|al final|en realidad|y|pero|ahora|scusa|aspetta|anzi|allora|alla fine|in realtà|in effetti|e|ma|adesso|ora)[,:]? )*';
const name = '(?<about>(?:[^,;:.!?—–]|[.:](?=\\S)){2,80}?)';
const named = `(?!(?:das|es|dies|alles|ça|cela|ce|c|tout|eso|esto|todo|lo|questo|quello|tutto|ciò|wenn|si|se|was|que)(?![\\p{L}\\p{N}]))${name}`;
const turn =
  '(?: (?:jetzt|nun|doch|wieder|inzwischen|so|für mich|maintenant|finalement|après tout|pour moi|quand même|ahora|ya|al final|después de todo|por mí|adesso|ora|pure|alla fine|dopotutto|per me))*';
const end = `${turn}(?=\\s*(?:[,;!—–]|[.:](?!\\S)|$|\\s-\\s|\\s(?:und|aber|weil|et|mais|y|pero|e|ma)\\s))`;
const soften =
  '(?:(?:jetzt|nun|doch|aber|eigentlich|inzwischen|wieder|auch|ruhig|gern|gerne|natürlich|maintenant|finalement|aussi|bien|ahora|ya|también|adesso|ora|anche|pure|tranquillamente) )*';

const dem = '(?:d(?:ie|as|er|en|em)|unsere?[rn]?|meine?[rn]?)';
const ways: readonly (readonly [Permit['way'], string, Deed?])[] = [
  // German
  [
    'dismisses',
    `(?:vergiss|vergesst|streich|lass)(?: bitte)? (?:das|die sache|die regel|die vorgabe)(?: mit| zu[mr]?| über) (?:${dem} )?${name}${end}`,
  ],
  [
    'dismisses',
    `(?:vergiss|vergesst)(?: bitte)? (?!das(?: wieder)?\\P{L}*$|nicht|was|es)(?:${dem} )?${name}${end}`,
  ],
  [
    'dismisses',
    `(?:das mit |die sache mit |die regel mit )?(?:${dem} )?${named} (?:hat sich (?:damit |inzwischen )?erledigt|gilt (?:jetzt |nun |so )?nicht mehr|ist (?:jetzt |nun )?(?:hinfällig|vom tisch|egal)|kannst du (?:wieder )?(?:vergessen|streichen))${end}`,
  ],
  [
    'allows',
    `(?:du darfst|du kannst|ihr dürft|ihr könnt|sie können|wir können|wir dürfen) ${soften}(?:${dem} )?${name} ${soften}(?:benutzen|verwenden|nutzen|nehmen|einsetzen|einbauen)${end}`,
    'use',
  ],
  [
    'allows',
    `(?:du darfst|du kannst|ihr dürft|ihr könnt|sie können|wir können|wir dürfen) ${soften}(?:${dem} )?${name} ${soften}(?:anfassen|ändern|verändern|bearbeiten|anpassen|umbauen|löschen|umbenennen|verschieben|entfernen)${end}`,
    'change',
  ],
  [
    'allows',
    `(?:${dem} )?${named} (?:darfst|kannst) du ${soften}(?:benutzen|verwenden|nutzen|nehmen|anfassen|ändern|verändern|bearbeiten|anpassen|umbauen|löschen)${end}`,
  ],
  [
    'allows',
    `(?:${dem} )?${named} (?:darf|dürfen|kann|können) ${soften}(?:benutzt|verwendet|genutzt|angefasst|geändert|verändert|bearbeitet|gelöscht) werden${end}`,
  ],
  [
    'allows',
    `(?:${dem} )?${named} (?:ist|sind|wäre) ${soften}(?:ok|okay|in ordnung|erlaubt|zulässig|freigegeben|möglich)${end}`,
  ],
  // French
  [
    'dismisses',
    `(?:oublie|oubliez|laisse tomber|laissez tomber|annule|annulez) (?!ce que|ça|cela|tout)(?:l[’']histoire d(?:e|u|es) |la règle (?:sur|d(?:e|u|es)) )?${name}${end}`,
  ],
  [
    'dismisses',
    `${named} (?:ne tient plus|ne compte plus|n[’']est plus (?:valable|nécessaire|d[’']actualité|un problème|requise?)|ne s[’']applique plus)${end}`,
  ],
  [
    'allows',
    `(?:tu peux|vous pouvez|on peut|tu as le droit d[’'e]|libre à toi d[’'e]) ?${soften}(?:utiliser|employer|prendre|importer|installer) ${name}${end}`,
    'use',
  ],
  [
    'allows',
    `(?:tu peux|vous pouvez|on peut|tu as le droit d[’'e]|libre à toi d[’'e]) ?${soften}(?:toucher(?: à| au| aux)?|modifier|changer|éditer|supprimer|renommer|déplacer|effacer) ${name}${end}`,
    'change',
  ],
  [
    'allows',
    `${named},? (?:c[’']est|est|sont) ${soften}(?:ok|bon|d[’']accord|permise?s?|autorisée?s?|possible|acceptable)${end}`,
  ],
  // Spanish
  [
    'dismisses',
    `(?:olvida|olvidad|olvídate de|descarta|ignora) (?!lo que|eso|todo)(?:lo de(?:l)? |la regla de(?:l)? )?${name}${end}`,
  ],
  [
    'dismisses',
    `(?:lo de(?:l)? )?${named} ya no (?:vale|aplica|cuenta|importa|hace falta|es necesari[oa])${end}`,
  ],
  [
    'allows',
    `(?:ya )?(?:puedes|podéis|podemos|se puede) ${soften}(?:usar|utilizar|emplear|importar|instalar) ${name}${end}`,
    'use',
  ],
  [
    'allows',
    `(?:ya )?(?:puedes|podéis|podemos|se puede) ${soften}(?:tocar|cambiar|modificar|editar|borrar|renombrar|mover|eliminar) ${name}${end}`,
    'change',
  ],
  ['allows', `${named} (?:está|están|es|son) ${soften}(?:bien|ok|permitid[oa]s?|vale|aceptables?)${end}`],
  // Italian
  [
    'dismisses',
    `(?:dimentica|dimenticate|lascia perdere|lascia stare|ignora|annulla) (?!quello|ciò|quanto|tutto)(?:la (?:storia|cosa|regola) (?:di|del|della|dei|su) ?)?${name}${end}`,
  ],
  ['dismisses', `${named} non (?:vale|conta|serve|importa) più${end}`],
  [
    'allows',
    `(?:puoi|potete|possiamo|si può) ${soften}(?:usare|utilizzare|prendere|importare|installare) ${name}${end}`,
    'use',
  ],
  [
    'allows',
    `(?:puoi|potete|possiamo|si può) ${soften}(?:toccare|modificare|cambiare|cancellare|rinominare|spostare|eliminare) ${name}${end}`,
    'change',
  ],
  [
    'allows',
    `${named} (?:va|vanno) ${soften}bene${end}|${named.replace('about', 'other')} (?:è|sono) ${soften}(?:ok|permess[oaie]|consentit[oaie]|ammess[oaie])${end}`,
  ],
];
const patterns = ways.map(
  ([way, source, deed]) =>
    [way, new RegExp(`${before}(?:${source})(?![\\p{L}\\p{N}])`, 'iu'), deed ?? null] as const,
);
/** Most sentences have none of these, and need no further look. */
const perhaps =
  /(?<!\p{L})(?:vergiss|vergesst|streich|lass|erledigt|gilt|hinfällig|vom tisch|egal|darf\p{L}*|dürf\p{L}*|kann(?:st)?|könn\p{L}*|ist|sind|wäre|oublie|oubliez|laissez? tomber|annulez?|ne|n[’']est|peux|peut|pouvez|droit|libre|c[’']est|est|sont|olvid\p{L}*|descarta|ignora|ya|pued\p{L}*|pod[ée]\p{L}*|está|están|es|son|dimentic\p{L}*|lascia|annulla|non|puoi|potete|possiamo|può|va|vanno|è|sono)(?!\p{L})/iu;
const article =
  /^(?:(?:der|die|das|den|dem|des|ein|eine|einen|le|la|les|un|une|du|de|des|el|los|las|una|il|lo|gli|i|uno)\s+|l[’'])+/i;
/** "Actually", "after all", "now": without one, that something is in order says how it is. */
const turned =
  /(?<!\p{L})(?:doch|jetzt|nun|eigentlich|inzwischen|wieder|ruhig|erlaubt|finalement|en fait|au final|maintenant|après tout|quand même|autorisée?s?|permise?s?|al final|en realidad|ahora|ya|después de todo|permitid[oa]s?|alla fine|in realtà|in effetti|adesso|ora|pure|dopotutto|permess[oaie]|consentit[oaie])(?!\p{L})/iu;

export function foreignPermitIn(sentence: string): Permit | null {
  if (!perhaps.test(sentence)) return null;
  for (const [way, pattern, deed] of patterns) {
    const found = pattern.exec(sentence);
    if (found === null) continue;
    if (way === 'allows' && deed === null && !turned.test(sentence)) continue;
    const about = (found.groups?.['about'] ?? found.groups?.['other'] ?? '').trim().replace(article, '');
    const order = sentence
      .slice(found[0].length)
      .replace(/^[\s,;:.!—–-]+/, '')
      .replace(/^\P{L}+$/u, '');
    return { way, about, deed, unsure: false, order };
  }
  return null;
}
