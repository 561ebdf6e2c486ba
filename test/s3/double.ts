/**
 * A server that keeps objects as S3 does, as far as the store asks: path-style, ETags, conditions on writes and deletions, listings in order of key. It checks what S3
 * checks of a body, counts requests, and does harm when it is told to. `checks.ts` holds it against a server that others wrote.
 */
import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface S3Request {
  readonly method: string;
  readonly bucket: string;
  readonly key: string;
  readonly isList: boolean;
}

/**
 * `unheard`: the connection breaks before anything is done; `unanswered`: after; `slow`: it is done, and nobody says so; `late`: the connection breaks, and it is
 * done after so many other requests.
 */
export type Harm =
  | '500'
  | '503'
  | '409'
  | 'html'
  | 'unheard'
  | 'unanswered'
  | 'slow'
  | { readonly late: number }
  | { readonly refuse: string };

interface Kept {
  readonly bytes: Uint8Array;
  readonly etag: string;
  readonly changedAt: number;
}

interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | string;
}

export class S3Double {
  readonly buckets = new Map<string, Map<string, Kept>>();
  readonly requests: S3Request[] = [];
  /** Asked at every request. */
  harm: (request: S3Request) => Harm | undefined = () => undefined;
  /** As servers do that do not know them. */
  ignoresConditions = false;
  /** Of its clock, in the answers. */
  aheadMs = 0;
  #late: { readonly after: number; readonly act: () => unknown }[] = [];
  #served = 0;
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
  }

  static async start(...buckets: readonly string[]): Promise<S3Double> {
    const server = createServer({ keepAliveTimeout: 30_000 });
    const double = new S3Double(server);
    for (const bucket of buckets) double.buckets.set(bucket, new Map());
    server.on('request', (request, response) => {
      void double.#serve(request, response);
    });
    const { promise, resolve } = Promise.withResolvers<void>();
    server.listen(0, '127.0.0.1', resolve);
    await promise;
    return double;
  }

  get endpoint(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  /** How many requests of a kind there were since the last time. */
  counted(): Readonly<Record<'GET' | 'PUT' | 'DELETE' | 'LIST', number>> {
    const counts = { GET: 0, PUT: 0, DELETE: 0, LIST: 0 };
    for (const { method, isList } of this.requests.splice(0))
      if (isList) counts.LIST += 1;
      else if (method === 'GET' || method === 'PUT' || method === 'DELETE') counts[method] += 1;
    return counts;
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://double');
    const [, bucket = '', ...rest] = url.pathname.split('/').map((part) => decodeURIComponent(part));
    const key = rest.join('/');
    const method = request.method ?? '';
    const asked = { method, bucket, key, isList: method === 'GET' && key === '' };
    this.requests.push(asked);
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece as Buffer);
    const harm = this.harm(asked);
    const act = (): Answer => this.#answer(asked, request, { url, body: Buffer.concat(pieces) });
    this.#served += 1;
    if (harm === 'unheard' || (typeof harm === 'object' && 'late' in harm)) {
      if (typeof harm === 'object') this.#late.push({ after: this.#served + harm.late, act });
      request.socket.destroy();
      return;
    }
    this.doLate(this.#served);
    const answer = harmful(harm) ?? act();
    if (harm === 'slow') return;
    if (harm === 'unanswered') {
      request.socket.destroy();
      return;
    }
    response.setHeader('date', new Date(Date.now() + this.aheadMs).toUTCString());
    response.writeHead(answer.status, answer.headers);
    response.end(answer.body);
  }

  /** What is late until then is done now. */
  doLate(served = Infinity): void {
    const due = this.#late.filter(({ after }) => after <= served);
    this.#late = this.#late.filter(({ after }) => after > served);
    for (const { act } of due) act();
  }

  #answer(
    { method, bucket, key, isList }: S3Request,
    { headers }: IncomingMessage,
    { url, body }: { readonly url: URL; readonly body: Buffer },
  ): Answer {
    const objects = this.buckets.get(bucket);
    if (objects === undefined) return refusal(404, 'NoSuchBucket');
    if (isList) return listing(objects, url.searchParams);
    const there = objects.get(key);
    if (method === 'GET')
      return there === undefined ? refusal(404, 'NoSuchKey') : content(there, headers.range);
    const unfit = this.ignoresConditions ? undefined : conditionFault(headers, there);
    if (unfit !== undefined) return unfit;
    if (method === 'DELETE') {
      objects.delete(key);
      return { status: 204 };
    }
    if (method !== 'PUT') return refusal(405, 'MethodNotAllowed');
    if (headers['content-encoding']?.includes('aws-chunked') === true) return refusal(501, 'NotImplemented');
    const etag = `"${createHash('md5').update(body).digest('hex')}"`;
    objects.set(key, { bytes: body, etag, changedAt: Date.now() });
    return { status: 200, headers: { etag } };
  }
}

function harmful(harm: Harm | undefined): Answer | undefined {
  if (harm === undefined || harm === 'unheard' || harm === 'unanswered' || harm === 'slow') return undefined;
  if (typeof harm === 'object') return 'refuse' in harm ? refusal(403, harm.refuse) : undefined;
  if (harm === 'html')
    return { status: 500, headers: { 'content-type': 'text/html' }, body: '<html><p>oh no</html>' };
  if (harm === '409') return refusal(409, 'ConditionalRequestConflict');
  return refusal(Number(harm), harm === '503' ? 'SlowDown' : 'InternalError');
}

function refusal(status: number, code: string): Answer {
  const body = `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><Message>${code}</Message></Error>`;
  return { status, headers: { 'content-type': 'application/xml' }, body };
}

function conditionFault(headers: IncomingMessage['headers'], there: Kept | undefined): Answer | undefined {
  if (headers['if-none-match'] === '*' && there !== undefined) return refusal(412, 'PreconditionFailed');
  const match = headers['if-match'];
  if (match === undefined || match === there?.etag) return undefined;
  return there === undefined ? refusal(404, 'NoSuchKey') : refusal(412, 'PreconditionFailed');
}

function content({ bytes, etag, changedAt }: Kept, range: string | undefined): Answer {
  const headers = { etag, 'last-modified': new Date(changedAt).toUTCString() };
  const last = /^bytes=0-(\d+)$/.exec(range ?? '')?.[1];
  if (last === undefined) return { status: 200, headers, body: bytes };
  if (bytes.length === 0) return refusal(416, 'InvalidRange');
  const part = bytes.subarray(0, Number(last) + 1);
  return {
    status: 206,
    headers: { ...headers, 'content-range': `bytes 0-${part.length - 1}/${bytes.length}` },
    body: part,
  };
}

function listing(objects: ReadonlyMap<string, Kept>, query: URLSearchParams): Answer {
  const [prefix, after] = [query.get('prefix') ?? '', query.get('start-after') ?? ''];
  const limit = Number(query.get('max-keys') ?? 1000);
  const keys = [...objects.keys()].filter((key) => key.startsWith(prefix) && key > after).toSorted();
  const items = keys.slice(0, limit).map((key) => {
    const { bytes, etag, changedAt } = objects.get(key) as Kept;
    const at = new Date(Math.floor(changedAt / 1000) * 1000).toISOString();
    return `<Contents><Key>${key}</Key><LastModified>${at}</LastModified><ETag>${etag.replaceAll('"', '&quot;')}</ETag><Size>${bytes.length}</Size></Contents>`;
  });
  const body = `<?xml version="1.0" encoding="UTF-8"?><ListBucketResult><KeyCount>${items.length}</KeyCount><IsTruncated>${keys.length > limit}</IsTruncated>${items.join('')}</ListBucketResult>`;
  return { status: 200, headers: { 'content-type': 'application/xml' }, body };
}
