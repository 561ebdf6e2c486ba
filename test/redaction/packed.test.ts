/** A secret in a compressed file or an archive does not travel; what cannot be opened is said. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { assert } from '../../src/core/base/assert.ts';
import type { Manifest } from '../../src/core/tree/workspace.ts';
import { readPacket } from '../../src/handoff/history/history.ts';
import { readManifest } from '../../src/handoff/history/packet-blobs.ts';
import { restore } from '../../src/handoff/verbs/restore.ts';
import { ada, stage, worldText, type Stage } from '../support/world.ts';
import { commit, fresh, git, init, write } from '../workspace/sandbox.ts';
import { tar, zip } from './containers.ts';

const token = ['gh', 'p_', 'aZ3kP9xQ7mB1'.repeat(3)].join('');
const password = ['Mulberry', '1122'].join('');
const held = Buffer.from(`first line\n${token}\n`);
const env = Buffer.from(`db_password=${password}\n`);

interface Sealed {
  readonly at: Stage;
  readonly manifest: Manifest;
  readonly kept: string;
  /** Brings it back elsewhere, and reads a file of it. */
  readonly back: (path: string) => Promise<Buffer>;
}

async function sealed(folder: string, next = 'go on'): Promise<Sealed> {
  const at = stage({ workspace: folder });
  const leg = await at.staffetta.begin({ goal: 'Carry on.' }, { as: ada });
  await leg.checkpoint({ claims: { next } });
  const { packet } = await at.staffetta.show(leg.task);
  assert(packet !== null, 'nothing was sealed');
  const manifest = await readManifest(at.context, await readPacket(at.context, packet));
  assert(manifest !== undefined, 'nothing was captured');
  const blobs = [...at.world.blobs.values()].map(({ bytes }) => Buffer.from(bytes).toString('latin1'));
  return {
    at,
    manifest,
    kept: [worldText(at.world), ...blobs].join('\n'),
    back: async (path) => {
      const worktree = fresh('restored');
      await restore(at.context, leg.task, { worktree });
      return readFileSync(join(worktree, path));
    },
  };
}

function folderWith(files: Readonly<Record<string, Uint8Array | string>>): string {
  const folder = init();
  commit(folder, 'Begin.');
  for (const [path, content] of Object.entries(files)) write(folder, path, content);
  return folder;
}

describe('left out and listed, with a secret in', () => {
  test.each<[string, Buffer]>([
    ['gzip', gzipSync(held)],
    ['zlib', deflateSync(held)],
    ['zstd', zstdCompressSync(held)],
    ['zip', zip([{ name: 'a.txt', content: held }])],
    ['settings in a tar in gzip', gzipSync(tar([{ name: '.env', content: env }]))],
    ['settings in a tar', tar([{ name: '.env', content: env }])],
  ])('%s', async (_what, bytes) => {
    const { manifest, kept } = await sealed(folderWith({ packed: bytes, 'plain.txt': 'y\n' }));
    expect(manifest.losses).toEqual([{ path: 'packed', reason: 'secret-inside', bytes: bytes.length }]);
    expect(manifest.entries.map(({ path, worktree }) => [path, worktree?.type])).toEqual([
      ['packed', undefined],
      ['plain.txt', 'file'],
    ]);
    expect(kept).not.toContain(bytes.toString('latin1'));
  });

  test('a staged file, of which no object id is kept either', async () => {
    const folder = folderWith({ packed: gzipSync(held) });
    git(folder, 'add', 'packed');
    const oid = git(folder, 'rev-parse', ':packed').trim();
    const { manifest, kept } = await sealed(folder);
    expect(manifest.losses).toMatchObject([{ path: 'packed', reason: 'secret-inside' }]);
    expect(oid).toMatch(/^[0-9a-f]{40}/);
    expect(kept).not.toContain(oid);
  });

  test('a value that only another part of the packet gives away', async () => {
    const said = Buffer.from(`we both know ${password} by now\n`);
    const { manifest } = await sealed(
      folderWith({ 'x.gz': gzipSync(said) }),
      `run: psql "host=x password=${password}"`,
    );
    expect(manifest.losses).toMatchObject([{ path: 'x.gz', reason: 'secret-inside' }]);
  });
});

describe('carried as it was', () => {
  test.each<[string, Buffer, object[]]>([
    ['an archive without a secret', zip([{ name: 'a.txt', content: Buffer.from('hello\n') }]), []],
    ['an image, without a word', Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1'), []],
    [
      'what cannot be opened, and said not to be searched',
      Buffer.from('\xfd7zXZ\0\0\x04', 'latin1'),
      [{ path: 'packed', reason: 'not-searched', bytes: 8 }],
    ],
    [
      'an encrypted member, and said not to be searched',
      zip([{ name: 'a.txt', content: held, encrypted: true }]),
      [{ path: 'packed', reason: 'not-searched' }],
    ],
  ])('%s', async (_what, bytes, losses) => {
    const { manifest, back } = await sealed(folderWith({ packed: bytes }));
    expect(manifest.losses).toMatchObject(losses);
    expect(manifest.losses).toHaveLength(losses.length);
    expect((await back('packed')).equals(bytes)).toBe(true);
  });

  test('a tar whose secret could be overwritten in place keeps its other members', async () => {
    const { manifest, back } = await sealed(folderWith({ 'x.tar': tar([{ name: 'a', content: held }]) }));
    expect(manifest.losses).toEqual([]);
    const masked = held.toString().replace(token, '*'.repeat(token.length));
    expect((await back('x.tar')).equals(tar([{ name: 'a', content: Buffer.from(masked) }]))).toBe(true);
  });
});

describe('a value that is known is found in hex', () => {
  const hex = Buffer.from(token).toString('hex');
  test.each<[string, string]>([
    ['small letters', hex],
    ['capitals', hex.toUpperCase()],
    ['inside more of it', `00ff${hex}00ff`],
    ['broken into lines', hex.replaceAll(/.{60}/g, '$&\n')],
  ])('%s', async (_what, text) => {
    const { kept, back } = await sealed(folderWith({ 'hex.txt': `${text}\n`, 't.txt': held }));
    for (let at = 0; at + 32 <= hex.length; at += 8)
      expect(kept.toLowerCase()).not.toContain(hex.slice(at, at + 32));
    expect((await back('hex.txt')).toString()).toMatch(/^\[redacted:known-value:[0-9a-f]{12}\]\n/);
  });
});
