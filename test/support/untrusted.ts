/** Servers whose certificate nobody has signed but themselves. */
import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { createServer as createTlsServer, TLSSocket } from 'node:tls';

/** Made for this, for `untrusted.example`; it opens nothing. */
const own = {
  key: pem('PRIVATE KEY', [
    'MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQggiNXdJXe/kC0O8rP',
    'hVFZX6uK44MUD+uSfuhwNWAuALihRANCAARWezmB2Rb6MGEIS5tWcAJG8P2CjL+y',
    's9/Opo6iKsdjSw+jmvdAKHm/8ifxL4j+zv3Ez59AKtfHADp7bHmq4fL+',
  ]),
  cert: pem('CERTIFICATE', [
    'MIIBjzCCATWgAwIBAgIUDZIQorb/i/pwHNkzkZv4WxoxZcIwCgYIKoZIzj0EAwIw',
    'HDEaMBgGA1UEAwwRdW50cnVzdGVkLmV4YW1wbGUwIBcNMjYxMTE5MDYwMDE1WhgP',
    'MjEyNjEwMjYwNjAwMTVaMBwxGjAYBgNVBAMMEXVudHJ1c3RlZC5leGFtcGxlMFkw',
    'EwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEVns5gdkW+jBhCEubVnACRvD9goy/srPf',
    'zqaOoirHY0sPo5r3QCh5v/In8S+I/s79xM+fQCrXxwA6e2x5quHy/qNTMFEwHQYD',
    'VR0OBBYEFP08OUCZc46EfwCRjvc8wl0TGAvZMB8GA1UdIwQYMBaAFP08OUCZc46E',
    'fwCRjvc8wl0TGAvZMA8GA1UdEwEB/wQFMAMBAf8wCgYIKoZIzj0EAwIDSAAwRQIh',
    'ALvAo6CsicK/fBLATsKRKEmjwWWbV4C6TJ9amfRewkH6AiAs5OJ5r9iTH6WrgE6g',
    'Qu/PXsEwUwMK8LH9s6YG1qStaw==',
  ]),
};

/** Put together here: a key in its frame would be taken for somebody's secret. */
function pem(what: string, lines: readonly string[]): string {
  return [`-----BEGIN ${what}-----`, ...lines, `-----END ${what}-----`].join('\n');
}

export interface UntrustedServer extends Disposable {
  readonly host: string;
}

export async function untrustedServer(): Promise<UntrustedServer> {
  return await listening(createTlsServer(own));
}

/** As PostgreSQL does it: a plain question whether to encrypt, and the answer that it may be. */
export async function untrustedPostgres(): Promise<UntrustedServer> {
  return await listening(
    createServer((socket) => {
      socket.once('data', () => {
        socket.write('S');
        new TLSSocket(socket, { ...own, isServer: true }).on('error', () => socket.destroy());
      });
    }),
  );
}

async function listening(server: ReturnType<typeof createServer>): Promise<UntrustedServer> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => sockets.add(socket.on('error', () => {})));
  server.on('tlsClientError', () => {});
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.dispose]() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
