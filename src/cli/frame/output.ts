import { fstatSync, writeSync } from 'node:fs';
import { sanitize, sanitizeLine } from '../../core/base/sanitize.ts';
import { timeWords } from './duration.ts';
import { jsonText } from './json-text.ts';
import { wrapSentences } from './width.ts';

/** Data goes to stdout, words to stderr. Everything foreign passes the sanitiser on its way to a terminal. */
export interface Output {
  readonly json: boolean;
  /** The answer: JSON if asked for, else the text. */
  data(value: unknown, text: () => string): void;
  /** A piece of an answer that is too long to hold; waits while the reader is behind. */
  piece(text: string | Uint8Array): Promise<void>;
  /** One more word for people; silent with --quiet or --json. */
  say(text: string, color?: keyof Paint): void;
  /** Colours for the answer. */
  readonly paint: Paint;
  /** Columns to fit tables into; infinite where stdout is no terminal. */
  readonly width: number;
  /** The same for words on stderr. */
  readonly wordsWidth: number;
  /** Rows of the terminal that words are shown in. */
  readonly wordsHeight: number;
  /** Somebody sees the lines that pass. */
  readonly watched: boolean;
  /** A line, or several, that the next ones are written over, for a user who watches; an empty one takes them away. */
  passing(text: string): void;
}

export interface Paint {
  readonly dim: (text: string) => string;
  readonly bold: (text: string) => string;
  readonly good: (text: string) => string;
  readonly warn: (text: string) => string;
  readonly bad: (text: string) => string;
}

/** What an answer needs of a stream. */
type Stream = Pick<NodeJS.WriteStream, 'isTTY' | 'columns' | 'rows' | 'write' | 'once'>;

/**
 * Node's own streams take a sixth of what Node needs to start. Where nobody watches, what is said is written at once; Node's own goes
 * on where that fails: the reader is behind, or gone.
 */
export function quickStream(fd: 1 | 2, own: () => NodeJS.WriteStream): Stream {
  let isQuick: boolean;
  try {
    isQuick = !fstatSync(fd).isCharacterDevice();
  } catch {
    isQuick = false;
  }
  return {
    get isTTY() {
      return isQuick ? false : own().isTTY;
    },
    get columns() {
      // Without a terminal there are none.
      return isQuick ? 0 : own().columns;
    },
    get rows() {
      return isQuick ? 0 : own().rows;
    },
    write(text: string | Uint8Array) {
      let rest: Uint8Array = Buffer.from(text);
      try {
        if (isQuick) while (rest.length > 0) rest = rest.subarray(writeSync(fd, rest));
      } catch {
        isQuick = false;
      }
      return rest.length === 0 || own().write(rest);
    },
    once: ((event: string, listener: () => void) => own().once(event, listener)) as Stream['once'],
  };
}

export function createOutput(
  streams: { readonly stdout: Stream; readonly stderr: Stream },
  options: { readonly json: boolean; readonly quiet: boolean; readonly env: NodeJS.ProcessEnv },
): Output {
  const { json, quiet, env } = options;
  const talks = !quiet && !json;
  /** Line ends in what passes now. */
  let below = 0;
  return {
    json,
    get width() {
      return columnsOf(env, streams.stdout.columns);
    },
    get wordsWidth() {
      return columnsOf(env, streams.stderr.columns);
    },
    get wordsHeight() {
      return streams.stderr.rows || rowsDefault;
    },
    get watched() {
      return talks && streams.stderr.isTTY && env['TERM'] !== 'dumb';
    },
    get paint() {
      return paintFor(wantsColor(env, streams.stdout.isTTY));
    },
    data(value, text) {
      const shown = json ? jsonText(value) : text();
      if (shown !== '') streams.stdout.write(shown.endsWith('\n') ? shown : `${shown}\n`);
    },
    async piece(text) {
      if (streams.stdout.write(text)) return;
      await new Promise<void>((resolve) => {
        streams.stdout.once('drain', resolve);
      });
    },
    say(text, color) {
      if (!talks) return;
      const safe = wrapSentences(sanitize(text), this.wordsWidth);
      const paint = color === undefined ? undefined : paintFor(wantsColor(env, streams.stderr.isTTY))[color];
      streams.stderr.write(`${paint === undefined ? safe : paint(safe)}\n`);
    },
    passing(text) {
      if (!this.watched) return;
      const clear = below === 0 ? '\r\u001b[K' : `\r\u001b[${below}A\u001b[J`;
      below = text.split('\n').length - 1;
      streams.stderr.write(`${clear}${text}`);
    },
  };
}

const rowsDefault = 24;

function paintFor(color: boolean): Paint {
  const wrap =
    (code: number, end: number) =>
    (text: string): string =>
      color && text !== '' ? `\u001b[${code}m${text}\u001b[${end}m` : text;
  return { dim: wrap(2, 22), bold: wrap(1, 22), good: wrap(32, 39), warn: wrap(33, 39), bad: wrap(31, 39) };
}

export function wantsColor(env: NodeJS.ProcessEnv, isTTY: boolean | undefined): boolean {
  if (env['NO_COLOR'] !== undefined && env['NO_COLOR'] !== '') return false;
  const forced = env['FORCE_COLOR'];
  if (forced !== undefined && forced !== '') return forced !== '0' && forced !== 'false';
  return isTTY === true && env['TERM'] !== 'dumb';
}

export function columnsOf(env: NodeJS.ProcessEnv, columns: number | undefined): number {
  const told = env['COLUMNS'];
  if (told !== undefined && /^[1-9]\d{0,4}$/.test(told)) return Number(told);
  return columns === undefined || columns === 0 ? Number.POSITIVE_INFINITY : columns;
}

/** Foreign text as an indented block. */
export function block(text: string, indent = '  '): string {
  return sanitize(text)
    .trimEnd()
    .split('\n')
    .map((line) => `${indent}${line}`.trimEnd())
    .join('\n');
}

export { sanitizeLine as line };

/** Digests, commits and times in a sentence: a beginning is enough, and what a clock here shows; the data has them whole. */
export function shortFigures(sentence: string): string {
  return sentence
    .replaceAll(/(?:sha256:)?\b([0-9a-f]{12})(?:[0-9a-f]{28}|[0-9a-f]{52})\b/g, '$1')
    .replaceAll(/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, (time) => timeWords(Date.parse(time)));
}
