/** A streamed answer on a real connection. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { pour, stalled, streamed } from '../../src/server/pour.ts';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

/** A connection to a server that pours this, before anything was read from it. */
async function asked(body: ReadableStream<Uint8Array>, stalledMs: number): Promise<Socket> {
  const server = createServer((_, outgoing) => void pour(streamed(body, {}), outgoing, stalledMs));
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.pause();
  socket.on('error', () => {});
  socket.write('GET / HTTP/1.1\r\nHost: here\r\n\r\n');
  return socket;
}

interface Endless {
  readonly body: ReadableStream<Uint8Array>;
  /** Why it was cancelled. */
  readonly cancelled: Promise<unknown>;
  made: number;
}

function endless(): Endless {
  const { promise, resolve } = Promise.withResolvers<unknown>();
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        stream.made += 1;
        controller.enqueue(Buffer.alloc(16_384, 'x'));
      },
      cancel: resolve,
    },
    { highWaterMark: 0 },
  );
  const stream: Endless = { body, cancelled: promise, made: 0 };
  return stream;
}

async function textOf(socket: Socket): Promise<string> {
  let text = '';
  socket.on('data', (piece) => (text += piece.toString()));
  socket.resume();
  await once(socket, 'close');
  return text;
}

async function* broken(): AsyncGenerator<Uint8Array> {
  yield Buffer.from('a');
  throw new Error('the disk is gone');
}

describe('a streamed answer', () => {
  test('a client that takes nothing is cut off, and little is made for it', async () => {
    const stream = endless();
    const socket = await asked(stream.body, 100);
    expect(await stream.cancelled).toBe(stalled);
    // What a system keeps for a connection is some megabytes; this is endless.
    expect(stream.made).toBeLessThan(4096);
    socket.destroy();
  });

  test('a client that leaves is noticed, while it waits and while it reads', async () => {
    const stream = endless();
    const socket = await asked(stream.body, 600_000);
    socket.once('data', () => socket.destroy());
    socket.resume();
    expect(await stream.cancelled).toBeUndefined();

    const { promise, resolve } = Promise.withResolvers<unknown>();
    const silent = new ReadableStream<Uint8Array>({ cancel: resolve });
    const waiting = await asked(silent, 600_000);
    waiting.once('data', () => waiting.destroy());
    waiting.resume();
    expect(await promise).toBeUndefined();
  });

  test('it has an end, and one that fails has none', async () => {
    const whole = ReadableStream.from([Buffer.from('a'), Buffer.from('b')]);
    const socket = await asked(whole, 600_000);
    socket.once('data', () => socket.end());
    expect(await textOf(socket)).toMatch(/\r\n\r\n1\r\na\r\n1\r\nb\r\n0\r\n\r\n$/);

    const cut = await asked(ReadableStream.from(broken()), 600_000);
    const text = await textOf(cut);
    expect(text).toMatch(/^HTTP\/1\.1 200 /);
    expect(text).not.toContain('\r\n0\r\n');
    expect(text).not.toContain('disk');
  });
});
