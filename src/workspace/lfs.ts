import type { Digest } from '../core/journal/digest.ts';

export const lfsPointerBytesMax = 1024;

/** The specification keeps pointers below this size. */
export function isLfsPointerSize(bytes: number): boolean {
  return bytes > 0 && bytes < lfsPointerBytesMax;
}

/** The file that a Git LFS pointer stands for. */
export function parseLfsPointer(
  content: Uint8Array,
): { readonly digest: Digest; readonly bytes: number } | undefined {
  if (!isLfsPointerSize(content.length)) return undefined;
  const text = Buffer.from(content).toString('latin1');
  if (!text.startsWith('version https://git-lfs.github.com/spec/v1\n')) return undefined;
  const digest = /^oid sha256:([0-9a-f]{64})$/m.exec(text)?.[1];
  const bytes = Number(/^size ([0-9]{1,15})$/m.exec(text)?.[1] ?? Number.NaN);
  return digest === undefined || Number.isNaN(bytes) ? undefined : { digest: `sha256:${digest}`, bytes };
}
