/**
 * The strings of a line of JSON: of a record of a JSONL file, and just as well of one line of a document printed over many, since no
 * JSON string goes over a line's end. `undefined` if the line is something else. A leading + or - of a diff does no harm.
 *
 * What lies between strings is checked by its characters only; that is enough to know which quotes open and which close.
 */
export interface JsonString {
  /** Of the content, without the quotes. */
  readonly start: number;
  readonly end: number;
  readonly escaped: boolean;
  /** A colon follows: it names the value after it. */
  readonly isKey: boolean;
}

const between = /[ \t\r{}[\],:0-9.eE+\-truefalsn]*/y;
const colon = /[ \t\r]*:/y;

export function jsonStrings(line: string): readonly JsonString[] | undefined {
  const strings: JsonString[] = [];
  let at = 0;
  let backslash = nextBackslash(line, 0);
  for (;;) {
    between.lastIndex = at;
    between.exec(line);
    at = between.lastIndex;
    if (at >= line.length) return strings.length === 0 ? undefined : strings;
    if (line.charAt(at) !== '"') return undefined;
    const start = at + 1;
    const end = closingQuote(line, start);
    if (end === -1) return undefined;
    if (backslash < start) backslash = nextBackslash(line, start);
    colon.lastIndex = end + 1;
    strings.push({ start, end, escaped: backslash < end, isKey: colon.test(line) });
    at = end + 1;
  }
}

function nextBackslash(line: string, from: number): number {
  const at = line.indexOf('\\', from);
  return at === -1 ? line.length : at;
}

function closingQuote(line: string, from: number): number {
  for (let at = line.indexOf('"', from); at !== -1; at = line.indexOf('"', at + 1)) {
    let backslashes = 0;
    while (at - backslashes > from && line.charAt(at - backslashes - 1) === '\\') backslashes++;
    if (backslashes % 2 === 0) return at;
  }
  return -1;
}
