/** Lines of a stream, each as long as it may be. One that is longer is passed over, in bounded memory, and told. */
import { StringDecoder } from 'node:string_decoder';

export interface LineBounds {
  readonly bytesMax: number;
  /** Called once for each line that was passed over. */
  readonly tooLong: () => void;
}

export async function* boundedLines(
  stream: AsyncIterable<Buffer>,
  { bytesMax, tooLong }: LineBounds,
): AsyncGenerator<string> {
  let parts: Buffer[] = [];
  let bytes = 0;
  let isPassed = false;
  const take = (part: Buffer): void => {
    bytes += part.length;
    if (isPassed) return;
    if (bytes <= bytesMax) {
      parts.push(part);
      return;
    }
    parts = [];
    isPassed = true;
    tooLong();
  };
  const line = (): string | undefined => {
    const text = isPassed ? undefined : new StringDecoder('utf8').end(Buffer.concat(parts));
    parts = [];
    bytes = 0;
    isPassed = false;
    return text;
  };
  for await (const chunk of stream) {
    let from = 0;
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, from)) {
      take(chunk.subarray(from, end));
      from = end + 1;
      const text = line();
      if (text !== undefined && text.trim() !== '') yield text;
    }
    if (from < chunk.length) take(chunk.subarray(from));
  }
  // What a program that was killed did not finish is no line.
}

/** What a line of JSON holds; undefined where it is none. */
export function objectIn(line: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Readonly<Record<string, unknown>>)
      : undefined;
  } catch {
    return undefined;
  }
}
