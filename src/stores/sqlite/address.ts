import { resolve } from 'node:path';
import { StaffettaError } from '../../core/base/error.ts';
import { StoreAddress } from '../../ports/store-address.ts';

/** From a path, `sqlite:path` or a `file:` URL. */
export function sqliteAddress(text: string): StoreAddress {
  return new StoreAddress('sqlite', filePath(text));
}

/** The file of a store that is one. */
export function sqliteFile(address: StoreAddress): string | undefined {
  return address.scheme === 'sqlite' ? address.reveal() : undefined;
}

function filePath(text: string): string {
  if (text.startsWith('sqlite:')) return resolve(text.slice('sqlite:'.length).replace(/^\/\//, ''));
  // A URL has no relative paths; people write them all the same, and mean what a shell would.
  if (!text.startsWith('file:/')) return resolve(text.replace(/^file:/, ''));
  try {
    return process.getBuiltinModule('node:url').fileURLToPath(text);
  } catch {
    throw new StaffettaError('store-unsupported', 'This file: address names no file on this machine.', {
      hint: 'Use a file path, sqlite:PATH or memory:',
    });
  }
}
