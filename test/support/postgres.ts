/** A PostgreSQL for tests: the one that STAFFETTA_TEST_PG names, or one that this run starts. */
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { inject } from 'vitest';
import { storeAddress } from '../../src/home/locate.ts';
import type { StoreAddress } from '../../src/ports/store-address.ts';
import { inSpace } from '../../src/stores/postgres/address.ts';
import { dropScratchSpace } from '../../src/stores/postgres/scratch.ts';

export async function postgresUrl(): Promise<string> {
  const given = process.env['STAFFETTA_TEST_PG'] ?? '';
  if (given !== '') return given;
  const answer = await text(connect(inject('postgresDoor')));
  if (!answer.startsWith('postgres://')) throw new Error(`There is no PostgreSQL to test with: ${answer}`);
  return answer;
}

export interface TestSpace extends AsyncDisposable {
  readonly url: string;
  readonly address: StoreAddress;
}

/** A space of its own, which is taken away when it is disposed of. */
export async function postgresSpace(): Promise<TestSpace> {
  const space = `test_${globalThis.crypto.randomUUID().replaceAll('-', '').slice(0, 12)}`;
  const address = inSpace(storeAddress(await postgresUrl()), space);
  return {
    url: address.reveal(),
    address,
    [Symbol.asyncDispose]: async () => await dropScratchSpace(address),
  };
}
