import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { tar, zip } from '../../test/redaction/containers.ts';
import { packedLimits, Unpacking } from './packed.ts';

const text = Buffer.from('a line of text\n');
const note = { name: 'dir/note.txt', content: text };

/** The parts as texts; undefined for what is no container. */
function partsOf(bytes: Uint8Array, path = 'file'): (string | null)[] | undefined {
  const parts = new Unpacking().opener(bytes, path)?.(bytes);
  return parts && [...parts].map((part) => part && Buffer.from(part).toString('latin1'));
}

const plain = text.toString();

describe('opened', () => {
  test.each<[string, Buffer, string, (string | null)[]]>([
    ['gzip', gzipSync(text), 'x.gz', [plain]],
    ['zlib', deflateSync(text), 'object', [plain]],
    ['zstd', zstdCompressSync(text), 'x.zst', [plain]],
    ['brotli, by its name', brotliCompressSync(text), 'x.br', [plain]],
    ['zip', zip([note]), 'x.jar', [plain]],
    ['zip without compression', zip([{ ...note, method: 0 }]), 'x.zip', [plain]],
    ['zip behind other bytes of its own', Buffer.concat([zip([note]), zip([note])]), 'x.zip', [plain]],
    ['an empty zip', zip([]), 'x.zip', []],
    ['tar', tar([note, { name: 'other', content: Buffer.from('x') }]), 'x.tar', [plain, 'x']],
    ['tar in gzip', gzipSync(tar([note])), 'x.tgz', [tar([note]).toString('latin1'), plain]],
    [
      'gzip in zip',
      zip([{ name: 'x.gz', content: gzipSync(text) }]),
      'x.zip',
      [gzipSync(text).toString('latin1'), plain],
    ],
  ])('%s', (_what, bytes, path, parts) => {
    expect(partsOf(bytes, path)).toEqual(parts);
  });
});

const marked = (mark: string): Buffer => Buffer.concat([Buffer.from(mark, 'latin1'), Buffer.alloc(64)]);

describe('said to be closed', () => {
  test.each<[string, Buffer]>([
    ['xz', marked('\xfd7zXZ\0')],
    ['bzip2', marked('BZh91AY&SY')],
    ['7z', marked('7z\xbc\xaf\x27\x1c')],
    ['rar', marked('Rar!\x1a\x07\0')],
    ['a package of Debian', marked('!<arch>\ndebian-binary')],
    ['a pack of git', marked('PACK\0\0\0\x02')],
    ['gzip that is cut off', gzipSync(text).subarray(0, 20)],
    ['zip that is cut off', zip([note]).subarray(0, 60)],
    ['zip that is encrypted', zip([{ ...note, encrypted: true }])],
    ['zip with another method', zip([{ ...note, method: 14 }])],
    ['tar that is cut off', tar([{ name: 'x', content: Buffer.alloc(2000, 'x') }]).subarray(0, 1500)],
    ['more than may be unpacked', gzipSync(Buffer.alloc(packedLimits.fileBytesMax + 1))],
  ])('%s', (_what, given) => {
    expect(partsOf(given)).toEqual([null]);
  });

  test('too many containers in each other', () => {
    let deep = text;
    for (let depth = 0; depth <= packedLimits.depthMax; depth++) deep = gzipSync(deep);
    expect(partsOf(deep)?.at(-1)).toBeNull();
  });

  test('too many members', () => {
    const many = Array.from({ length: packedLimits.membersMax + 1 }, (_, n) => ({
      name: `${n}`,
      content: Buffer.from('x'),
      method: 0,
    }));
    expect(partsOf(zip(many))?.indexOf(null)).toBe(packedLimits.membersMax);
  });

  test('one member of several', () => {
    expect(partsOf(zip([note, { ...note, encrypted: true }, note]))).toEqual([plain, null, plain]);
  });
});

test('all files of a capture together are unpacked up to a limit', () => {
  const unpacking = new Unpacking();
  const large = gzipSync(Buffer.alloc(packedLimits.fileBytesMax));
  const open = unpacking.opener(large, 'x.gz');
  const times = packedLimits.captureBytesMax / packedLimits.fileBytesMax;
  const ends = Array.from({ length: times + 1 }, () => [...(open?.(large) ?? [])].at(0) === null);
  expect(ends.indexOf(true)).toBe(times);
});

test.each<[string, Buffer]>([
  ['text', text],
  ['a formula', Buffer.from('x^2 + y^2\n')],
  ['nothing', Buffer.alloc(0)],
  ['a PNG', Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1')],
  ['a font', Buffer.from('wOF2\0\x01\0\0', 'latin1')],
  ['a program', Buffer.from('\x7fELF\x02\x01\x01\0', 'latin1')],
  ['a library of objects', Buffer.from('!<arch>\nx.o/  ')],
])('%s is no container, or has no parts', (_what, bytes) => {
  expect(partsOf(bytes) ?? []).toEqual([]);
});
