/** PgBouncer in transaction mode between the store and its server: each call may get another connection there. */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { scratchFor } from '../../src/compose/scratch.ts';
import { allStoreCases, runConformance } from '../../src/conformance/index.ts';
import { openStaffetta } from '../../src/library/staffetta.ts';
import { storeAddress } from '../../src/home/locate.ts';
import { notProven } from '../faults/not-proven.ts';
import { postgresSpace, postgresUrl } from '../support/postgres.ts';
import { freePort, otherUser } from '../support/postgres-server.ts';
import { sample } from '../support/sample.ts';

const program = ['/usr/sbin/pgbouncer', 'pgbouncer'].find(
  (one) => spawnSync(one, ['--version']).status === 0,
);
if (program === undefined)
  notProven('that a pooler in transaction mode works', 'PgBouncer is not installed here (Debian: pgbouncer)');

describe.skipIf(program === undefined)('through PgBouncer in transaction mode', () => {
  const folder = mkdtempSync(join(tmpdir(), 'staffetta-pooler-'));
  const file = (name: string): string => join(folder, name);
  let pooler: ChildProcess;
  let port = 0;

  beforeAll(async () => {
    const server = new URL(await postgresUrl());
    port = await freePort();
    const { username, password, hostname, pathname } = server;
    writeFileSync(file('users'), `"${username}" "${decodeURIComponent(password)}"\n`);
    writeFileSync(
      file('ini'),
      `[databases]\n${pathname.slice(1)} = host=${hostname} port=${server.port || '5432'}\n[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = ${port}\nunix_socket_dir =\nauth_type = scram-sha-256\nauth_file = ${file('users')}\npool_mode = transaction\ndefault_pool_size = 4\nmax_client_conn = 200\nlogfile = ${file('log')}\npidfile = ${file('pid')}\n`,
    );
    const user = otherUser();
    if (user !== undefined)
      for (const each of [folder, file('users'), file('ini')]) chownSync(each, user.uid, user.gid);
    pooler = spawn(program ?? '', ['-q', file('ini')], { ...user, stdio: 'ignore' });
    await listening(port, () => (pooler.exitCode === null ? undefined : readFileSync(file('log'), 'utf8')));
  });
  afterAll(async () => {
    const over = once(pooler, 'exit');
    pooler.kill('SIGKILL');
    await over;
    rmSync(folder, { recursive: true, force: true });
  });

  const behind = (url: string): string =>
    Object.assign(new URL(url), { hostname: '127.0.0.1', port: `${port}` }).href;

  test('the contract holds, but for the bell, which hears nothing', async () => {
    const cases = allStoreCases.filter(({ id }) => !/^BL[23]/.test(id));
    const some = sample('cases through a pooler', cases, { oneIn: 6 });
    const report = await runConformance(scratchFor(storeAddress(behind(await postgresUrl()))), some);
    expect(report.filter(({ ok }) => !ok)).toEqual([]);
  });

  test('eight relays at once share four connections of the server, and a worker finds its offers without a bell', async () => {
    await using space = await postgresSpace();
    const relay = await openStaffetta({ gate: 'record', store: behind(space.url), as: 'ada' });
    const over = new AbortController();
    let carried = 0;
    const worker = relay.worker(
      'bob',
      async (leg) => {
        await leg.acknowledge();
        await leg.complete({ claims: { done: ['it'] } });
        carried += 1;
        if (carried === 8) over.abort();
      },
      { pollMs: 50 },
    );
    const running = worker.run(over.signal);
    await Promise.all(
      Array.from({ length: 8 }, async (_, n) => {
        const leg = await relay.begin({ goal: `Carry ${n}` });
        await leg.handoff({ to: 'agent:bob', transcript: `said ${n}`, claims: { next: 'Carry on.' } });
      }),
    );
    await running;
    expect((await relay.verify()).faults).toEqual([]);
    await relay.close();
  });
});

/** Until somebody takes connections there. */
async function listening(port: number, failed: () => string | undefined): Promise<void> {
  for (;;) {
    const socket = connect(port, '127.0.0.1');
    const [event] = await Promise.race([
      once(socket, 'connect').then(() => ['there'] as const),
      once(socket, 'close').then(() => ['not yet'] as const),
    ]).catch(() => ['not yet'] as const);
    socket.destroy();
    if (event === 'there') return;
    const why = failed();
    if (why !== undefined) throw new Error(`PgBouncer did not start: ${why}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
