/** A new file as git would show it, for files that git does not know. */
import { createHash } from 'node:crypto';

/** The name git gives to a content. */
export function blobId(content: Uint8Array, hash: 'sha1' | 'sha256'): string {
  return createHash(hash).update(`blob ${content.length}\0`).update(content).digest('hex');
}

export interface NewFile {
  readonly path: string;
  readonly mode: '100644' | '100755' | '120000';
  readonly content: Uint8Array;
  readonly binary: boolean;
  readonly hash: 'sha1' | 'sha256';
}

export function patchOfNewFile(file: NewFile): { readonly text: Buffer; readonly lines: number } {
  const oid = blobId(file.content, file.hash);
  const b = quotePath(`b/${file.path}`);
  const head = [
    `diff --git ${quotePath(`a/${file.path}`)} ${b}`,
    `new file mode ${file.mode}`,
    `index ${'0'.repeat(oid.length)}..${oid}`,
  ];
  if (file.binary) return { text: lines([...head, `Binary files /dev/null and ${b} differ`]), lines: 0 };
  if (file.content.length === 0) return { text: lines(head), lines: 0 };
  const bytes = Buffer.from(file.content.buffer, file.content.byteOffset, file.content.length);
  const body: Buffer[] = [];
  let count = 0;
  for (let at = 0; at < bytes.length; count++) {
    const end = bytes.indexOf(0x0a, at);
    body.push(plus, end === -1 ? bytes.subarray(at) : bytes.subarray(at, end + 1));
    at = end === -1 ? bytes.length : end + 1;
  }
  if (bytes[bytes.length - 1] !== 0x0a) body.push(Buffer.from('\n\\ No newline at end of file\n'));
  // A name with a blank is followed by a tab, so that the reader knows where it ends.
  const name = b.includes(' ') ? `${b}\t` : b;
  const range = count === 1 ? '+1' : `+1,${count}`;
  return {
    text: Buffer.concat([lines([...head, '--- /dev/null', `+++ ${name}`, `@@ -0,0 ${range} @@`]), ...body]),
    lines: count,
  };
}

const plus = Buffer.from('+');

function lines(texts: readonly string[]): Buffer {
  return Buffer.from(`${texts.join('\n')}\n`);
}

const escapes: Readonly<Record<string, string>> = {
  '\u0007': String.raw`\a`,
  '\b': String.raw`\b`,
  '\t': String.raw`\t`,
  '\n': String.raw`\n`,
  '\v': String.raw`\v`,
  '\f': String.raw`\f`,
  '\r': String.raw`\r`,
  '"': String.raw`\"`,
  '\\': String.raw`\\`,
};

/** In double quotes, as in C, if a character needs it. */
function quotePath(path: string): string {
  if (!/[\u0000-\u001f"\\\u007f]/.test(path)) return path;
  const inner = path.replace(
    /[\u0000-\u001f"\\\u007f]/g,
    (character) => escapes[character] ?? `\\${character.charCodeAt(0).toString(8).padStart(3, '0')}`,
  );
  return `"${inner}"`;
}
