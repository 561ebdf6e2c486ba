/**
 * The server as a function from a request to an answer. The order of the checks is the same for every route: is it our name, is it
 * our page, whose token is it, how often do they ask, may they; and only then what they said is read.
 */
import { defined } from '../core/base/defined.ts';
import { Hono, type Context as HonoContext } from 'hono';
import { isPerson } from '../core/task/actor.ts';
import type { Runtime } from '../ports/runtime.ts';
import { pauseBetweenLooks } from '../ports/store.ts';
import { wordIndexOf } from '../home/word-index.ts';
import type { Context } from '../handoff/record/context.ts';
import { cookieName, grantOf, isInForce, proxiedGrant, refuseVerb, taskFor } from './access/access.ts';
import { Codes, type Promised } from './access/codes.ts';
import { FeedQuery } from './contract/contract.ts';
import { Feed } from './feed.ts';
import type { Grant } from './access/grant.ts';
import { refuseStrangers, safeHeaders } from './access/guard.ts';
import { bodyFrom, keyFrom, queryFrom } from './input.ts';
import { serverLimits, type ServerLimits } from './limits.ts';
import { newLife } from './access/life.ts';
import { entryVoice, Listeners, liveStream, positionFrom, type Voice } from './live.ts';
import { metricsText, Pickups, Requests } from './metrics.ts';
import { openapi } from './contract/openapi.ts';
import { boardPage, pageHeaders, signedInPage, signInPage, usedLinkPage } from './plain-page.ts';
import { isPlace, linkTarget, type PageFile, type PageFiles } from './pages.ts';
import { streamed } from './pour.ts';
import { InTurn } from './in-turn.ts';
import { HttpRefusal, problemAnswer, problemFrom } from './problem.ts';
import { Rate } from './access/rate.ts';
import type { Plain, Route, Shared } from './route.ts';
import { a2aRoute, agentCard } from './a2a/a2a-route.ts';
import { signedCard } from './a2a/signed-card.ts';
import { acrossRoutes } from './routes/across.ts';
import { changeRoutes } from './routes/changes.ts';
import { exportRoutes } from './routes/exports.ts';
import { lookRoutes } from './routes/looks.ts';
import { runRoutes } from './routes/runs.ts';
import { sessionRoutes } from './routes/sessions.ts';
import { Pulse } from './pulse.ts';
import { packetRoutes } from './routes/packets.ts';
import { sensitiveRoutes } from './routes/sensitive.ts';
import { taskRoutes } from './routes/tasks.ts';
import { Stories } from './stories.ts';
import { RunLooks } from '../desk/crew/run-overview.ts';
import type { Tokens } from './access/tokens.ts';

export const routes: readonly Route[] = [
  ...taskRoutes,
  ...packetRoutes,
  ...sensitiveRoutes,
  ...changeRoutes,
  ...acrossRoutes,
  ...exportRoutes,
  ...lookRoutes,
  ...runRoutes,
  ...sessionRoutes,
  a2aRoute,
];

export interface AppOptions {
  readonly context: Context;
  readonly tokens: Tokens;
  /** The addresses by which the server is reached; asked at every request, because a port may be known late. */
  readonly origins: () => readonly string[];
  readonly version: string;
  readonly runtimes?: () => Promise<readonly Runtime[]>;
  /** Where sessions of coding agents are looked for. */
  readonly folder?: string;
  readonly limits?: Partial<ServerLimits>;
  /** The built control room; without it there is a plain page. */
  readonly pages?: PageFiles | undefined;
  /** The header in which a proxy names the person whom it has signed in, and the addresses of that proxy. */
  readonly proxy?: { readonly header: string; readonly origins: readonly string[] } | undefined;
  /** What a code promises that another process made for this server; see `link-files.ts`. */
  readonly redeem?: (code: string) => Promise<Promised | undefined>;
  /** Hears of every answer. Without the query, in which words and codes may stand. */
  readonly onAnswer?: (answer: {
    readonly method: string;
    readonly path: string;
    readonly status: number;
    readonly ms: number;
  }) => void;
  /** Hears of what nobody expected. */
  readonly onBug?: (error: unknown) => void;
}

export interface App {
  readonly fetch: (request: Request, env?: unknown) => Promise<Response>;
  /** Every route of the router, for tests that compare. */
  readonly routed: readonly { readonly method: string; readonly path: string }[];
  readonly codes: Codes;
  readonly listeners: Listeners;
  /** Ends what agents have of this server: they signed in at it, and it is over. */
  readonly signAgentsOut: () => Promise<void>;
  /** Ends what would never end by itself: the streams. */
  readonly close: () => void;
}

/** What Node's adapter passes along. */
interface Bindings {
  readonly incoming?: { readonly socket?: { readonly remoteAddress?: string } };
}

type Http = HonoContext<{ Bindings: Bindings }>;

export function createApp(options: AppOptions): App {
  const limits: ServerLimits = { ...serverLimits, ...options.limits };
  const { context, tokens, origins } = options;
  const index = wordIndexOf(context.store);
  const runtimes = options.runtimes ?? (async () => []);
  const stories = new Stories(context, runtimes);
  const shared: Shared = {
    context,
    tokens,
    life: newLife(context.entropy),
    runtimes,
    words: index.words,
    stories,
    runs: new RunLooks(context),
    pulse: new Pulse(context, stories),
    folder: options.folder,
    surveys: new InTurn(),
  };
  const rate = new Rate(context.clock, limits);
  const wrong = new Rate(context.clock, { burst: limits.wrongBurst, perSecond: limits.wrongPerSecond });
  const requests = new Requests();
  const listeners = new Listeners(limits);
  const pickups = new Pickups(context);
  const feed = new Feed(context, { pollMs: pauseBetweenLooks(context.store, limits.pollMs) });
  const codes = new Codes(context);
  const visits: string[] = [];
  const hono = new Hono<{ Bindings: Bindings }>();

  const addressOf = (http: Http): string => {
    const env = http.env as Bindings | undefined;
    return `from ${env?.incoming?.socket?.remoteAddress ?? 'here'}`;
  };
  const proxied = (request: Request): Grant | undefined =>
    proxiedGrant(request, options.proxy?.header, {
      now: context.clock.now(),
      ms: limits.sessionMs,
      origins: options.proxy?.origins ?? [],
    });
  const signedIn = async (http: Http): Promise<Grant> => {
    const request = http.req.raw;
    const grant = proxied(request) ?? (await grantOf(request, shared, origins()));
    if (grant !== undefined) {
      rate.take(callerOf(grant));
      return grant;
    }
    rate.take(addressOf(http));
    if (request.headers.has('authorization') || request.headers.has('cookie')) wrong.take(addressOf(http));
    throw new HttpRefusal('not-signed-in', 'This needs a token that is in force.', {
      hint: 'Send one as Authorization: Bearer …; make one with: staffetta token create',
    });
  };

  const listening = async (http: Http, grant: Grant, voice: Voice): Promise<Response> => {
    const tail = await feed.tail();
    // Of another store, or of one that was put back: nothing here is known to follow it.
    const after = voice.after === undefined || voice.after > tail ? tail : voice.after;
    const ended = listeners.enter(grant.actor);
    let checkedAt = context.clock.now();
    const stream = liveStream({
      ...voice,
      feed,
      clock: context.clock,
      after,
      async entitled() {
        if (context.clock.now() - checkedAt < limits.recheckMs) return true;
        checkedAt = context.clock.now();
        if (proxied(http.req.raw) !== undefined) return checkedAt < grant.expiresAt;
        return (await tokens.inForce(grant.id)) && (await isInForce(context, grant));
      },
      heartbeatMs: limits.heartbeatMs,
      ended,
    });
    return streamed(stream, { 'Content-Type': 'text/event-stream', 'X-Accel-Buffering': 'no' });
  };

  hono.use('*', async (http, next) => {
    const { pathname } = new URL(http.req.url);
    refuseStrangers(http.req.raw, origins(), pathname === '/sign-in' || isPlace(pathname));
    await next();
  });
  hono.get('/healthz', (http) => http.text('ok\n'));
  hono.get('/.well-known/agent-card.json', async (http) => {
    rate.take(addressOf(http));
    const card = agentCard(originOf(http.req.raw, origins()), options.version);
    return http.json(await signedCard(card, context.signer));
  });

  for (const route of routes) {
    hono.on(route.method.toUpperCase(), route.path, async (http) => {
      const request = http.req.raw;
      const grant = await signedIn(http);
      refuseVerb(grant, route.verb);
      const params: Record<string, string> = http.req.param();
      const task = await taskFor(route, params['task'], shared, grant);
      const query = queryFrom(new URL(request.url), route.query) as { readonly dryRun?: boolean };
      const key = keyFrom(request);
      const body =
        route.method === 'get'
          ? undefined
          : await bodyFrom(request, route.body, { clock: context.clock, limits });
      const call = {
        by: grant.actor,
        ...defined({ key }),
        ...(query.dryRun === true ? { dryRun: true } : {}),
      };
      const listen = async (voice: Voice): Promise<Response> => await listening(http, grant, voice);
      const asked = { ...shared, grant, task, params, query, body, call, listen };
      const answer = await route.handle(asked as never);
      if (answer instanceof Response) return answer;
      return 'media' in route.answer ? plainAnswer(answer as Plain) : http.json(answer as object);
    });
  }

  const document = openapi(routes, options.version);
  hono.get('/api/openapi.json', async (http) => {
    await signedIn(http);
    return http.json(document);
  });
  hono.get('/metrics', async (http) => {
    const grant = await signedIn(http);
    refuseVerb(grant, 'read');
    refuseBound(grant);
    const text = await metricsText({ ...shared, pickups, listeners, requests });
    return http.body(text, 200, { 'Content-Type': 'text/plain; version=0.0.4; charset=utf-8' });
  });
  hono.get('/api/events', async (http) => {
    const grant = await signedIn(http);
    // Nobody would take anything from the stream behind a HEAD.
    if (http.req.raw.method !== 'GET')
      throw new HttpRefusal('unknown-route', 'A stream is asked for with GET.');
    refuseVerb(grant, 'read');
    const query = queryFrom(new URL(http.req.url), FeedQuery) as {
      readonly after?: number;
      readonly task?: string;
    };
    const after = positionFrom(http.req.header('last-event-id') ?? null, query.after);
    return await listening(http, grant, entryVoice(after, grant.task ?? query.task));
  });

  const shown = async (http: Http, page: () => Promise<Response>): Promise<Response> => {
    try {
      const grant = await signedIn(http);
      refuseVerb(grant, 'read');
      refuseBound(grant);
    } catch (error) {
      if (!(error instanceof HttpRefusal) || error.code !== 'not-signed-in') throw error;
      return http.body(signInPage(), 401, { ...pageHeaders });
    }
    return await page();
  };
  const { pages } = options;
  hono.get('/', async (http) => {
    return await shown(http, async () =>
      pages === undefined
        ? http.body(await boardPage(context), 200, { ...pageHeaders })
        : fileAnswer(pages.index),
    );
  });
  hono.get('/sign-in', async (http) => {
    rate.take(addressOf(http));
    const request = http.req.raw;
    // Browsers look ahead; only a person who opens the link uses it up.
    const ahead =
      request.method !== 'GET' || /prefetch|prerender/.test(request.headers.get('sec-purpose') ?? '');
    const code = http.req.query('code') ?? '';
    const promised = ahead ? undefined : (codes.redeem(code) ?? (await options.redeem?.(code)));
    if (promised === undefined) return http.body(usedLinkPage(), 403, { ...pageHeaders });
    const now = context.clock.now();
    const expiresAt = now + limits.sessionMs;
    const isGuest = !isPerson(promised.actor);
    const { token, grant } = await tokens.create({
      ...promised,
      use: 'cookie',
      ...(isGuest ? { server: shared.life } : {}),
      createdAt: now,
      expiresAt,
    });
    if (isGuest) visits.push(grant.id);
    const origin = originOf(request, origins());
    const secure = origin.startsWith('https:') ? '; Secure' : '';
    const cookie = `${cookieName(origin)}=${token}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${limits.sessionMs / 1000}${secure}`;
    return http.body(signedInPage(linkTarget(http.req.query('to'))), 200, {
      ...pageHeaders,
      'Set-Cookie': cookie,
    });
  });

  const onBug = options.onBug ?? (() => {});
  hono.notFound(async (http) => {
    const { pathname } = new URL(http.req.url);
    // Browsers ask for it unasked while a page names no icon, and report a refusal as an error of the page.
    if (pathname === '/favicon.ico') return http.body(null, 204);
    if (pages !== undefined && ['GET', 'HEAD'].includes(http.req.method)) {
      const file = pages.file(pathname);
      if (file !== undefined) {
        await signedIn(http);
        return fileAnswer(file);
      }
      if (isPlace(pathname)) return await shown(http, async () => fileAnswer(pages.index));
      // A person who mistyped gets a page that says so; a program gets the refusal.
      if (http.req.header('sec-fetch-dest') === 'document')
        return await shown(http, async () => fileAnswer(pages.index, 404));
    }
    throw new HttpRefusal('unknown-route', 'There is nothing at this address.', {
      hint: 'All there is: /api/openapi.json',
    });
  });
  hono.onError((error) => problemAnswer(problemFrom(error, onBug), error));

  return {
    async fetch(request, env) {
      const since = performance.now();
      const answer = safe(await hono.fetch(request, env as Bindings));
      requests.count(request.method, answer.status);
      const ms = Math.round((performance.now() - since) * 10) / 10;
      const { pathname: path } = new URL(request.url);
      options.onAnswer?.({ method: request.method, path, status: answer.status, ms });
      return answer;
    },
    routed: hono.routes
      .filter(({ method }) => method !== 'ALL')
      .map(({ method, path }) => ({ method: method.toLowerCase(), path })),
    codes,
    listeners,
    async signAgentsOut() {
      for (const id of visits.splice(0)) await tokens.revoke(id);
    },
    close() {
      feed.close();
      void index.close();
    },
  };
}

function safe(answer: Response): Response {
  for (const [name, value] of Object.entries(safeHeaders))
    if (!answer.headers.has(name)) answer.headers.set(name, value);
  return answer;
}

function fileAnswer({ bytes, headers }: PageFile, status = 200): Response {
  return new Response(new Uint8Array(bytes), { status, headers });
}

function plainAnswer({ media, text, file, policy }: Plain): Response {
  const headers = {
    'Content-Type': media,
    ...(file === undefined ? {} : { 'Content-Disposition': `attachment; filename="${file}"` }),
    ...(policy === undefined ? {} : { 'Content-Security-Policy': policy }),
  };
  if (typeof text === 'string') return new Response(text, { headers });
  if (text instanceof Uint8Array) return new Response(new Uint8Array(text), { headers });
  // Piece by piece, as the client takes them: an export may be larger than memory.
  return streamed(ReadableStream.from(text), headers);
}

/** However many tokens somebody has, they are one. */
function callerOf({ actor }: Grant): string {
  return `${actor.kind} ${actor.name}`;
}

function refuseBound({ task }: Grant): void {
  if (task === null) return;
  throw new HttpRefusal('out-of-scope', `This token is for task ${task} only.`, {
    hint: `Ask for /api/tasks/${task}`,
  });
}

function originOf(request: Request, origins: readonly string[]): string {
  const host = request.headers.get('host')?.toLowerCase();
  return origins.find((origin) => new URL(origin).host === host) ?? origins[0] ?? '';
}
