import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  mkdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { defined } from '../../core/base/defined.ts';
import { StaffettaError } from '../../core/base/error.ts';
import { targetOf } from './file-bytes.ts';

/** A file is written by taking the place of the old one, so it is the folder that must allow it. */
export function refuseUnwritable(path: string): void {
  const folder = nearestFolder(dirname(targetOf(path)));
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
  } catch (cause) {
    throw new StaffettaError('invalid-input', `${path} cannot be written: you may not write in ${folder}.`, {
      cause,
      details: { path },
      hint: 'Nothing was written. Give yourself permission there, or leave its program out by naming another with --runtime.',
    });
  }
}

function nearestFolder(folder: string): string {
  return existsSync(folder) || folder === dirname(folder) ? folder : nearestFolder(dirname(folder));
}

/** Through a link, and with the mode that the file has. */
export function writeSettings(path: string, bytes: string | Uint8Array): void {
  try {
    const target = targetOf(path);
    const mode = statSync(target, { throwIfNoEntry: false })?.mode;
    mkdirSync(dirname(target), { recursive: true });
    writeWhole(target, bytes, mode === undefined ? undefined : mode & 0o7777);
  } catch (cause) {
    throw new StaffettaError('invalid-input', `${path} cannot be written: ${(cause as Error).message}`, {
      cause,
      details: { path },
      hint: 'Files before it were written. Put that right and run the same command again; staffetta uninstall takes all back.',
    });
  }
}

/** Written aside and moved: a program that starts meanwhile reads the old one or the new one. */
export function writeWhole(path: string, bytes: string | Uint8Array, mode: number | undefined): void {
  const aside = `${path}.${process.pid}.staffetta-tmp`;
  try {
    writeFileSync(aside, bytes, defined({ mode }));
    if (mode !== undefined) chmodSync(aside, mode);
    renameSync(aside, path);
  } finally {
    rmSync(aside, { force: true });
  }
}
