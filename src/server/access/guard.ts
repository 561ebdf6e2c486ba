/**
 * What is checked before anybody looks at a token. A page of another site can make a browser send requests here: by name (DNS
 * rebinding shows in Host), by script (Origin) or by a form or picture (Sec-Fetch-Site). None of them gets past this file.
 */
import { HttpRefusal } from '../problem.ts';

/** `origins`: the addresses by which this server is reached, such as http://127.0.0.1:4747. */
export function refuseStrangers(request: Request, origins: readonly string[], page: boolean): void {
  const { headers } = request;
  const host = headers.get('host')?.toLowerCase();
  const hosts = new Set(origins.map((origin) => new URL(origin).host));
  // A request line may name a host too, and must not name another.
  if (host === undefined || !hosts.has(host) || !hosts.has(new URL(request.url).host))
    throw new HttpRefusal('wrong-host', 'This server is not known by that name.', {
      hint: 'Use the address it printed. A proxy in front of it is named with: staffetta up --origin URL',
    });
  const origin = headers.get('origin');
  if (origin !== null && !origins.includes(origin)) throw refused();
  const site = headers.get('sec-fetch-site');
  if (site === null || site === 'same-origin' || site === 'none') return;
  // A link on another site may lead to a page; it shows nothing without a cookie, which is not sent along.
  const follows =
    page &&
    request.method === 'GET' &&
    headers.get('sec-fetch-mode') === 'navigate' &&
    headers.get('sec-fetch-dest') === 'document';
  if (!follows) throw refused();
}

/** A change that a cookie vouches for must come from our own page, and say so. */
export function refuseForged(request: Request): void {
  if (request.method === 'GET' || request.method === 'HEAD') return;
  if (request.headers.get('origin') === null && request.headers.get('sec-fetch-site') === null)
    throw refused();
}

function refused(): HttpRefusal {
  return new HttpRefusal('wrong-origin', 'Another site asked for this.', {
    hint: 'Open the page itself, or use a token of your own: staffetta token create',
  });
}

/** On every answer. Nothing here loads anything from elsewhere, is framed, or is kept by a cache. */
export const safeHeaders: Readonly<Record<string, string>> = {
  'Content-Security-Policy':
    "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox",
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  'Cache-Control': 'no-store',
};
