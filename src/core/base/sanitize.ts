/**
 * Foreign text made safe to show. Whatever an agent, a file name or a packet says must not move the cursor, change the terminal's
 * state, hide itself or pretend to be ours. What could is replaced by something visible, and nothing that is not vanishes:
 *
 *   escape sequences (ESC, and the 8-bit forms C1)   ␛   with their parameters; of OSC, DCS, APC, PM and SOS also the string,
 *                                                        if it ends on its line within 4,096 characters: an opener without an
 *                                                        end would otherwise hide everything after it
 *   other control characters                         their pictures (␀ … ␡), C1 a replacement character
 *   what is not seen or changes the direction        a replacement character for each run: zero-width and tag characters,
 *                                                        bidirectional controls, fillers, separators of lines
 *   more than eight combining marks in a row         eight of them and a replacement character
 *   half a surrogate pair                            a replacement character
 *   marks that a program puts around what it tells   ‹ and ［ for the bracket that opens them: models are taught to obey what
 *   its model                                            stands in them
 *
 * Ordinary writing stays as it is in every script. Joiners are kept where a script or an emoji needs them, and one variation
 * selector where it has something to vary; in a row they could carry a message of their own. Newlines and tabs stay unless
 * one line is asked for. Doing it twice changes nothing more, and the time it takes grows with the text.
 */
const marksMax = 8;
const replacement = '\ufffd';

/** Latin letters, quotes and dashes, arrows, lines and signs: all of it is seen, and none of it combines. */
const plain = /^[\n\t\u0020-\u007e\u00a1-\u00ac\u00ae-\u02ff\u2010-\u2027\u2030-\u205e\u2190-\u27bf]*$/;
/** Control sequences, strings up to their end, and what else an escape may begin. */
const sequences =
  /(?:\u001b\[|\u009b)[0-?]{0,256}[ -/]{0,16}[@-~]|(?:\u001b[\]PX^_]|[\u0090\u0098\u009d-\u009f])[^\u0007\u001b\n\u0080-\u009f]{0,4096}(?:\u0007|\u001b\\|\u009c)|\u001b(?:[ -/]{1,16}[0-~]|[0-Z\\-~])/g;

/** Scripts whose letters join, or stand apart, by a joiner. */
const joining = [
  'Adlam',
  'Arabic',
  'Bengali',
  'Devanagari',
  'Gujarati',
  'Gurmukhi',
  'Hanifi_Rohingya',
  'Kannada',
  'Khmer',
  'Malayalam',
  'Mandaic',
  'Mongolian',
  'Myanmar',
  'Nko',
  'Oriya',
  'Phags_Pa',
  'Sinhala',
  'Syriac',
  'Tamil',
  'Telugu',
  'Tibetan',
]
  .map((script) => `\\p{Script=${script}}`)
  .join('');
const unseen = '[\\p{Default_Ignorable_Code_Point}\\p{Zl}\\p{Zp}\\p{Noncharacter_Code_Point}\\ufff9-\\ufffb]';
const needed = [
  `(?<=\\p{Extended_Pictographic}|\\p{Emoji_Modifier}|(?=\\p{Emoji})\\p{Extended_Pictographic}\\ufe0f)\\u200d(?=\\p{Extended_Pictographic})`,
  `(?<=\\p{Emoji})[\\ufe0e\\ufe0f](?!\\p{Variation_Selector})`,
  `(?<=\\p{Script=Han})[\\ufe00-\\ufe02\\u{e0100}-\\u{e01ef}](?!\\p{Variation_Selector})`,
  `(?<=\\p{Script=Mongolian})(?<!${unseen})[\\u180b-\\u180f](?![\\u180b-\\u180f])`,
  `(?<=[${joining}])(?<!${unseen})[\\u200c\\u200d](?![\\u200c\\u200d])`,
].join('|');
interface Rules {
  readonly tooManyMarks: RegExp;
  /** Either something needed, which the first group keeps, or a run of what must be shown. */
  readonly hidden: RegExp;
}
let made: Rules | undefined;

/** Made for the first text that needs them: most are plain, and tables of all scripts take a while. */
function rules(): Rules {
  made ??= {
    tooManyMarks: new RegExp(`(\\p{M}{${marksMax}})\\p{M}+`, 'gu'),
    hidden: new RegExp(
      `(${needed})|(?:(?!${needed})${unseen})+|[\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f]`,
      'gu',
    ),
  };
  return made;
}

/**
 * Marks of the programs that models run in, of their chat formats and of ours. Programs name them so that no page has them: a tag with a
 * hyphen, an underscore or a colon in its name is one, no matter who made it up. Those of one plain word are listed.
 */
const tagWords =
  'system|user|assistant|human|developer|model|tools?|functions?|instructions?|permissions|skills?|env|environment|context|reminder|think|thinking|reasoning|channel|files?|example|invoke|parameters?|bos|eos|unk|pad';
const marks = new RegExp(
  [
    String.raw`<(?=\s*(?:/\s*)?(?:[a-z][a-z0-9]*[-_:][\w:.-]*|(?:${tagWords}))(?:[\s/>]|$))`,
    // ChatML and its kin: <|im_start|>, with either form of the bar.
    String.raw`<(?=\s*[|｜])(?=.{1,80}[|｜]\s*>)`,
    String.raw`<(?=<\s*/?\s*SYS\b)`,
    String.raw`\[(?=\s*/?\s*INST\s*\])`,
    // The heading under which Claude Code tells of events in the background.
    String.raw`\[(?=\s*SYSTEM\s+NOTIFICATION\b)`,
  ].join('|'),
  'gi',
);

/** Nothing in it can be taken for a mark of a program; `shown` is what stands for the bracket that would open one. */
export function unmarked(text: string, shown: (bracket: string) => string): string {
  return text.replace(marks, shown);
}

function alike(bracket: string): string {
  return bracket === '<' ? '‹' : '［';
}

export function sanitize(text: string): string {
  return unmarked(printable(text), alike);
}

/** Safe for a terminal, and otherwise as it is: for lines of code that somebody reviews. */
export function printable(text: string): string {
  if (plain.test(text)) return text;
  const { tooManyMarks, hidden } = rules();
  return text
    .toWellFormed()
    .replace(/\r\n/g, '\n')
    .replace(sequences, '␛')
    .replace(tooManyMarks, `$1${replacement}`)
    .replace(hidden, (found: string, kept: string | undefined) => kept ?? visible(found));
}

/** For a table cell or a message: no line breaks either. */
export function sanitizeLine(text: string): string {
  return sanitize(printable(text).replace(/[\n\t]+/g, ' '));
}

function visible(found: string): string {
  const code = found.charCodeAt(0);
  // U+2400 and on: pictures of the control characters.
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  return code === 0x7f ? '\u2421' : replacement;
}
