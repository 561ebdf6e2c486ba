/** What comes from files and stdin: bounded, and checked to be text where text is meant. */
import { createReadStream, fstatSync, openSync, statSync, type Stats } from 'node:fs';
import { isStaffettaError, StaffettaError } from '../../core/base/error.ts';
import { limits } from '../../core/base/limits.ts';
import { utf8 } from '../../core/base/utf8.ts';

/** A file's text, or stdin's for `-`. A byte order mark says how to read it and is not read. */
export async function readText(file: string, bytesMax: number = limits.packetBytesMax): Promise<string> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of readBytes(file)) {
    bytes += part.length;
    if (bytes > bytesMax) {
      throw bytesMax === limits.packetBytesMax
        ? new StaffettaError(
            'too-large',
            `${nameOf(file)} holds more than the ${bytesMax} bytes that fit a packet.`,
            { hint: 'Send long content with --transcript.' },
          )
        : new StaffettaError('too-large', `${nameOf(file)} holds more than ${bytesMax} bytes.`);
    }
    parts.push(part);
  }
  try {
    return utf8(Buffer.concat(parts)).replace(/^\ufeff/, '');
  } catch (cause) {
    throw new StaffettaError('invalid-input', `What came from ${nameOf(file)} is not UTF-8 text.`, {
      cause,
      hint: 'Convert it, or send it with --transcript, which takes any bytes.',
    });
  }
}

/** A file's bytes as they come, or stdin's for `-`. It is opened at once: a wrong name is told before anything happens. */
export function readBytes(
  file: string,
  bytesMax: number = limits.transcriptBytesMax,
): AsyncIterable<Uint8Array> {
  try {
    if (file === '-') {
      refuseUnfit(file, fstatSync(0), bytesMax);
      return chunks(file, process.stdin);
    }
    refuseUnfit(file, statSync(file), bytesMax);
    return chunks(file, createReadStream(file, { fd: openSync(file, 'r') }));
  } catch (cause) {
    throw unreadable(file, cause);
  }
}

function refuseUnfit(file: string, stats: Stats, bytesMax: number): void {
  if (stats.isDirectory())
    throw new StaffettaError('invalid-input', `${nameOf(file)} is a folder, not a file.`, {
      hint: 'Name a file in it, or - for stdin.',
    });
  if (stats.isCharacterDevice() && file !== '-') {
    throw new StaffettaError('invalid-input', `${file} is a device, which may never end.`, {
      hint: 'Give a file, or - for stdin.',
    });
  }
  if (stats.size > bytesMax) {
    throw new StaffettaError(
      'too-large',
      `${nameOf(file)} has ${stats.size} bytes; the limit is ${bytesMax}.`,
      { hint: 'Send only what is new since the last packet.' },
    );
  }
}

async function* chunks(file: string, source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* source;
  } catch (cause) {
    throw unreadable(file, cause);
  }
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  ENOTDIR: 'there is no such file',
  EACCES: 'you have no permission',
  EPERM: 'you have no permission',
  EISDIR: 'it is a folder',
};

function unreadable(file: string, cause: unknown): unknown {
  if (isStaffettaError(cause)) return cause;
  const { code = '', message } = cause as NodeJS.ErrnoException;
  return new StaffettaError('invalid-input', `${nameOf(file)} cannot be read: ${reasons[code] ?? message}.`, {
    cause,
    hint: 'Give a file that you can read, or - for stdin.',
  });
}

function nameOf(file: string): string {
  return file === '-' ? 'stdin' : file;
}
