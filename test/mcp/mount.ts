/** The handler behind a plain server on loopback, as a mount of it would be: Host and Origin are checked before anything else. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { hostHeaderValidationResponse, originValidationResponse } from '@modelcontextprotocol/server';
import type { McpHandler } from '../../src/mcp/index.ts';

export interface Mount extends AsyncDisposable {
  readonly url: string;
}

const localhost = ['localhost', '127.0.0.1', '[::1]'];

export async function mounted(handler: McpHandler): Promise<Mount> {
  const server = createServer((incoming, outgoing) => void answered(handler, incoming, outgoing));
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
}

async function answered(
  handler: McpHandler,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const request = requestOf(incoming);
  const response =
    hostHeaderValidationResponse(request, localhost) ??
    originValidationResponse(request, localhost) ??
    (await handler(request));
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  if (response.body === null) outgoing.end();
  else Readable.fromWeb(response.body).pipe(outgoing);
}

function requestOf(incoming: IncomingMessage): Request {
  const headers = Object.entries(incoming.headers).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, String(value)]],
  );
  const method = incoming.method ?? 'GET';
  const body =
    method === 'GET' || method === 'HEAD' ? {} : { body: Readable.toWeb(incoming), duplex: 'half' };
  return new Request(`http://127.0.0.1${incoming.url ?? '/'}`, { method, headers, ...body } as RequestInit);
}
