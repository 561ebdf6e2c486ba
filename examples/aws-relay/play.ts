/**
 * research → code → qa → deploy on S3 and SQS, with one command and without an account:
 *
 *   npm run start:aws
 *
 * S3, SQS and the function between the queues are emulated in a network of its own. Each agent is a process that knows nothing but the address of the store. None is
 * told who is next: a handoff names a lane, and the router finds the agent by the edges of the contract. In the end what deploy
 * read is held against what each agent before it wrote, byte for byte.
 */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { openStaffetta } from 'staffetta';

const here = import.meta.dirname;
const agents = ['research', 'code', 'qa', 'deploy'] as const;

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** The emulator of SQS listens on all interfaces: where it runs there is only this machine. */
function inOwnNetwork(): number {
  const inside = ['ip link set lo up && exec "$0" "$@" --inside', process.execPath, import.meta.filename];
  const played = spawnSync('unshare', ['--map-root-user', '--net', 'sh', '-c', ...inside], {
    stdio: 'inherit',
  });
  if (played.error !== undefined) say('This needs unshare and ip, as Linux has them.');
  return played.status ?? 1;
}

async function ended(child: ChildProcess): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  child.once('error', reject);
  child.once('exit', (code) => (code === 0 ? resolve() : reject(new Error(`it ended with ${code}`))));
  await promise;
}

/** Its lines, with its name before them; the first one is given to the caller where it asks for it. */
function started(
  name: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): { child: ChildProcess; first: Promise<string> } {
  const child = spawn(process.execPath, args, { env, stdio: ['pipe', 'pipe', 'inherit'] });
  const { promise, resolve } = Promise.withResolvers<string>();
  let isFirst = name === 'aws';
  createInterface({ input: child.stdout }).on('line', (line) => {
    if (isFirst) resolve(line);
    else say(`${name.padEnd(8)} ${line}`);
    isFirst = false;
  });
  return { child, first: promise };
}

async function play(folder: string): Promise<number> {
  const env = {
    ...process.env,
    XDG_DATA_HOME: join(folder, 'home'),
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
  };
  const cloud = started('aws', [join(here, '../../test/s3/cloud.ts'), ...agents], env);
  const gone = ended(cloud.child);
  const store = await Promise.race([
    cloud.first,
    gone.then(() => Promise.reject(new Error('the emulators ended'))),
  ]);
  Object.assign(process.env, env);
  const relay = await openStaffetta({ store, as: { name: 'lead', lane: 'plan' } });
  const { task } = await relay.open(
    {
      title: 'Fold accents in slug()',
      goal: 'slug() folds accents, and the new version is deployed',
      acceptance: ['the tests pass', 'the new version answers'],
      edges: [
        { from: 'lead', to: 'research' },
        { from: 'research', to: 'code' },
        { from: 'code', to: 'qa' },
        { from: 'qa', to: 'deploy' },
      ],
    },
    { to: 'agent:research', lane: 'plan' },
  );
  const working = agents.map((role) =>
    ended(started(role, [join(here, 'agent.ts'), role, folder], { ...env, STAFFETTA_STORE: store }).child),
  );
  await Promise.all(working);
  const { status } = await relay.show(task);
  const { faults } = await relay.verify(task);
  const ok = faults.length === 0;
  await relay.store.close();
  cloud.child.stdin?.end();
  await gone;
  let bytes = 0;
  const differing = agents.slice(0, -1).filter((role) => {
    const wrote = readFileSync(join(folder, `wrote-${role}.txt`));
    bytes += wrote.length;
    return !wrote.equals(readFileSync(join(folder, `read-${role}.txt`)));
  });
  for (const role of differing) say(`deploy read something else than ${role} wrote`);
  say(
    `task ${task} is ${status}, its journal ${ok ? 'is sound' : 'is not sound'}; deploy read ${bytes} bytes, ${differing.length === 0 ? 'each as it was written' : 'not all as they were written'}`,
  );
  return status === 'done' && ok && differing.length === 0 && bytes > 1024 * 1024 ? 0 : 1;
}

if (process.argv.includes('--inside')) {
  const folder = mkdtempSync(join(tmpdir(), 'staffetta-aws-relay-'));
  try {
    process.exitCode = await play(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
} else {
  process.exitCode = inOwnNetwork();
}
