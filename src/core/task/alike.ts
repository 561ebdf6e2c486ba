/**
 * Names that only look alike. An actor that may not review must not get around it by another spelling of its name: `Alice`, `alіce` with a
 * Cyrillic letter, full-width letters, or a letter that nobody sees.
 *
 * Two names are alike where they have the same letters, one by one, each read in one of the ways that it can be read:
 *   in any Unicode form (NFKC) and any case, without what is not seen, and
 *   as the Latin letter that it has the shape of: the table below for Cyrillic, Greek, Armenian and some Latin letters, `I` and `1`
 *   for `l`, and `0` for `o`.
 * Not covered: other scripts, and shapes of more than one letter such as `rn` for `m`. Letters with an accent are letters of their own.
 */
/** Each letter, and behind it the one that it looks like. */
const shapes = [
  // Cyrillic
  'аa АA вb ВB еe ЕE ѕs ЅS іi ІI ӏl ӀI јj ЈJ кk КK мm МM нh НH оo ОO рp РP сc СC тt ТT уy УY ҮY үy хx ХX һh ҺH ԁd ԌG ԍg ԛq ԚQ ԝw ԜW ѵv ѴV гr ьb',
  // Greek
  'αa ΑA βb ΒB γy εe ΕE ζz ΖZ ηn ΗH ιi ΙI κk ΚK ΜM νv ΝN οo ΟO ρp ΡP σo τt ΤT υu ΥY χx ΧX ωw ϲc ϹC ϳj ͿJ',
  // Armenian
  'օo հh ոn սu ցg զq ՕO ՍU Տs յj',
  // Latin, and digits
  'ɑa ɡg ɩi ʟl ɪi ʏy ʀr ɴn ʙb ʜh ᴀa ᴄc ᴅd ᴇe ᴊj ᴋk ᴍm ᴏo ᴘp ᴛt ᴜu ᴠv ᴡw ᴢz ꜱs ɢg ꞮI Il 1l 0o',
];
const looksLike: ReadonlyMap<string, string> = new Map(
  shapes.flatMap((line) => line.split(' ').map((pair): [string, string] => [pair[0] ?? '', pair[1] ?? ''])),
);

function lower(text: string): string {
  return text.toUpperCase().toLowerCase().replace(/\p{M}/gu, '');
}

/** The ways to read each letter of a name. */
function readings(name: string): (readonly string[])[] {
  return Array.from(name.normalize('NFKC').replace(/\p{Default_Ignorable_Code_Point}/gu, '')).flatMap(
    (letter) => {
      const small = Array.from(lower(letter));
      const shape = looksLike.get(letter);
      if (small.length !== 1) return small.map((one) => [one]);
      const shapeOfSmall = looksLike.get(small[0] ?? '');
      return [
        [small[0], shape, shape && looksLike.get(shape), shapeOfSmall].flatMap((one) =>
          one === undefined ? [] : [lower(one)],
        ),
      ];
    },
  );
}

export function isAlike(a: string, b: string): boolean {
  if (a === b) return true;
  const [left, right] = [readings(a), readings(b)];
  return (
    left.length === right.length &&
    left.every((ways, i) => ways.some((way) => right[i]?.includes(way) === true))
  );
}

/** The first of the names that this one could be taken for. */
export function alikeAmong(name: string, names: readonly string[]): string | undefined {
  return names.includes(name) ? name : names.find((other) => isAlike(name, other));
}
