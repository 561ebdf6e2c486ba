/**
 * `staffetta move` between stores that other machines reach, killed at each request to either of them: before it was done, and after it was done and before the answer
 * came. The task is in one store or in the other, never in both, and moving it again finishes, with the holder, the generation and the lease that it had.
 */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { numbers } from '../../src/conformance/sample.ts';
import type { TaskId } from '../../src/core/journal/id.ts';
import { openStaffetta, type Staffetta } from '../../src/library/staffetta.ts';
import { newFolder, staffetta, type Ran } from '../cli/command.ts';
import { credentials, withCredentials } from '../s3/credentials.ts';
import { S3Double } from '../s3/double.ts';
import { postgresSpace, type TestSpace } from '../support/postgres.ts';
import { sample } from '../support/sample.ts';

const moments = ['before', 'after'] as const;
type Moment = (typeof moments)[number];

/** Both stores stand behind these: they count what is asked, and kill who asks. */
class Doors {
  count = 0;
  #at: { readonly nth: number; readonly moment: Moment } | undefined;
  #victim: ChildProcess | undefined;

  watch(at: { readonly nth: number; readonly moment: Moment } | undefined): void {
    this.count = 0;
    this.#at = at;
    this.#victim = undefined;
  }

  comes(victim: ChildProcess): void {
    this.#victim = victim;
  }

  /** What is to happen at this request. */
  next(): Moment | undefined {
    const nth = this.count++;
    return this.#victim !== undefined && nth === this.#at?.nth ? this.#at.moment : undefined;
  }

  kill(): void {
    this.#victim?.kill('SIGKILL');
  }
}

const doors = new Doors();
const day = 24 * 60 * 60 * 1000;
const transcript = 'I thought about the fence for a long time.\n'.repeat(2000);
const [task, home] = [{ goal: 'The fence stands.' }, newFolder()];
const sockets = new Set<Socket>();

withCredentials();
let space: TestSpace;
let double: S3Double;
let postgres: string;
let bucket: string;

/** To the database: what comes from the client at once is one request. */
const door = createServer((client) => {
  const { hostname, port } = new URL(space.url);
  const beyond = connect({ host: hostname, port: Number(port) });
  let isDead = false;
  const end = (): void => {
    client.destroy();
    beyond.destroy();
  };
  for (const socket of [client, beyond]) {
    sockets.add(socket);
    socket.on('error', end);
    socket.on('close', end);
  }
  client.on('data', (bytes) => {
    const moment = doors.next();
    if (moment === 'before') doors.kill();
    else beyond.write(bytes);
    isDead ||= moment === 'after';
  });
  beyond.on('data', (bytes) => (isDead ? doors.kill() : client.write(bytes)));
});

beforeAll(async () => {
  space = await postgresSpace();
  double = await S3Double.start('relay');
  double.harm = () => {
    const moment = doors.next();
    if (moment !== undefined) doors.kill();
    return moment === 'before' ? 'unheard' : moment === 'after' ? 'unanswered' : undefined;
  };
  door.listen(0, '127.0.0.1');
  await once(door, 'listening');
  postgres = Object.assign(new URL(space.url), { port: `${(door.address() as AddressInfo).port}` }).href;
  bucket = `aws://relay/moves?region=us-east-1&endpoint=${encodeURIComponent(double.endpoint)}`;
});
afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  door.close();
  double.stop();
  await space[Symbol.asyncDispose]();
});

async function open(store: string): Promise<Staffetta> {
  return await openStaffetta({ gate: 'record', store, as: 'ada' });
}

async function move(id: TaskId, way: Way, isProcess: boolean): Promise<Ran> {
  return await staffetta(['move', id, '--to', way.to, '--store', way.from, '--json'], {
    env: { ...credentials, HOME: home, STAFFETTA_AS: 'ada' },
    ...(isProcess ? { isProcess, meanwhile: (child) => doors.comes(child) } : {}),
  });
}

async function held(at: Staffetta): Promise<TaskId> {
  const leg = await at.begin(task, { leaseMs: day });
  await leg.checkpoint({ claims: { summary: 'Half of it.' }, transcript });
  return leg.task;
}

/** Whether the holder can write to it. */
async function goesOn(at: Staffetta, id: TaskId): Promise<boolean> {
  try {
    await (await at.leg(id)).note('On.');
    return true;
  } catch {
    return false;
  }
}

interface Way {
  readonly name: string;
  readonly from: string;
  readonly to: string;
}

test('killed at any request to either store, it left or it did not, and the same command finishes it', async () => {
  const ways = [
    { name: 'from PostgreSQL to S3', from: postgres, to: bucket },
    { name: 'from S3 to PostgreSQL', from: bucket, to: postgres },
  ];
  let [killed, unfinished] = [0, 0];
  for (const way of ways) {
    const [here, there] = [await open(way.from), await open(way.to)];
    const first = await held(here);
    doors.watch(undefined);
    const whole = await move(first, way, true);
    expect(whole.status, `not killed: ${whole.stderr}`).toBe(0);
    const points = numbers(doors.count).flatMap((nth) => moments.map((moment) => ({ nth, moment })));
    for (const point of sample(`kills of a move ${way.name}`, points, {
      oneIn: 24,
      kindOf: ({ moment }) => moment,
    })) {
      const what = `${way.name}, ${point.moment} request ${point.nth}`;
      const id = await held(here);
      const before = await here.show(id);
      doors.watch(point);
      const ran = await move(id, way, true);
      doors.watch(undefined);
      // Requests at once come in any order, and of some the last one is not always needed.
      const ended = ran.status === 0 ? [0, null] : [null, 'SIGKILL'];
      expect([ran.status, ran.signal], `${what}: ${ran.stderr}`).toEqual(ended);
      killed += Number(ran.signal === 'SIGKILL');
      const on = [await goesOn(here, id), await goesOn(there, id)];
      expect(on, `killed ${what}`).not.toEqual([true, true]);
      unfinished += Number(on[1] === false);
      const again = await move(id, way, false);
      expect(again.status, `${what}: ${again.stderr}`).toBe(0);
      const { status, leg, leaseUntil } = await there.show(id);
      expect({ status, leg }, `killed ${what}`).toEqual({ status: before.status, leg: before.leg });
      // Who moves it is its holder, whose every word renews.
      expect(leaseUntil, `killed ${what}`).toBeGreaterThanOrEqual(before.leaseUntil ?? Infinity);
      expect([await goesOn(here, id), await goesOn(there, id)], `killed ${what}`).toEqual([false, true]);
    }
    for (const each of [here, there]) {
      expect((await each.verify()).faults).toEqual([]);
      await each.close();
    }
  }
  console.log(`a move was killed ${killed} times, ${unfinished} times before the task had arrived`);
  expect(killed).toBeGreaterThan(0);
});
