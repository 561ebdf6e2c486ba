/**
 * A model for programs that want one: a server on loopback that speaks the protocols of all vendors, says what a test
 * told it to, and keeps every request.
 *
 * A program asks for more than the turns of a conversation: titles, routes, counts. A request that has tools on offer is a turn, and
 * gets the next of the script; every other request for an answer gets a short one that fits the shape it asks for.
 * A script that has come to its end says so, and `unscripted` counts it.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { anthropic } from './anthropic.ts';
import { chat } from './chat.ts';
import type { Dialect, Failure, Said, Speech } from './dialect.ts';
import { gemini } from './gemini.ts';
import { parsed } from './json.ts';
import { responses } from './responses.ts';
import { sampleOf } from './sample.ts';
import { shellIn } from './shell.ts';

export type Turn =
  | (Omit<Speech, 'call'> & {
      /** A command for the program's shell tool. */
      readonly shell?: string;
      /** Any other tool. */
      readonly call?: Speech['call'];
      /** Stops in the middle of the answer and says no more. */
      readonly hangs?: true;
    })
  | { readonly fails: Failure };

export interface Recorded {
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
  readonly dialect: Dialect['name'] | null;
  /** What the model was told, if this was a turn of a conversation. */
  readonly turn: readonly Said[] | null;
}

const dialects: readonly Dialect[] = [anthropic, responses, gemini, chat];

export class FakeModel {
  readonly requests: Recorded[] = [];
  /** Says what is answered to what was told, in place of the script: several programs ask at once, and nobody knows in which order. */
  answers: ((told: readonly Said[], dialect: Dialect['name']) => Turn | Promise<Turn>) | undefined;
  unscripted = 0;
  readonly #server: Server;
  readonly #script: Turn[];
  readonly #waiting: { readonly turns: number; readonly resolve: () => void }[] = [];
  #turns = 0;
  #ids = 0;

  private constructor(script: readonly Turn[]) {
    this.#script = [...script];
    this.#server = createServer((request, response) => {
      this.#serve(request, response).catch((error: unknown) => response.destroy(error as Error));
    });
  }

  static async start(...script: readonly Turn[]): Promise<FakeModel> {
    const model = new FakeModel(script);
    model.#server.listen(0, '127.0.0.1');
    await once(model.#server, 'listening');
    return model;
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Adds to the script. */
  add(...turns: readonly Turn[]): void {
    this.#script.push(...turns);
  }

  /** What the model was told, turn by turn. */
  get told(): readonly (readonly Said[])[] {
    return this.requests.flatMap(({ turn }) => (turn === null ? [] : [turn]));
  }

  /** Once so many turns have been asked for. */
  async asked(turns: number): Promise<void> {
    if (this.#turns >= turns) return;
    await new Promise<void>((resolve) => this.#waiting.push({ turns, resolve }));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { method = 'GET', url = '/' } = request;
    const path = url.split('?')[0] ?? url;
    const body = parsed(Buffer.concat(chunks).toString('utf8'));
    const dialect = method === 'POST' ? dialects.find((each) => each.answers(path)) : undefined;
    const tools = dialect?.tools(body) ?? [];
    const turn = dialect === undefined || tools.length === 0 ? null : dialect.said(body);
    this.requests.push({ method, path, body, dialect: dialect?.name ?? null, turn });
    if (dialect === undefined) beside(path, body, response);
    else {
      const next =
        turn === null
          ? { text: sampleOf(body) }
          : ((await this.answers?.(turn, dialect.name)) ?? this.#script.shift() ?? this.#beyond());
      this.#answer(next, { dialect, path, body, response, tools });
    }
    if (turn !== null) this.#count();
  }

  #beyond(): Turn {
    this.unscripted += 1;
    return { text: 'The script of this test has no further turn.' };
  }

  #count(): void {
    this.#turns += 1;
    for (const { turns, resolve } of this.#waiting) if (this.#turns >= turns) resolve();
  }

  #answer(turn: Turn, { dialect, path, body, response, tools }: Open): void {
    if ('fails' in turn) {
      const refusal = dialect.failure(turn.fails);
      respond(response, refusal.status, refusal.body, refusal.headers);
      return;
    }
    const { shell: command, call, hangs, ...speech } = turn;
    const made = command === undefined ? call : callOf(command, tools);
    const answer = dialect.answer(made === undefined ? speech : { ...speech, call: made }, {
      path,
      body,
      tokens: speech.tokens ?? Math.ceil(JSON.stringify(body).length / 4),
      id: (beginning) => this.#id(beginning),
    });
    if (!dialect.streams(path, body)) {
      respond(response, 200, answer.whole);
      return;
    }
    const id = this.#id('req_');
    response.writeHead(200, { 'content-type': 'text/event-stream', 'request-id': id, 'x-request-id': id });
    const { frames } = answer;
    for (const frame of hangs === true ? frames.slice(0, Math.ceil(frames.length / 2)) : frames)
      response.write(frame);
    if (hangs !== true) response.end();
  }

  #id(beginning: string): string {
    this.#ids += 1;
    const { port } = this.#server.address() as AddressInfo;
    return `${beginning}${String(port).padStart(8, '0')}${String(this.#ids).padStart(16, '0')}`;
  }
}

interface Open {
  readonly dialect: Dialect;
  readonly path: string;
  readonly body: unknown;
  readonly response: ServerResponse;
  readonly tools: readonly string[];
}

function callOf(command: string, tools: readonly string[]): NonNullable<Speech['call']> {
  const shell = shellIn(tools);
  if (shell === undefined) throw new Error(`No shell is among the tools on offer: ${tools.join(', ')}`);
  return { tool: shell.tool, args: shell.args(command) };
}

/** What programs ask besides answers. What is not known is refused, and stands in `requests` for the reader of a failed test. */
function beside(path: string, body: unknown, response: ServerResponse): void {
  const tokens = Math.ceil(JSON.stringify(body).length / 4);
  if (path === '/') respond(response, 200, {});
  else if (path.endsWith('/count_tokens')) respond(response, 200, { input_tokens: tokens });
  else if (path.endsWith(':countTokens')) respond(response, 200, { totalTokens: tokens });
  else if (path.endsWith('/models')) respond(response, 200, { object: 'list', data: [], models: [] });
  else respond(response, 404, { error: { type: 'not_found_error', message: `The lab has no ${path}.` } });
}

function respond(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}
