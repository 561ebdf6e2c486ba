/**
 * A document of JSON whose conversation is a list of messages, taken apart as it is read: no more is held than a piece of the file, and the
 * message that is being read. A record is a member of that list as the program wrote it, without the blanks between its tokens.
 *
 * What stands before the list is small, and is given as it is: with `[]` and a brace behind it, it is a document again.
 */
import { capturedLineMax } from '../capture-lines.ts';

const headMax = 64 * 1024;
const quote = 34;
const backslash = 92;
const openers: ReadonlySet<number> = new Set(Buffer.from('[{'));
const closers: ReadonlySet<number> = new Set(Buffer.from(']}'));
const comma = 44;
const openBracket = 91;
const listName = /"messages"\s*:\s*$/;

export class DocumentMembers {
  /** Of messages that were larger than a record may be. */
  tooLarge = 0;
  #head: string | null = null;
  #before: Buffer[] = [];
  #beforeBytes = 0;
  /** Of brackets that are open within the list. */
  #depth = 0;
  #state: 'before' | 'in' | 'after' | 'none' = 'before';
  #isText = false;
  #isEscaped = false;
  #pieces: Buffer[] = [];
  #bytes = 0;

  /** All before the list, where it was found; null until then. */
  get head(): string | null {
    return this.#head;
  }

  /** The list was read to its end. */
  get isWhole(): boolean {
    return this.#state === 'after';
  }

  *take(chunk: Buffer): Generator<Uint8Array> {
    let from = 0;
    if (this.#state === 'before') from = this.#findList(chunk);
    if (this.#state !== 'in') return;
    let kept = from;
    for (let at = from; at < chunk.length; at += 1) {
      const byte = chunk[at] ?? 0;
      if (this.#isText) {
        if (this.#isEscaped) this.#isEscaped = false;
        else if (byte === backslash) this.#isEscaped = true;
        else if (byte === quote) this.#isText = false;
        continue;
      }
      if (byte === quote) this.#isText = true;
      else if (openers.has(byte)) this.#depth += 1;
      else if (closers.has(byte)) {
        this.#depth -= 1;
        if (this.#depth < 0) {
          this.#keep(chunk.subarray(kept, at));
          this.#state = 'after';
          yield* this.#member();
          return;
        }
      } else if (byte === comma && this.#depth === 0) {
        this.#keep(chunk.subarray(kept, at));
        kept = at + 1;
        yield* this.#member();
      } else if (byte <= 32) {
        this.#keep(chunk.subarray(kept, at));
        kept = at + 1;
      }
    }
    this.#keep(chunk.subarray(kept));
  }

  /** Where the list begins in this piece. */
  #findList(chunk: Buffer): number {
    this.#before.push(Buffer.from(chunk.subarray(0, headMax - this.#beforeBytes)));
    const known = this.#beforeBytes;
    this.#beforeBytes = Math.min(headMax, known + chunk.length);
    const before = Buffer.concat(this.#before);
    const begin = listBegin(before);
    if (begin === null) {
      if (this.#beforeBytes >= headMax) this.#state = 'none';
      return chunk.length;
    }
    this.#head = before.subarray(0, begin).toString('utf8');
    this.#before = [];
    this.#state = 'in';
    return begin + 1 - known;
  }

  #keep(piece: Buffer): void {
    if (piece.length === 0) return;
    this.#bytes += piece.length;
    if (this.#bytes > capturedLineMax) this.#pieces = [];
    // The buffer is used again.
    else this.#pieces.push(Buffer.from(piece));
  }

  *#member(): Generator<Uint8Array> {
    const [bytes, pieces] = [this.#bytes, this.#pieces];
    this.#bytes = 0;
    this.#pieces = [];
    if (bytes > capturedLineMax) this.tooLarge += 1;
    else if (bytes > 0) yield Buffer.concat(pieces);
  }
}

/** The bracket of the list, at the first level of the document; null where it is not there yet. */
function listBegin(bytes: Buffer): number | null {
  let depth = 0;
  let isText = false;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    if (isText) {
      if (byte === backslash) at += 1;
      else if (byte === quote) isText = false;
    } else if (byte === quote) isText = true;
    else if (byte === openBracket && depth === 1 && listName.test(bytes.subarray(0, at).toString('latin1')))
      return at;
    else if (openers.has(byte)) depth += 1;
    else if (closers.has(byte)) depth -= 1;
  }
  return null;
}
