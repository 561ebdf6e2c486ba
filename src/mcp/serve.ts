/** `staffetta mcp`: one connection over standard input and output, for as long as the host keeps it open. */
import { defined } from '../core/base/defined.ts';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { randomUUID } from 'node:crypto';
import { leave } from '../handoff/verbs/leave.ts';
import { load } from '../handoff/record/load.ts';
import { connectionSession, speakerAt, type FromHost, type FindRecorded } from '../desk/speaker.ts';
import type { Environment } from '../desk/standing.ts';
import type { WorkPlace } from './place.ts';
import { CalledOff } from './long-wait.ts';
import { serverFor } from './server.ts';
import { StdioTransport, type Streams } from './stdio-transport.ts';
import { Legs, setElsewhere } from './visit.ts';

export interface Serving extends Streams {
  readonly place: WorkPlace;
  readonly env: Environment;
  readonly recorded?: FindRecorded;
  /** How the command can be called from a shell here. */
  readonly command?: string;
  /** Hears of messages that could not be used. */
  readonly log: (text: string) => void;
}

/** Returns when the host has closed the connection. */
export async function serveMcp(serving: Serving): Promise<void> {
  const { place, env, recorded, command, log, input, output } = serving;
  const transport = new StdioTransport({ input, output });
  const legs = new Legs();
  const calledOff = new CalledOff();
  const connection = connectionSession(randomUUID());
  const ended = new Promise<void>((resolve) => {
    input.once('end', resolve);
    input.once('close', resolve);
    output.once('error', () => resolve());
  });
  const who = ({ meta, client }: FromHost) =>
    speakerAt({ env, refuse: setElsewhere, host: { meta, client, connection }, ...defined({ recorded }) });
  const handle = serveStdio(() => serverFor({ place, env, legs, calledOff, who, ...defined({ command }) }), {
    transport,
    onerror: (error) => log(error.message),
  });
  await ended;
  await handle.close();
  await leaveBehind(place, legs, connection, log);
  await place.close();
}

/** What was taken in the name of a connection has no holder without it. */
async function leaveBehind(
  place: WorkPlace,
  legs: Legs,
  connection: string,
  log: (text: string) => void,
): Promise<void> {
  for (const { task, generation } of legs.grantedTo(connection)) {
    try {
      const context = await place.context();
      const { leg } = (await load(context, task)).state;
      if (leg?.generation !== generation || leg.holder.session !== connection) continue;
      const { holder } = leg;
      const why = 'The connection of its holder ended.';
      await leave(context, { task, generation, holder }, { to: 'anyone', trigger: 'user', why });
    } catch (error) {
      log(error instanceof Error ? error.message : String(error));
    }
  }
}
