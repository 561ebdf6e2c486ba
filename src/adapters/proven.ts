import { createRequire } from 'node:module';
import { StaffettaError } from '../core/base/error.ts';

/** Refuses a framework of another major version than the one that the tests run: its shapes are not known. */
export function checkProven(
  name: string,
  { major, from }: { readonly major: number; readonly from: number },
): void {
  const version = versionOf(name);
  const [itsMajor = Number.NaN, itsMinor = Number.NaN] = version.split('.').map(Number);
  if (itsMajor === major && itsMinor >= from) return;
  throw new StaffettaError(
    'unavailable',
    `${name} ${version} is not one that this version of Staffetta was proven with.`,
    {
      details: { package: name, version },
      hint: `Install ${name} ${major}.${from} or newer, below ${major + 1}.0.`,
    },
  );
}

function versionOf(name: string): string {
  const manifest: unknown = createRequire(import.meta.url)(`${name}/package.json`);
  if (typeof manifest !== 'object' || manifest === null || !('version' in manifest)) return '(unknown)';
  return String(manifest.version);
}
