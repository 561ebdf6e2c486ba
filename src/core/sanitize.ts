/**
 * Foreign text made safe to show. Whatever an agent, a file name or a packet says must not move the cursor, change the
 * terminal's state, hide itself or pretend to be ours: control characters, escape sequences, bidirectional overrides, zero-width
 * and tag characters are replaced by visible stand-ins. Newlines and tabs stay unless one line is asked for, and so do the
 * joiners inside an emoji, or between letters of a script that is not written right without them.
 */
const escapes = /\u001b(?:\[[0-?]*[ -/]*[@-~]|[\]PX^_][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[ -/]*[0-~])/g;
const hidden =
  // oxlint-disable-next-line no-misleading-character-class -- marks, joiners and selectors are meant one by one
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}]/gu;
const loneSurrogates = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

export function sanitize(text: string): string {
  return text
    .replace(/\r\n/g, '\n')
    .replace(escapes, '␛')
    .replace(loneSurrogates, '\ufffd')
    .replace(hidden, visible);
}

/** For a table cell or a message: no line breaks either. */
export function sanitizeLine(text: string): string {
  return sanitize(text).replace(/[\n\t]+/g, ' ');
}

/**
 * A joiner or variation selector where it belongs: it changes how its neighbours look, so it hides nothing. The patterns
 * stand inside, because setting them up takes longer than most texts need, and few have such a character.
 */
function belongs(character: string, before: string, after: string): boolean {
  if (character === '\ufe0f') return /\p{Extended_Pictographic}$/u.test(before);
  if (character !== '\u200d' && character !== '\u200c') return false;
  const joinsPictures =
    /\p{Extended_Pictographic}(?:\p{Emoji_Modifier}|\ufe0f)?$/u.test(before) &&
    /^\p{Extended_Pictographic}/u.test(after);
  if (character === '\u200d' && joinsPictures) return true;
  const letter =
    /^[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Khmer}]/u;
  return letter.test(before.slice(-1)) && letter.test(after);
}

function visible(character: string, offset: number, whole: string): string {
  const end = offset + character.length;
  if (belongs(character, whole.slice(Math.max(0, offset - 4), offset), whole.slice(end, end + 2)))
    return character;
  const code = character.codePointAt(0) ?? 0;
  // U+2400 and on: pictures of the control characters.
  if (code < 0x20) return String.fromCodePoint(0x2400 + code);
  if (code === 0x7f) return '\u2421';
  return '\ufffd';
}
