/**
 * One pipe for a child's standard output and error, so that what it says stays in the order it said it. Two would be read one after
 * the other. It must be a pipe: Node's own streams to a child are sockets, and a script that writes to `/dev/stderr`
 * fails on those. Node cannot make one, but it can open one that has a name.
 */
import { execFileSync } from 'node:child_process';
import { closeSync, constants, existsSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface JoinedPipe {
  /** A descriptor for the child; `release` it here once the child has it. */
  readonly writer: number;
  readonly reader: Socket;
  /** How the system names it once its place in the file system is gone. */
  readonly listedAs: string;
  release(): void;
}

const makers = ['/usr/bin/mkfifo', '/bin/mkfifo'];

/** Undefined where there is no such thing: then two streams must do. */
export function openJoinedPipe(): JoinedPipe | undefined {
  const maker = makers.find((path) => existsSync(path));
  if (maker === undefined) return undefined;
  let folder: string | undefined;
  try {
    folder = mkdtempSync(join(tmpdir(), 'staffetta-'));
    const path = join(folder, 'pipe');
    execFileSync(maker, ['-m', '600', path], { stdio: 'ignore' });
    // The reading end first and without waiting: only then does the writing end open at once.
    const reading = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const writer = openSync(path, constants.O_WRONLY);
    const reader = new Socket({ fd: reading, readable: true, writable: false });
    return { writer, reader, listedAs: `${path} (deleted)`, release: () => closeSync(writer) };
  } catch {
    return undefined;
  } finally {
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  }
}
