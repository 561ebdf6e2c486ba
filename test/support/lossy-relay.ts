/** A door to a server through which the answer to the next call after `lose` never comes: the server has done what it was asked, and the connection is gone. */
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { openStore } from '../../src/compose/open-store.ts';
import type { OpenScratch } from '../../src/conformance/index.ts';
import { storeAddress } from '../../src/home/locate.ts';

export interface LossyRelay {
  readonly port: number;
  readonly lose: () => void;
  close(): void;
}

export async function openLossyRelay(to: {
  readonly host: string;
  readonly port: number;
}): Promise<LossyRelay> {
  const sockets = new Set<Socket>();
  let isArmed = false;
  const server = createServer((client) => {
    const beyond = connect(to);
    let isLosing = false;
    const end = (): void => {
      client.destroy();
      beyond.destroy();
    };
    for (const socket of [client, beyond]) {
      sockets.add(socket);
      socket.on('error', end);
      socket.on('close', () => {
        sockets.delete(socket);
        end();
      });
    }
    client.on('data', (bytes) => {
      isLosing ||= isArmed;
      isArmed = false;
      beyond.write(bytes);
    });
    beyond.on('data', (bytes) => (isLosing ? end() : client.write(bytes)));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    lose: () => void (isArmed = true),
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** Scratch stores of a server, with a connection on which answers are lost. */
export function withLossy(open: OpenScratch): OpenScratch {
  return async () => {
    const scratch = await open();
    const relays: LossyRelay[] = [];
    return {
      ...scratch,
      lossy: async () => {
        const whole = await scratch.connect();
        const url = new URL(whole.address.reveal());
        await whole.close();
        const relay = await openLossyRelay({ host: url.hostname, port: Number(url.port) });
        relays.push(relay);
        url.port = `${relay.port}`;
        return { store: await openStore(storeAddress(url.href)), lose: relay.lose };
      },
      dispose: async () => {
        for (const relay of relays) relay.close();
        await scratch.dispose();
      },
    };
  };
}
