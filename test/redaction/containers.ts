/** Archives made by hand, so that no program is needed and each field can be spoiled. */
import { crc32, deflateRawSync } from 'node:zlib';

export interface Member {
  readonly name: string;
  readonly content: Uint8Array;
  /** 0: as it is, 8: deflated; another number is written and not done. */
  readonly method?: number;
  readonly encrypted?: boolean;
}

export function zip(members: readonly Member[]): Buffer {
  const parts: Buffer[] = [];
  const list: Buffer[] = [];
  let at = 0;
  for (const { name, content, method = 8, encrypted = false } of members) {
    const packed = method === 8 ? deflateRawSync(content) : Buffer.from(content);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(encrypted ? 1 : 0, 2);
    common.writeUInt16LE(method, 4);
    common.writeUInt32LE(crc32(content), 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(content.length, 18);
    common.writeUInt16LE(Buffer.byteLength(name), 22);
    const own = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), common, Buffer.from(name), packed]);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(at, 10);
    list.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\0', 'latin1'), common, place, Buffer.from(name)]));
    parts.push(own);
    at += own.length;
  }
  const listed = Buffer.concat(list);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(members.length, 8);
  end.writeUInt16LE(members.length, 10);
  end.writeUInt32LE(listed.length, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...parts, listed, end]);
}

export function tar(members: readonly Member[]): Buffer {
  const blocks = members.flatMap(({ name, content }) => {
    const head = Buffer.alloc(512);
    head.write(name, 0, 'latin1');
    head.write('0000644\0', 100, 'latin1');
    head.write(`${content.length.toString(8).padStart(11, '0')}\0`, 124, 'latin1');
    head.write('0', 156, 'latin1');
    head.write('ustar\x0000', 257, 'latin1');
    return [head, content, Buffer.alloc((512 - (content.length % 512)) % 512)];
  });
  return Buffer.concat([...blocks, Buffer.alloc(1024)]);
}
