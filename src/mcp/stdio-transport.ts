/**
 * Messages over standard input and output, a line of JSON each. Unlike the library's own transport it goes on after a line that it cannot
 * use: one that is too long is passed over in bounded memory, and the caller is told why, if the line says under which id.
 */
import { isUtf8 } from 'node:buffer';
import type { Readable, Writable } from 'node:stream';
import {
  deserializeMessage,
  serializeMessage,
  type JSONRPCMessage,
  type Transport,
} from '@modelcontextprotocol/server';

/** Long content goes by path: the largest honest call is a packet in words. */
const messageBytesMax = 8 * 1024 * 1024;
/** The id of a request stands at its beginning or at its end. */
const edgeBytes = 256;

const parseError = -32_700;
const invalidRequest = -32_600;

export interface Streams {
  readonly input: Readable;
  readonly output: Writable;
}

export class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #streams: Streams;
  #pieces: Buffer[] = [];
  #bytes = 0;
  #closed = false;

  constructor(streams: Streams) {
    this.#streams = streams;
  }

  async start(): Promise<void> {
    const { input, output } = this.#streams;
    const end = (): void => void this.close();
    input.on('data', (chunk: Buffer) => this.#take(chunk));
    input.once('end', end);
    input.once('close', end);
    input.once('error', end);
    output.once('error', end);
  }

  async send(message: JSONRPCMessage): Promise<void> {
    await this.#write(serializeMessage(message));
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#streams.input.pause();
    this.onclose?.();
  }

  async #write(line: string): Promise<void> {
    const { output } = this.#streams;
    if (this.#closed || output.destroyed) return;
    if (output.write(line)) return;
    await new Promise<void>((resolve) => {
      output.once('drain', resolve);
      output.once('close', resolve);
      output.once('error', () => resolve());
    });
  }

  #take(chunk: Buffer): void {
    let from = 0;
    for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, from)) {
      this.#keep(chunk.subarray(from, at));
      this.#line();
      from = at + 1;
    }
    this.#keep(chunk.subarray(from));
  }

  /** Of a line that is too long only its edges are kept. */
  #keep(piece: Buffer): void {
    if (piece.length === 0) return;
    this.#bytes += piece.length;
    this.#pieces.push(piece);
    if (this.#bytes <= messageBytesMax) return;
    const whole = Buffer.concat(this.#pieces);
    // A copy: a view would keep all of it in memory.
    this.#pieces = [Buffer.from(whole.subarray(0, edgeBytes)), Buffer.from(whole.subarray(-edgeBytes))];
  }

  #line(): void {
    const bytes = this.#bytes;
    const line =
      this.#pieces.length === 1 ? (this.#pieces[0] ?? Buffer.alloc(0)) : Buffer.concat(this.#pieces);
    this.#pieces = [];
    this.#bytes = 0;
    if (bytes > messageBytesMax)
      return this.#refuse(
        line,
        invalidRequest,
        `The message takes ${bytes} bytes; the limit is ${messageBytesMax}. Put long content into a file and name its path.`,
      );
    const text = line.toString('utf8').trim();
    if (text === '') return;
    if (!isUtf8(line)) return this.#refuse(line, parseError, 'The message is not UTF-8.');
    let message: JSONRPCMessage;
    try {
      message = deserializeMessage(text);
    } catch (error) {
      const isJson = !(error instanceof SyntaxError);
      return this.#refuse(
        line,
        isJson ? invalidRequest : parseError,
        isJson ? 'The message is not JSON-RPC 2.0.' : 'The message is not JSON.',
      );
    }
    this.onmessage?.(message);
  }

  #refuse(line: Buffer, code: number, message: string): void {
    this.onerror?.(new Error(message));
    const answer = { jsonrpc: '2.0', id: idIn(line.toString('latin1')), error: { code, message } };
    void this.#write(`${JSON.stringify(answer)}\n`);
  }
}

/** The id of a request whose line cannot be read: where clients write it, at the top level. */
function idIn(line: string): string | number | null {
  const id = String.raw`"id"\s*:\s*(\d{1,15}|"[\w-]{1,100}")`;
  const head = new RegExp(String.raw`^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?${id}`).exec(
    line.slice(0, edgeBytes),
  );
  const tail = new RegExp(String.raw`,\s*${id}\s*\}\s*$`).exec(line.slice(-edgeBytes));
  const found = head?.[1] ?? tail?.[1];
  return found === undefined ? null : (JSON.parse(found) as string | number);
}
