/** `staffetta mcp`: one connection over standard input and output, for as long as the host keeps it open. */
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { identityOf, type BoundSession, type Environment } from './identity.ts';
import type { Place } from './place.ts';
import { serverFor } from './server.ts';
import { StdioTransport, type Streams } from './stdio-transport.ts';
import { Legs } from './visit.ts';

export interface Serving extends Streams {
  readonly place: Place;
  readonly env: Environment;
  readonly bound?: BoundSession;
  /** Hears of messages that could not be used. */
  readonly log: (text: string) => void;
}

/** Returns when the host has closed the connection. */
export async function serveMcp({ place, env, bound, log, input, output }: Serving): Promise<void> {
  const transport = new StdioTransport({ input, output });
  const legs = new Legs();
  const ended = new Promise<void>((resolve) => {
    input.once('end', resolve);
    input.once('close', resolve);
    output.once('error', () => resolve());
  });
  const who = ({
    meta,
    client,
  }: {
    meta?: Readonly<Record<string, unknown>> | undefined;
    client?: string | undefined;
  }) => identityOf({ env, meta, client }, bound);
  const handle = serveStdio(() => serverFor({ place, env, legs, who }), {
    transport,
    onerror: (error) => log(error.message),
  });
  await ended;
  await handle.close();
  await place.close();
}
