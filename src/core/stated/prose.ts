/**
 * What somebody wrote in sentences, and nothing that they pasted. Taken out are, in this order:
 *
 *   fenced code                 from ``` or ~~~ to the same again, or to the end
 *   blocks in tags              `<name …>` that opens a line, up to `</name>`: context that programs put in
 *   quotations                  lines that begin with >
 *   logs, diffs, tables, code   a line that looks like one, see `looksPasted`; and the whole paragraph where two lines do, or half of them
 *   lines over 2,000 characters nobody types those
 *
 * The rest is cut into sentences. An item of a list is cut like a paragraph, and keeps the heading or the line with a colon that stands
 * over its list. Sentences end at . ! ? before a blank, at a semicolon between two clauses, and at the end of a paragraph.
 * Text is kept as it was written, but for line ends and runs of blanks, which become one blank.
 */
import { cut } from '../text.ts';

export interface Sentence {
  readonly text: string;
  /** The line that stands over the list or the section it belongs to. */
  readonly under?: string;
}

const textCharsMax = 256 * 1024;
const lineCharsMax = 2000;
const sentenceCharsMax = 1000;
const sentencesMax = 2000;
const clauseChars = 60;

const fence = /^ {0,3}(`{3,}|~{3,})/;
const opening = /^\s{0,3}<([a-z][\w-]{1,60})(?:\s[^<>]{0,200})?>/i;
const bullet = /^\s{0,12}(?:[-*•–]|\d{1,3}[.)]|\[[ x]\])\s+(?=\S)(?:\[[ x]\]\s+)?/i;
const heading = /^ {0,3}#{1,6}\s+(\S.*?)\s*#*$/;
const boldHeading = /^\s*\*\*([^*]{2,80}?):?\*\*:?\s*$/;

const pasted =
  /^\s*(?:at\s.{1,200}\(|at\s\S+:\d+|Traceback|File ".+", line \d|\S+(?:Error|Exception)\b(?::|$)|npm (?:ERR|WARN|error|warn)|[$%#>❯]\s|[+-]{3}\s|@@ |[{}[\]()]+[,;]?\s*$|[{[]\s*"|"[^"]{1,80}"\s*:|[|+][-=|+ ]|\|.*\|\s*$|import\s.+from\s|(?:const|let|var|function|class|return|export|public|private|if|for|while)\s.*[{;(=]\s*$|def\s.*:\s*$|<\/?[a-z]+[^>]*>|\/\/|\/\*|\* |#include|✓|✗|✔|×|PASS\b|FAIL\b|ok \d|not ok \d|E\s{2,}|warning:|error(?:\[\w+\])?:|fatal:|remote:)/;
const stamped =
  /^\s*\[?(?:\d{4}-\d\d-\d\d|\d\d:\d\d:\d\d|\d\d\/\d\d\/\d{2,4}|\w{3} [ \d]\d \d\d:\d\d)|\b(?:ERROR|WARN(?:ING)?|INFO|DEBUG|TRACE|FATAL|NOTICE|CRITICAL)\b\]?[:\s]|^\s*\S+\.\w{1,5}:\d+(?::\d+)?[:\s]|^\s*\d+\s*[|:│]\s|\blevel=|^\s*[a-z][\w.-]{0,30}\[\d+\]:|^\s*[a-z][\w-]{1,30}\s*\|\s/;

/** Lines without any of these are words. Most lines are, and need no further look. */
const suspect = /[{}[\]()|=<>$@#%;:"+/*\d✓✗✔×❯]|[A-Z]{4}/;

/** One line of a log, a trace, a diff, a table or code. */
export function looksPasted(line: string): boolean {
  if (line.length > lineCharsMax) return true;
  if (!suspect.test(line)) return false;
  if (pasted.test(line) || stamped.test(line)) return true;
  if (line.length < 24) return /[;{}]\s*$/.test(line);
  let letters = 0;
  for (let i = 0; i < line.length; i += 1) {
    const code = line.charCodeAt(i) | 32;
    if ((code >= 97 && code <= 122) || code === 32 || code > 127) letters += 1;
  }
  return letters < line.length * 0.7;
}

/** Without fenced code, tags and quotations; null stands for what was taken out. */
function* keptLines(text: string): Generator<string | null> {
  const given = text.slice(0, textCharsMax);
  let closing: RegExp | null = null;
  let ends: ReadonlyMap<string, number> | undefined;
  let at = 0;
  for (const line of given.split('\n')) {
    at += line.length + 1;
    if (closing !== null) {
      if (closing.test(line)) closing = null;
      continue;
    }
    const mark = fence.exec(line)?.[1];
    if (mark !== undefined) {
      closing = new RegExp(`^ {0,3}${mark.charAt(0)}{${mark.length},}\\s*$`);
      yield null;
      continue;
    }
    const tag = line.includes('<') ? opening.exec(line)?.[1] : undefined;
    if (tag !== undefined) {
      const end = new RegExp(`</${tag}>`, 'i');
      ends ??= tagEnds(given);
      if (!end.test(line) && (ends.get(tag.toLowerCase()) ?? 0) >= at) closing = end;
      yield null;
      continue;
    }
    yield /^\s{0,3}>/.test(line) ? null : line;
  }
}

/** Where each tag is closed for the last time. */
function tagEnds(text: string): Map<string, number> {
  const ends = new Map<string, number>();
  for (const { 1: tag = '', index } of text.matchAll(/<\/([a-z][\w-]{1,60})>/gi))
    ends.set(tag.toLowerCase(), index);
  return ends;
}

interface Block {
  readonly lines: string[];
  readonly under: string | undefined;
}

function* blocks(text: string): Generator<Block> {
  let lines: string[] = [];
  let section: string | undefined;
  let lead: string | undefined;
  let inList = false;
  const ended = (): Block[] => {
    const block = { lines: typed(lines), under: inList ? (lead ?? section) : section };
    lines = [];
    return block.lines.length === 0 ? [] : [block];
  };
  for (const line of keptLines(text)) {
    const blank = line === null || line.trim() === '';
    const title = blank ? undefined : (heading.exec(line)?.[1] ?? boldHeading.exec(line)?.[1]);
    const item = blank || title !== undefined ? null : bullet.exec(line);
    if (blank || title !== undefined || item !== null) {
      const isLead = !inList && /:\s*\**$/.test(lines.at(-1) ?? '');
      if (isLead) lead = lastSentence(lines.join(' '));
      yield* ended();
      if (title !== undefined) [section, lead, inList] = [title, undefined, false];
      else if (item !== null) {
        inList = true;
        lines = [line?.slice(item[0].length) ?? ''];
      }
      continue;
    }
    // A line that is not indented after a blank one begins a paragraph of its own.
    if (inList && lines.length === 0 && !/^\s/.test(line)) [inList, lead] = [false, undefined];
    lines.push(line);
  }
  yield* ended();
}

/** What is left of a paragraph when what was pasted is taken out. */
function typed(lines: readonly string[]): string[] {
  const kept = lines.filter((line) => !looksPasted(line));
  const out = lines.length - kept.length;
  return out >= 2 || out * 2 >= lines.length ? (out === 0 ? kept : []) : kept;
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
  const text = paragraph.replace(/\s+/g, ' ').trim();
  const found: string[] = [];
  const code = codeSpans(text);
  let inside = 0;
  let from = 0;
  for (const { 0: mark, index } of text.matchAll(stop)) {
    const end = index + mark.length;
    while ((code[inside]?.[1] ?? Number.POSITIVE_INFINITY) <= index) inside += 1;
    // A stop inside of code ends no sentence.
    if ((code[inside]?.[0] ?? Number.POSITIVE_INFINITY) < index) continue;
    if (mark === '.' && abbreviation.test(text.slice(Math.max(0, end - 8), end))) continue;
    const before = text.slice(Math.max(from, index - clauseChars), index);
    if (mark === ';' && (wordsIn(before) < 3 || wordsIn(text.slice(end, end + clauseChars)) < 3)) continue;
    if (mark.startsWith('?') && /^\s+because\b/i.test(text.slice(end, end + 12))) continue;
    if (mark.startsWith('?') && !asking.test(text.slice(from, from + 24))) continue;
    found.push(text.slice(from, mark === ';' ? index : end).trim());
    from = end;
  }
  found.push(text.slice(from).trim());
  return found
    .filter((sentence) => sentence !== '' && sentence.length <= lineCharsMax)
    .map((sentence) =>
      sentence.length > sentenceCharsMax ? `${cut(sentence, sentenceCharsMax)}…` : sentence,
    );
}

/** Where code in backticks stands; a backtick alone is a slip of the hand. */
function codeSpans(text: string): (readonly [from: number, to: number])[] {
  if (!text.includes('`')) return [];
  return [...text.matchAll(/`[^`]{1,300}`/g)].map(({ 0: span, index }) => [index, index + span.length]);
}

function wordsIn(text: string): number {
  return text.split(' ').filter((word) => /\p{L}/u.test(word)).length;
}

export function sentencesIn(text: string): Sentence[] {
  const found: Sentence[] = [];
  for (const { lines, under } of blocks(text)) {
    for (const sentence of sentencesOf(lines.join(' '))) {
      found.push(under === undefined ? { text: sentence } : { text: sentence, under });
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
