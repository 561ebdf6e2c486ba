/**
 * Another machine by ssh, as the user set it up: their config, keys, agent and known hosts. Ssh asks for passwords at the terminal itself. The
 * program there is started by its name, and everything else is said over its input and output, so that no word of ours goes through a
 * shell.
 */
import { once } from 'node:events';
import { promisify } from 'node:util';
import { StaffettaError } from '../../core/base/error.ts';
import { sanitize } from '../../core/base/sanitize.ts';
import { startProgram } from '../../process/start.ts';
import { FarStore } from './far-store.ts';
import { Wire } from './wire.ts';

export interface FarAddress {
  readonly host: string;
  readonly folder: string | undefined;
}

export interface ReachOptions {
  /** A command line that takes a host and a command. */
  readonly ssh: string | undefined;
  /** The program there, if it is not `staffetta`. */
  readonly there: string | undefined;
}

/** A host that vanishes is noticed within half a minute. */
const sshDefault = 'ssh -T -o ConnectTimeout=20 -o ServerAliveInterval=10 -o ServerAliveCountMax=3';
const shellNotFound = 127;
const saidBytesMax = 2000;

/** `user@host`, `user@host:folder`, `[::1]:folder`. What could be taken for an option of ssh is refused. */
export function farAddress(text: string): FarAddress | undefined {
  const found = /^((?:[^@:/\s[\]]+@)?(?:\[[0-9a-f:.%]+\]|[^@:/\s[\]]+))(?::(.*))?$/is.exec(text);
  const host = found?.[1]?.replaceAll(/[[\]]/g, '');
  if (host === undefined || host.startsWith('-') || host.includes('@-')) return undefined;
  return { host, folder: found?.[2] || undefined };
}

export async function withFar<T>(
  { host }: FarAddress,
  { ssh = sshDefault, there = 'staffetta' }: ReachOptions,
  work: (far: FarStore) => Promise<T>,
): Promise<T> {
  const command = `${there} far-end`;
  const [program, args] =
    process.platform === 'win32'
      ? [ssh.split(/\s+/)[0] ?? 'ssh', [...ssh.split(/\s+/).slice(1), host, command]]
      : ['sh', ['-c', `exec ${ssh} "$@"`, 'sh', host, command]];
  const started = startProgram({
    program,
    args,
    cwd: process.cwd(),
    env: process.env,
    stdio: ['pipe', 'pipe', 'pipe'],
    isForeground: true,
  });
  const { child } = started;
  const closed = once(child, 'close').catch(() => {});
  const { stdin, stdout, stderr } = child;
  if (stdin === null || stdout === null || stderr === null) throw unreachable(host, '', null);
  let said = '';
  stderr.setEncoding('utf8').on('data', (part: string) => {
    said = `${said}${part}`.slice(-saidBytesMax);
  });
  stdin.on('error', () => {});
  const far = new FarStore(
    new Wire({
      input: stdout as AsyncIterable<Uint8Array>,
      write: async (bytes) => await promisify<typeof bytes, void>(stdin.write.bind(stdin))(bytes),
    }),
    host,
  );
  try {
    if (!(await far.awaitGreeting())) {
      stdin.end();
      // With everything that it has to say.
      await closed;
      throw unreachable(host, said, child.exitCode);
    }
    return await work(far);
  } catch (error) {
    child.kill();
    throw error;
  } finally {
    stdin.end();
    await closed;
  }
}

function unreachable(host: string, said: string, exit: number | null): StaffettaError {
  const words = sanitize(said).trim().replaceAll(/\s+/g, ' ');
  const why = words === '' ? '' : ` It said: ${words}`;
  const details = { host, exit };
  return exit === shellNotFound
    ? new StaffettaError('far-unreachable', `Staffetta was not found on ${host}, or ssh here.${why}`, {
        details,
        hint: 'Nothing was moved. Install it there, or say where it is: --there /path/to/staffetta',
      })
    : new StaffettaError('far-unreachable', `${host} cannot be reached.${why}`, {
        details,
        hint: `Nothing was moved. See that this works: ssh ${host} staffetta --version`,
      });
}
