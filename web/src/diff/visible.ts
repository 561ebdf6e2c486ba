/**
 * Characters that are not seen, or that change how their neighbours are seen, by name. A diff that hides one from the reviewer is
 * no diff. Tabs, and the joiners and selectors that emoji and scripts are written with, are named as well: in code they are worth a look.
 */

/** Written out as text: a list of such characters cannot be read otherwise. */
const hidden = new RegExp(
  [
    // Controls, odd blanks, soft hyphens, fillers, joiners and selectors, direction marks, separators, tags, halves of pairs.
    String.raw`[\u0000-\u0008\u000a-\u001f\u007f-\u00a0\u00ad\u061c\u115f\u1160\u180e\u2000-\u200f\u2028-\u202f]`,
    String.raw`[\u205f-\u206f\u3000\u3164\ufeff\uffa0\ud800-\udfff\ufff0-\ufffc\ufffe\uffff]`,
    String.raw`\u034f|\u17b4|\u17b5|[\u{1d173}-\u{1d17a}]|[\u{e0000}-\u{e0fff}]`,
    String.raw`\p{Variation_Selector}`,
  ].join('|'),
  'gu',
);

const plain = /^[\t\u0020-\u007e]*$/;

/** From 0 on. Pictures of them, at U+2400, are missing in many fonts. */
const controls =
  'NUL SOH STX ETX EOT ENQ ACK BEL BS TAB LF VT FF CR SO SI DLE DC1 DC2 DC3 DC4 NAK SYN ETB CAN EM SUB ESC FS GS RS US'.split(
    ' ',
  );

const names: Readonly<Record<number, string>> = {
  0x007f: 'DEL',
  0x00a0: 'NBSP',
  0x00ad: 'SHY',
  0x061c: 'ALM',
  0x200b: 'ZWSP',
  0x200c: 'ZWNJ',
  0x200d: 'ZWJ',
  0x200e: 'LRM',
  0x200f: 'RLM',
  0x2028: 'LSEP',
  0x2029: 'PSEP',
  0x202a: 'LRE',
  0x202b: 'RLE',
  0x202c: 'PDF',
  0x202d: 'LRO',
  0x202e: 'RLO',
  0x2060: 'WJ',
  0x2066: 'LRI',
  0x2067: 'RLI',
  0x2068: 'FSI',
  0x2069: 'PDI',
  0xfeff: 'BOM',
};

interface Hidden {
  readonly from: number;
  readonly to: number;
  readonly name: string;
}

export function hiddenIn(text: string): readonly Hidden[] {
  if (plain.test(text)) return [];
  return [...text.matchAll(hidden)].map(({ 0: found, index }) => ({
    from: index,
    to: index + found.length,
    name: nameOf(found.codePointAt(0) ?? 0),
  }));
}

const blanks = /[\u00a0\u202f\u3000]/;
const joiners = /[\u200c\u200d]|\p{Variation_Selector}/u;
const joined =
  /(?:[\p{Extended_Pictographic}\p{Emoji}\p{Emoji_Modifier}\ufe0f]|(?![\p{sc=Latin}\p{sc=Cyrillic}\p{sc=Greek}])[\p{L}\p{M}])$/u;

/** Without what emoji and languages are written with: blanks of another width, and joiners and selectors after what they can join. */
export function hiddenInProse(text: string): readonly Hidden[] {
  return hiddenIn(text).filter(({ from, to }) => {
    const found = text.slice(from, to);
    return (
      !blanks.test(found) && !(joiners.test(found) && joined.test(text.slice(Math.max(0, from - 2), from)))
    );
  });
}

function nameOf(code: number): string {
  return controls[code] ?? names[code] ?? `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
}

/** Whether something in it changes the order in which the rest is read. */
export function turns(text: string): boolean {
  return /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/.test(text);
}
