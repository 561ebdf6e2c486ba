/** The app on a socket. */
import type { Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { StaffettaError } from '../core/base/error.ts';
import { createApp, type App, type AppOptions } from './app.ts';
import { serverLimits } from './limits.ts';
import { isStreamed, pour } from './pour.ts';
import { loopbackHost } from './contract/verbs.ts';

export interface ListenOptions extends Omit<AppOptions, 'origins' | 'proxy'> {
  /** 0 for any that is free. */
  readonly port: number;
  readonly host?: string;
  /** Other addresses by which it is reached: those of a proxy. */
  readonly origins?: readonly string[];
  /** The header in which that proxy names the person whom it has signed in. */
  readonly userHeader?: string | undefined;
}

export interface Listening {
  readonly app: App;
  /** Where a browser finds it. */
  readonly url: string;
  readonly port: number;
  /** Takes nothing more, lets what is under way finish, and ends the streams. */
  readonly close: () => Promise<void>;
}

const loopbacks = new Set(['127.0.0.1', '::1', 'localhost']);
/** A request that is under way when the server stops has so long to finish. */
const finishMs = 5000;
const headersMs = 10_000;
const requestMs = 30_000;

export async function listen(options: ListenOptions): Promise<Listening> {
  const { port, host = loopbackHost, origins: given = [], userHeader, ...rest } = options;
  const others = given.map(originFrom);
  if (userHeader !== undefined) refuseBelieving(userHeader, host, others);
  if (!loopbacks.has(host) && others.length === 0)
    throw new StaffettaError(
      'invalid-input',
      `${host} can be reached from other machines: by which address?`,
      {
        hint: 'Put a proxy with TLS in front, and name its address: staffetta up --host ADDRESS --origin https://relay.example.org',
      },
    );
  let own: readonly string[] = [];
  const proxy = userHeader === undefined ? undefined : { header: userHeader, origins: others };
  const app = createApp({ ...rest, proxy, origins: () => [...own, ...others] });
  const { stalledMs } = { ...serverLimits, ...rest.limits };
  const server = createAdaptorServer({
    async fetch(request, env) {
      const answer = await app.fetch(request, env);
      if (!isStreamed(answer)) return answer;
      void pour(answer, env.outgoing as ServerResponse, stalledMs);
      return RESPONSE_ALREADY_SENT;
    },
    overrideGlobalObjects: false,
  }) as Server;
  server.headersTimeout = headersMs;
  server.requestTimeout = requestMs;
  server.maxHeadersCount = 100;
  const address = await bound(server, port, host);
  own = loopbacks.has(host) ? loopbackOrigins(address) : [];
  const url = others[0] ?? own[0] ?? '';
  return { app, url, port: address, close: async () => await closeAll(server, app) };
}

/** A program that reaches the port could write that header: it must be the proxy alone. */
function refuseBelieving(header: string, host: string, origins: readonly string[]): void {
  const hint = 'staffetta up --origin https://relay.example.org --user-header X-Forwarded-User';
  if (!/^[A-Za-z][A-Za-z0-9-]*$/.test(header) || /^(authorization|cookie|host|origin)$/i.test(header))
    throw new StaffettaError(
      'invalid-input',
      `${JSON.stringify(header)} is no header that a proxy may name a person in.`,
      { hint },
    );
  if (origins.length === 0)
    throw new StaffettaError(
      'invalid-input',
      'Whose header? Nothing says by which address the proxy is reached.',
      { hint },
    );
  if (!loopbacks.has(host))
    throw new StaffettaError(
      'invalid-input',
      `${host} can be reached from other machines, where anybody may write the header ${header}.`,
      { hint: 'Let the proxy run on this machine, and leave --host out.' },
    );
}

async function bound(server: Server, port: number, host: string): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      const why = cause.code === 'EADDRINUSE' ? 'it is taken' : cause.message;
      reject(
        new StaffettaError('unavailable', `Port ${port} of ${host} cannot be used: ${why}.`, {
          cause,
          details: { port, host, reason: cause.code ?? null },
          hint: 'Choose another: staffetta up --port N',
        }),
      );
    });
    server.listen(port, host, resolve);
  });
  return (server.address() as AddressInfo).port;
}

function loopbackOrigins(port: number): string[] {
  return ['127.0.0.1', 'localhost', '[::1]'].map((name) => `http://${name}:${port}`);
}

function originFrom(given: string): string {
  try {
    const { origin, protocol, pathname } = new URL(given);
    if ((protocol === 'https:' || protocol === 'http:') && pathname === '/') return origin;
  } catch {
    // Said below.
  }
  throw new StaffettaError('invalid-input', `${JSON.stringify(given)} is no address of a server.`, {
    hint: 'Give it without a path: https://relay.example.org',
  });
}

async function closeAll(server: Server, app: App): Promise<void> {
  app.close();
  const late = setTimeout(() => server.closeAllConnections(), finishMs);
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
  });
  clearTimeout(late);
  await app.signAgentsOut();
}
