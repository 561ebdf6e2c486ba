/** Files of other programs as bytes. Only one that is UTF-8 to the last byte is changed: anything else would not come back as it was. */
import { lstatSync, readFileSync, realpathSync, statSync, type Stats } from 'node:fs';
import { StaffettaError } from '../../core/base/error.ts';

export interface FileBytes {
  readonly bytes: Buffer;
  /** The same as text. A mark of the byte order stays in it: it is part of the file. */
  readonly text: string;
}

const fileBytesMax = 16 * 1024 * 1024;

/** Null where there is no file. What is no file, far too large for one of settings, or not UTF-8 is refused. */
export function fileAt(path: string): FileBytes | null {
  const bytes = bytesAt(path);
  return bytes === null ? null : { bytes, text: decodeText(path, bytes) };
}

export function readTextAt(path: string): string | null {
  return fileAt(path)?.text ?? null;
}

function bytesAt(path: string): Buffer | null {
  const link = linkAt(path);
  if (link === undefined) return null;
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats?.isFile() === true && stats.size <= fileBytesMax) return read(path);
  throw new StaffettaError('invalid-input', `${path} is no file that could be changed.`, {
    details: { path },
    hint: 'Nothing was written. See what lies there, or leave its program out by naming another with --runtime.',
  });
}

function read(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (cause) {
    throw new StaffettaError('invalid-input', `${path} cannot be read: ${(cause as Error).message}`, {
      details: { path },
      hint: 'Nothing was written. Give yourself permission to read it.',
      cause,
    });
  }
}

export function decodeText(path: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw new StaffettaError(
      'invalid-input',
      `${path} cannot be changed: it is not UTF-8${guessed(bytes)}.`,
      {
        details: { path },
        hint: 'Nothing was written. Save the file as UTF-8, or leave it out: --runtime names one program, and --user touches no file of the repository.',
        cause,
      },
    );
  }
}

function guessed(bytes: Uint8Array): string {
  const [first, second] = bytes;
  const isWide = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  return isWide ? ' but UTF-16' : '';
}

function linkAt(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch (cause) {
    throw new StaffettaError('invalid-input', `${path} cannot be looked at.`, {
      details: { path },
      hint: 'Nothing was written. See who may enter the folders it lies in.',
      cause,
    });
  }
}

/** Where a path leads in the end: a link to a file of settings stays a link. */
export function targetOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
