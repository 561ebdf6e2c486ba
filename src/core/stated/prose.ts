/**
 * What somebody wrote in sentences, apart from what they pasted. Pasted are, in this order:
 *
 *   fenced code                 from ``` or ~~~ to the same again, or to the end
 *   quotations                  lines that begin with >
 *   comments                    from a line that begins with /* or <!-- to the end of the comment; and what begins with # right
 *                               before or after a line of code, which is then no heading
 *   logs, diffs, tables, code   see `pasted.ts`; but never the only line of a message, for that is what somebody had to say, unless
 *                               a compiler or the like must have printed it (`program-output.ts`)
 *
 * Blocks in tags, `<name …>` that opens a line up to `</name>`, are context that programs put in, and left out; what stands behind
 * them is not. Commands to a program, `/clear` or `!ls`, are no words; `# words` alone, to be remembered, are.
 *
 * The rest is cut into sentences. An item of a list is cut like a paragraph, and keeps the heading or the line with a colon that stands
 * over its list. Sentences end at . ! ? before a blank, at a semicolon between two clauses, and at the end of a paragraph.
 * Text is kept as it was written, but for line ends and runs of blanks, which become one blank. A sentence without an end
 * is cut into pieces.
 */
import { cut } from '../text.ts';
import { withoutCommand } from './command.ts';
import { isCode, partPasted, type Parted } from './pasted.ts';
import { isOutput } from './program-output.ts';

export interface Sentence {
  readonly text: string;
  /** The line that stands over the list or the section it belongs to. */
  readonly under?: string;
  /** Of an item with a box: whether it is ticked. */
  readonly box?: 'open' | 'ticked';
  /** Somebody else's words, or a program's. */
  readonly pasted?: true;
}

const textCharsMax = 256 * 1024;
const sentenceCharsMax = 1000;
const sentencesMax = 2000;
/** Of what was pasted into one message; its step has the rest. */
const pastedMax = 40;
const piecesMax = 20;
const clauseChars = 60;

const fence = /^ {0,3}(`{3,}|~{3,})/;
const comments: readonly (readonly [from: RegExp, end: string])[] = [
  [/^\s*\/\*/, '*/'],
  [/^\s*<!--/, '-->'],
];
const opening = /^\s{0,3}<([a-z][\w-]{1,60})(?:\s[^<>]{0,200})?>/i;
const bullet = /^\s{0,12}(?:[-*•–]|\d{1,3}[.)]|\[[ x]\])\s+(?=\S)(?:\[[ x]\]\s+)?/i;
const heading = /^ {0,3}#{1,6}\s+(\S.*?)\s*#*$/;
const boldHeading = /^\s*\*\*([^*]{2,80}?):?\*\*:?\s*$/;

/** A line that says what follows is: it begins a part of its own, whatever stands before it. */
const label =
  /^\s{0,3}\**((?:acceptance(?: criteria)?|accepted when|done(?: when)?|definition of done|dod|constraints?|rules?|requirements?|limits?|out of scope|not in scope|non-?goals?|not (?:now|part of it|needed)|goals?|task|aim|objective|reviewers?|review(?:ed)?(?: by)?|approvers?|abnahme(?:kriterien)?|ziele?|nicht-?ziele?|regeln|vorgaben|vincoli|fuori scope|obiettivo|criteri di accettazione|restricciones|fuera de alcance|objetivo|criterios de aceptación|contraintes|hors (?:périmètre|scope)|objectif|critères d[’']acceptation))\**\s*:/i;
/** What stands behind these labels is a list, however it is set. */
const listing =
  /accept|done|dod|constraint|rule|require|limit|scope|non-?goal|^not |abnahme|nicht|regel|vorgabe|vincol|accettazione|restric|fuera|aceptación|contrainte|hors|critère/i;

interface Line {
  readonly text: string;
  /** Fenced or quoted. */
  readonly aside: boolean;
}

/** Without blocks in tags; null stands for what was taken out. */
function* keptLines(text: string): Generator<Line | null> {
  const given = text.slice(0, textCharsMax);
  let closing: RegExp | null = null;
  let fenced = false;
  let until: string | null = null;
  /** Where each sort of comment is closed for the last time: looked for once. */
  const commentEnds: Record<string, number> = {};
  let ends: ReadonlyMap<string, number> | undefined;
  let at = 0;
  for (const line of given.split('\n')) {
    at += line.length + 1;
    if (until !== null) {
      yield { text: line, aside: true };
      if (line.includes(until)) until = null;
      continue;
    }
    if (closing !== null) {
      const end = closing.exec(line);
      if (end !== null) closing = null;
      if (fenced) yield end !== null ? null : { text: line, aside: true };
      else if (end !== null) yield behind(line, end);
      continue;
    }
    const mark = fence.exec(line)?.[1];
    if (mark !== undefined) {
      closing = new RegExp(`^ {0,3}${mark.charAt(0)}{${mark.length},}\\s*$`);
      fenced = true;
      yield null;
      continue;
    }
    const comment = comments.find(([from]) => from.test(line))?.[1];
    if (
      comment !== undefined &&
      (line.includes(comment) || (commentEnds[comment] ??= given.lastIndexOf(comment)) >= at)
    ) {
      yield { text: line, aside: true };
      if (!line.includes(comment)) until = comment;
      continue;
    }
    const tag = line.includes('<') ? opening.exec(line)?.[1] : undefined;
    if (tag !== undefined) {
      const end = new RegExp(`</${tag}>`, 'i');
      ends ??= tagEnds(given);
      const here = end.exec(line);
      const endsHere = here !== null;
      if (endsHere && behind(line, here) !== null) {
        // A mark of text inside of a sentence has a plain name, a block of a program two words.
        yield /[-_]/.test(tag) ? behind(line, here) : { text: line, aside: false };
        continue;
      }
      const endsLater = !endsHere && (ends.get(tag.toLowerCase()) ?? 0) >= at;
      if (endsLater) [closing, fenced] = [end, false];
      // A name in angle brackets that nothing closes is a word of the sentence.
      const isWord = !endsHere && !endsLater && /\p{L}{2}/u.test(line.replace(opening, ''));
      yield isWord ? { text: line, aside: false } : null;
      continue;
    }
    const isQuoted = /^\s{0,3}>/.test(line);
    yield { text: isQuoted ? line.replace(/^\s{0,3}>+\s?/, '') : line, aside: isQuoted };
  }
}

/** What stands behind the end of a block in the same line, if it is words. */
function behind(line: string, end: RegExpExecArray): Line | null {
  const rest = line.slice(end.index + end[0].length);
  return /\p{L}{2}/u.test(rest.replaceAll(/<[^<>]*>/g, '')) ? { text: rest.trimStart(), aside: false } : null;
}

/** Where each tag is closed for the last time. */
function tagEnds(text: string): Map<string, number> {
  const ends = new Map<string, number>();
  for (const { 1: tag = '', index } of text.matchAll(/<\/([a-z][\w-]{1,60})>/gi))
    ends.set(tag.toLowerCase(), index);
  return ends;
}

interface Block {
  readonly lines: readonly string[];
  readonly under: string | undefined;
  readonly box: Sentence['box'];
  readonly pasted: boolean;
}

type Parting = (lines: readonly string[]) => Parted;

/** Lines with marks that could make them anything but a part of a paragraph. */
const marked = /^(?:[^\S\n]|[`~<>#*•–\d[/-])/m;

/** Where no line has a mark: paragraphs with empty lines between them. */
function paragraphs(text: string, part: Parting): Block[] {
  const found: Block[] = [];
  for (const paragraph of text.slice(0, textCharsMax).split('\n\n')) {
    const lines = paragraph.split('\n').filter((line) => line !== '');
    for (const one of atLabels(lines)) {
      const { typed, pasted } = part(one);
      const under = labelOver(one);
      if (typed.length > 0) found.push({ lines: typed, under, box: undefined, pasted: false });
      if (pasted.length > 0) found.push({ lines: pasted, under, box: undefined, pasted: true });
    }
  }
  return found;
}

function atLabels(lines: readonly string[]): string[][] {
  const parts: string[][] = [];
  for (const line of lines) {
    const last = parts.at(-1);
    if (last === undefined || label.test(line)) parts.push([line]);
    else last.push(line);
  }
  return parts;
}

/** The label of a list that is set as a paragraph: "Out of scope: GraphQL; the old pages". */
function labelOver([first = '']: readonly string[]): string | undefined {
  const found = label.exec(first);
  const isAlone = found !== null && /^[\s*]*$/.test(first.slice(found[0].length));
  return found?.[1] !== undefined && !isAlone && listing.test(found[1]) ? found[1] : undefined;
}

function* blocks(text: string, part: Parting): Generator<Block> {
  let lines: string[] = [];
  let aside: string[] = [];
  let section: string | undefined;
  let lead: string | undefined;
  let inList = false;
  let box: Sentence['box'];
  const ended = (): Block[] => {
    const under = inList ? (lead ?? section) : (labelOver(lines) ?? section);
    const { typed, pasted } = part(lines);
    const found = [
      { lines: typed, under, box, pasted: false },
      { lines: pasted, under, box: undefined, pasted: true },
      { lines: aside, under, box: undefined, pasted: true },
    ];
    [lines, aside, box] = [[], [], undefined];
    return found.filter((block) => block.lines.length > 0);
  };
  const all = [...keptLines(text)];
  for (const [i, kept] of all.entries()) {
    if (kept?.aside === true) {
      if (lines.length > 0) yield* ended();
      if (kept.text.trim() !== '') aside.push(kept.text);
      continue;
    }
    const line = kept?.text ?? '';
    const blank = line.trim() === '';
    const isTitle = !blank && !(line.startsWith('# ') && (isCodeAt(all[i - 1]) || isCodeAt(all[i + 1])));
    const title = isTitle ? (heading.exec(line)?.[1] ?? boldHeading.exec(line)?.[1]) : undefined;
    const item = blank || title !== undefined ? null : bullet.exec(line);
    if (blank || title !== undefined || item !== null) {
      // A paragraph either stands over the list that follows, or ends what an earlier one stood over.
      if (!inList && lines.length > 0) lead = isLead(lines) ? lastSentence(lines.join(' ')) : undefined;
      yield* ended();
      if (title !== undefined) [section, lead, inList] = [title, undefined, false];
      else if (item !== null) {
        inList = true;
        lines = [line.slice(item[0].length)];
        box = boxOf(item[0]);
      }
      continue;
    }
    if (aside.length > 0) yield* ended();
    if (lines.length > 0 && label.test(line)) {
      yield* ended();
      [inList, lead] = [false, undefined];
    }
    // A line that is not indented after a blank one begins a paragraph of its own.
    if (inList && lines.length === 0 && !/^\s/.test(line)) [inList, lead] = [false, undefined];
    lines.push(line);
  }
  yield* ended();
}

/** Ends with a colon, or is as short as a heading and not a sentence. */
function isLead(lines: readonly string[]): boolean {
  const last = lines.at(-1) ?? '';
  if (/:\s*\**$/.test(last)) return true;
  return lines.length === 1 && titleLike.test(last);
}

const titleLike = /^\s*(?:\p{L}[\p{L}'’/-]*)(?: [\p{L}'’/()-]+){0,4}\s*$/u;

function boxOf(mark: string): Sentence['box'] {
  if (/\[x\]/i.test(mark)) return 'ticked';
  return mark.includes('[ ]') ? 'open' : undefined;
}

function isCodeAt(line: Line | null | undefined): boolean {
  return line !== null && line !== undefined && (line.aside || isCode(line.text));
}

function lastSentence(text: string): string {
  return sentencesOf(text).at(-1) ?? text;
}

const abbreviation =
  /(?:^|[\s(])(?:e\.g|i\.e|etc|vs|cf|approx|no|nr|dr|mr|mrs|ms|st|fig|incl|resp|[A-Za-z])\.$/i;
const stop = /[.!?]+["'”’)\]]*(?=\s)|;(?=\s)|[。！？]/g;

/** A question that does not ask ("A mutex? Forget it.") goes with what is said to it, and so does one that is answered at once. */
const asking =
  /^\s*(?:(?:and|but|so|ok(?:ay)?|also|then|or|hm+|well|sorry|please|hey|now)[,:]?\s+)*(?:what|why|how|who|whom|whose|when|where|which|is|are|am|was|were|do|does|did|can|could|would|will|shall|should|may|might|must|have|has|had|any|isn|aren|don|doesn|didn|won|can['’]t|you|we|it|i)\b/i;

/** A paragraph cut at its ends of sentences. */
export function sentencesOf(paragraph: string): string[] {
  const text = (/\s\s|[^\S ]/.test(paragraph) ? paragraph.replace(/\s+/g, ' ') : paragraph).trim();
  const found: string[] = [];
  const code = codeSpans(text);
  let inside = 0;
  let from = 0;
  stop.lastIndex = 0;
  for (let stopped = stop.exec(text); stopped !== null; stopped = stop.exec(text)) {
    const { 0: mark, index } = stopped;
    const end = index + mark.length;
    while ((code[inside]?.[1] ?? Number.POSITIVE_INFINITY) <= index) inside += 1;
    // A stop inside of code ends no sentence.
    if ((code[inside]?.[0] ?? Number.POSITIVE_INFINITY) < index) continue;
    if (mark === '.' && abbreviation.test(text.slice(Math.max(0, end - 8), end))) continue;
    const before = text.slice(Math.max(from, index - clauseChars), index);
    if (mark === ';' && (wordsIn(before) < 3 || wordsIn(text.slice(end, end + clauseChars)) < 3)) continue;
    if (mark.startsWith('?') && /^\s+because\b/i.test(text.slice(end, end + 12))) continue;
    if (mark.startsWith('?') && !asking.test(text.slice(from, from + 24))) continue;
    addPieces(found, text.slice(from, mark === ';' ? index : end).trim());
    from = end;
  }
  addPieces(found, text.slice(from).trim());
  return found;
}

function addPieces(found: string[], sentence: string): void {
  if (sentence.length > sentenceCharsMax) found.push(...piecesOf(sentence));
  else if (sentence !== '') found.push(sentence);
}

/** What has no end for long is cut where a word ends. */
function piecesOf(sentence: string): string[] {
  if (sentence.length <= sentenceCharsMax) return [sentence];
  const pieces: string[] = [];
  let rest = sentence;
  while (rest.length > sentenceCharsMax && pieces.length < piecesMax) {
    const whole = cut(rest, sentenceCharsMax);
    const blank = whole.lastIndexOf(' ');
    const piece = blank > sentenceCharsMax / 2 ? whole.slice(0, blank) : whole;
    pieces.push(`${piece}…`);
    rest = rest.slice(piece.length).trim();
  }
  return rest === '' || pieces.length === piecesMax ? pieces : [...pieces, rest];
}

/** Where code in backticks stands; a backtick alone is a slip of the hand. */
function codeSpans(text: string): (readonly [from: number, to: number])[] {
  if (!text.includes('`')) return [];
  return [...text.matchAll(/`[^`]{1,300}`/g)].map(({ 0: span, index }) => [index, index + span.length]);
}

function wordsIn(text: string): number {
  return text.split(' ').filter((word) => /\p{L}/u.test(word)).length;
}

/** What was typed, without what was pasted. */
export function sentencesIn(text: string): Sentence[] {
  return cutUp(text, partPasted).filter(({ pasted }) => pasted === undefined);
}

/** Everything in a message of a user: what was pasted is marked, and is never all that somebody typed. */
export function messageIn(message: string): Sentence[] {
  const text = wordsOf(message.startsWith(editorContext) ? message.slice(requestAt(message)) : message);
  const sentences = cutUp(text, partPasted);
  if (sentences.some(({ pasted }) => pasted === undefined)) return sentences;
  const isLine = text.trim().length < textCharsMax && !text.trim().includes('\n') && !isOutput(text);
  return cutUp(text, isLine ? asTyped : (lines) => partPasted(lines, { surely: true }));
}

/** Without a command to the program, and without the sign of what is to be remembered. */
function wordsOf(message: string): string {
  if (/^\s*[/!]/.test(message)) return withoutCommand(message);
  if (!/^\s*#/.test(message)) return message;
  const lines = message.trim().split('\n');
  return lines.every((line) => /^#\s+\S/.test(line))
    ? lines.map((line) => line.slice(1).trim()).join('\n\n')
    : message;
}

/** What an editor puts before the words of the user, and the heading that it puts over them. */
const editorContext = '# Context from my IDE setup:';
const request = /^## My request for Codex:\s*$/m;

function requestAt(text: string): number {
  const found = request.exec(text);
  return found === null ? 0 : found.index + found[0].length;
}

const asTyped: Parting = (lines) => ({ typed: lines, pasted: [] });

function cutUp(text: string, part: Parting): Sentence[] {
  const found: Sentence[] = [];
  let pastes = 0;
  for (const { lines, under, box, pasted } of marked.test(text)
    ? blocks(text, part)
    : paragraphs(text, part)) {
    const joined = lines.join(' ');
    for (const sentence of pasted ? piecesOf(joined.replace(/\s+/g, ' ').trim()) : sentencesOf(joined)) {
      if (pasted && (pastes += 1) > pastedMax) break;
      if (under === undefined && box === undefined && !pasted) found.push({ text: sentence });
      else
        found.push({
          text: sentence,
          ...(under === undefined ? {} : { under }),
          ...(box === undefined ? {} : { box }),
          ...(pasted ? { pasted } : {}),
        });
      if (found.length >= sentencesMax) return found;
    }
  }
  return found;
}

/**
 * The sentence with what it only mentions blanked out: code in backticks, and quotations of more than two words. A rule that
 * somebody quotes is not a rule that they set.
 */
export function ownWords(sentence: string): string {
  if (!/[`"“']/.test(sentence)) return sentence;
  return sentence
    .replace(/`[^`]*`/g, ' … ')
    .replace(/["“]([^"“”]{1,400})["”]/g, (whole, inner: string) => (wordsIn(inner) > 2 ? ' … ' : whole))
    .replace(/(?<![\p{L}\p{N}])'([^']{8,400})'(?![\p{L}\p{N}])/gu, (whole, inner: string) =>
      wordsIn(inner) > 2 ? ' … ' : whole,
    );
}
