/**
 * The files of the control room, as they were built. They are few and are kept in memory; an address leads to one of them by its exact
 * name or to nothing, so no address can lead out of the folder.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join, sep } from 'node:path';

const media: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** Everything comes from here, and no script may put text into the page as markup. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

export interface PageFile {
  readonly bytes: Uint8Array;
  readonly headers: Readonly<Record<string, string>>;
}

export interface PageFiles {
  /** By the path of its address. */
  readonly file: (path: string) => PageFile | undefined;
  /** The page for every place in it. */
  readonly index: PageFile;
}

/** Undefined where the pages were not built; the server then shows its plain page. */
export function readPages(folder: string): PageFiles | undefined {
  let names: readonly string[];
  try {
    names = readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
  } catch {
    return undefined;
  }
  const files = new Map(
    names.map((name) => [`/${name.split(sep).join('/')}`, pageFile(join(folder, name), name)]),
  );
  const index = files.get('/index.html');
  files.delete('/index.html');
  return index === undefined ? undefined : { index, file: (path) => files.get(path) };
}

function pageFile(path: string, name: string): PageFile {
  // What is built has the digest of its content in its name.
  const isNamedByContent = name.startsWith(`assets${sep}`);
  return {
    bytes: readFileSync(path),
    headers: {
      'Content-Type': media[extname(name)] ?? 'application/octet-stream',
      'Cache-Control': isNamedByContent ? 'private, max-age=31536000, immutable' : 'no-store',
      ...(name.endsWith('.html') ? { 'Content-Security-Policy': policy } : {}),
    },
  };
}

/** Where a link may lead after signing in: to a place in the control room by its plain name, else to its start. */
export function linkTarget(given: string | undefined): string {
  return given !== undefined && /^\/[\w/-]{0,200}$/.test(given) && isPlace(given) ? given : '/';
}

/** Addresses that are places in the control room; see web/src/shell/place.ts. */
export function isPlace(path: string): boolean {
  return path === '/' || /^\/(?:board|overview|reviews|runs|search|tasks)(?:\/|$)/.test(path);
}
