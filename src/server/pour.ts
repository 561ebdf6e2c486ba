/**
 * A streamed answer on a connection, written by ourselves. `@hono/node-server` (2.1.6) makes the promise of each piece wait for
 * that of the next, so that none of them is free before the stream ends: 96 bytes a piece for as long as somebody listens.
 *
 * The next piece is asked for when the connection has taken the last one. A client that takes nothing for `stalledMs` while
 * something waits for it is cut off; how much it takes, the socket knows, so that a large piece on a slow line is no stall.
 */
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';

/** Why a stream was cancelled; without it the client left. */
export const stalled = Symbol('stalled');

const encoding = 'Transfer-Encoding';

/** An answer whose length nobody knows before its end. */
export function streamed(
  body: ReadableStream<Uint8Array>,
  headers: Readonly<Record<string, string>>,
): Response {
  return new Response(body, { headers: { ...headers, [encoding]: 'chunked' } });
}

export function isStreamed(answer: Response): boolean {
  return answer.body !== null && answer.headers.has(encoding);
}

export async function pour(answer: Response, outgoing: ServerResponse, stalledMs: number): Promise<void> {
  const reader = (answer.body as ReadableStream<Uint8Array>).getReader();
  let why: symbol | undefined;
  const gone = (): void => void reader.cancel(why).catch(() => {});
  const stall = (): void => {
    why = stalled;
    outgoing.destroy();
  };
  if (outgoing.destroyed) {
    gone();
    return;
  }
  outgoing.once('close', gone);
  try {
    outgoing.writeHead(answer.status, headersOf(answer));
    outgoing.flushHeaders();
    for (;;) {
      const { done, value } = await reader.read();
      if (outgoing.destroyed) return;
      if (done) break;
      if (outgoing.write(value)) continue;
      outgoing.socket?.setTimeout(stalledMs, stall);
      await whenTaken(outgoing);
      outgoing.socket?.setTimeout(0, stall);
    }
    outgoing.end();
  } catch {
    // The head is sent: only an end without the last piece says that something is missing.
    outgoing.destroy();
  } finally {
    outgoing.off('close', gone);
    // Nothing happens to a stream that has ended.
    gone();
  }
}

/** Until the connection has taken what was written, or is no more. */
async function whenTaken(outgoing: ServerResponse): Promise<void> {
  if (outgoing.destroyed) return;
  await new Promise<void>((resolve) => {
    const done = (): void => {
      outgoing.off('drain', done);
      outgoing.off('close', done);
      resolve();
    };
    outgoing.on('drain', done);
    outgoing.on('close', done);
  });
}

/** Node cuts the pieces itself, and knows whom it must not send them to. */
function headersOf({ headers }: Response): OutgoingHttpHeaders {
  const sent: OutgoingHttpHeaders = {};
  for (const [name, value] of headers) if (name !== encoding.toLowerCase()) sent[name] = value;
  return sent;
}
