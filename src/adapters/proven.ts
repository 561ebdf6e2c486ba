import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { StaffettaError } from '../core/base/error.ts';

/** From a minor version of a major one on, and below the next major one; below `below` where each minor version may break. */
export interface ProvenRange {
  readonly major: number;
  readonly from: number;
  readonly below?: number;
}

/** Refuses a framework of a version that the tests do not run: its shapes are not known. */
export function checkProven(name: string, { major, from, below }: ProvenRange): void {
  const version = versionOf(name);
  const [itsMajor = Number.NaN, itsMinor = Number.NaN] = version.split('.').map(Number);
  if (itsMajor === major && itsMinor >= from && (below === undefined || itsMinor < below)) return;
  const end = below === undefined ? `${major + 1}.0` : `${major}.${below}`;
  throw new StaffettaError(
    'unavailable',
    `${name} ${version} is not one that this version of Staffetta was proven with.`,
    {
      details: { package: name, version },
      hint: `Install ${name} ${major}.${from} or newer, below ${end}.`,
    },
  );
}

/** Packages need not let their manifest be imported: it lies above what they do. */
function versionOf(name: string): string {
  let folder = dirname(createRequire(import.meta.url).resolve(name));
  for (;;) {
    const manifest = manifestIn(folder);
    if (manifest?.name === name) return String(manifest.version);
    if (dirname(folder) === folder) return '(unknown)';
    folder = dirname(folder);
  }
}

function manifestIn(folder: string): { readonly name?: unknown; readonly version?: unknown } | undefined {
  try {
    const manifest: unknown = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    return typeof manifest === 'object' && manifest !== null ? manifest : undefined;
  } catch {
    return undefined;
  }
}
