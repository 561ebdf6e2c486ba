/**
 * Takes secrets out of text before anything is hashed, stored, indexed or shown.
 *
 *   - The same key and input give the same output, and redacting an output changes nothing.
 *   - Lines are neither added nor removed, JSON stays JSON of the same structure, a diff keeps its form.
 *   - If anything goes wrong it throws: there is no output that was not searched to its end.
 *   - Nothing in the text can switch it off.
 */
import { StaffettaError } from '../base/error.ts';
import { utf8 } from '../base/utf8.ts';
import { looksBinary, Passage, passageLimits } from './scan/passage.ts';
import { fingerprintWith, keyBytesMin } from './placeholder.ts';
import { finderOf, noteTakenOf, valuesIn } from './learned.ts';
import { combined, noRedactions, type Redactions } from './redactions.ts';
import { anchored } from './rules.ts';
import { createScan, type Scan } from './scan/scan.ts';

export interface RedactorOptions {
  /** The store's own key for fingerprints, 16 bytes or more. */
  readonly key: Uint8Array;
  /** Values to replace wherever they stand: see `secretValuesOf`. Short or ordinary ones are passed over. */
  readonly values?: readonly string[];
}

export interface Redacted<T> {
  readonly value: T;
  readonly redactions: Redactions;
}

export interface Redactor {
  text(text: string): Promise<Redacted<string>>;
  /** What is recognised in one place of them is taken out of all. Answers the same array if there was nothing to replace. */
  bytes(bytes: Uint8Array): Promise<Redacted<Uint8Array>>;
  /** Every string of a JSON value, names included. */
  json<T>(value: T): Promise<Redacted<T>>;
  /**
   * For what does not fit into memory. The account is complete when the output has been read to its end; what was recognised is
   * taken out of the rest by a second search that knows it.
   */
  stream(source: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): RedactedStream;
  /** The same, which knows these values as well. */
  knowing(values: readonly string[]): Redactor;
}

export interface RedactedStream extends AsyncIterable<Uint8Array> {
  redactions(): Redactions;
}

export function createRedactor({ key, values = [] }: RedactorOptions): Redactor {
  if (key.length < keyBytesMin)
    throw new StaffettaError('invalid-input', `A redaction key has ${keyBytesMin} bytes or more.`);
  const scan = createScan(anchored(values));
  const fingerprint = fingerprintWith(key);
  const knowing = (more: readonly string[]): Redactor =>
    createRedactor({ key, values: [...values, ...more] });
  const searched = (input: Uint8Array, isText: boolean, by = scan): Redacted<Uint8Array> => {
    if (isClean(input, isText, by)) return { value: input, redactions: noRedactions };
    const passage = new Passage(by, fingerprint, { isText });
    const output = [...passage.push(input), ...passage.end()];
    const redactions = passage.redactions();
    return { value: redactions.findings.length === 0 ? input : Buffer.concat(output), redactions };
  };
  const whole = (input: Uint8Array, isText: boolean): Redacted<Uint8Array> => {
    const first = searched(input, isText);
    const learned = valuesIn([first.redactions]);
    if (learned.length === 0 || !finderOf(learned)(first.value)) return first;
    const second = searched(first.value, isText, createScan(anchored(learned, 'values')));
    const redactions = combined(first.redactions, second.redactions);
    noteTakenOf(redactions, first.redactions);
    return { value: second.value, redactions };
  };
  const text = async (input: string): Promise<Redacted<string>> => {
    if (!input.isWellFormed())
      throw new StaffettaError(
        'invalid-input',
        'Text with half a surrogate pair cannot be searched for secrets.',
      );
    const { value, redactions } = whole(Buffer.from(input), true);
    return { value: redactions.findings.length === 0 ? input : utf8(value), redactions };
  };
  return {
    bytes: async (input) => whole(input, false),
    text,
    json: async <T>(input: T) => {
      const { value, redactions } = await text(JSON.stringify(input));
      return { value: redactions.findings.length === 0 ? input : (JSON.parse(value) as T), redactions };
    },
    stream: (source) => {
      const passage = new Passage(scan, fingerprint);
      return {
        [Symbol.asyncIterator]: () => passed(source, passage),
        redactions: () => passage.redactions(),
      };
    },
    knowing,
  };
}

/** Nearly always, and then what is short is looked at once and goes no further. */
function isClean(input: Uint8Array, isText: boolean, scan: Scan): boolean {
  if (input.length > passageLimits.pieceBytes || (!isText && looksBinary([input]))) return false;
  return scan(Buffer.from(input.buffer, input.byteOffset, input.length)).found.length === 0;
}

async function* passed(
  source: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  passage: Passage,
): AsyncGenerator<Uint8Array> {
  for await (const piece of source) yield* passage.push(piece);
  yield* passage.end();
}
