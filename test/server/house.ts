/** A server without a socket, over a store in memory, with tokens as a test needs them. Every answer is held against the document. */
import type { Actor } from '../../src/core/task/actor.ts';
import type { TaskId } from '../../src/core/journal/id.ts';
import type { Leg } from '../../src/handoff/verbs/leg.ts';
import { createApp, type App, type AppOptions } from '../../src/server/app.ts';
import type { NewGrant } from '../../src/server/access/grant.ts';
import { MemoryKeeper, Tokens } from '../../src/server/access/tokens.ts';
import { verbs } from '../../src/server/contract/verbs.ts';
import { schemaFaults } from '../support/json-schema.ts';
import { ada, eve, stage, type Stage } from '../support/world.ts';

export const origin = 'http://127.0.0.1:4747';
const host = '127.0.0.1:4747';

export interface Ask {
  readonly token?: string;
  readonly method?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Answer {
  readonly status: number;
  readonly json: Record<string, unknown>;
  readonly text: string;
  readonly headers: Headers;
}

export class House {
  readonly at: Stage;
  readonly app: App;
  readonly tokens: Tokens;
  readonly bugs: unknown[] = [];
  #document: Document | undefined;

  constructor(at: Stage, limits: AppOptions['limits'] = {}) {
    this.at = at;
    this.tokens = new Tokens(new MemoryKeeper(), at.context);
    this.app = createApp({
      context: at.context,
      tokens: this.tokens,
      origins: () => [origin],
      version: '0.0.0',
      limits,
      onBug: (error) => this.bugs.push(error),
    });
  }

  async token(actor: Actor, more: Partial<NewGrant> = {}): Promise<string> {
    const now = this.at.clock.now();
    const given: NewGrant = {
      use: 'bearer',
      actor,
      task: null,
      generation: null,
      verbs: [...verbs],
      createdAt: now,
      createdBy: 'eve',
      expiresAt: now + 3_600_000,
      ...more,
    };
    return (await this.tokens.create(given)).token;
  }

  async raw(path: string, { token, method = 'GET', body, headers = {} }: Ask = {}): Promise<Response> {
    return await this.app.fetch(
      new Request(`${origin}${path}`, {
        method,
        headers: {
          host,
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      }),
    );
  }

  async ask(path: string, asked: Ask = {}): Promise<Answer> {
    const answer = await this.raw(path, asked);
    const text = await answer.text();
    const isJson = /[/+]json(?:;|$)/.test(answer.headers.get('content-type') ?? '');
    const json = (isJson ? JSON.parse(text) : {}) as Record<string, unknown>;
    if (isJson) await this.#holdToDocument(path, asked.method ?? 'GET', answer.status, json);
    return { status: answer.status, json, text, headers: answer.headers };
  }

  async post(path: string, token: string, body: unknown, headers: Ask['headers'] = {}): Promise<Answer> {
    return await this.ask(path, { token, method: 'POST', body, headers });
  }

  async document(): Promise<Document> {
    if (this.#document === undefined) {
      const token = await this.token(eve);
      this.#document = (await (await this.raw('/api/openapi.json', { token })).json()) as Document;
    }
    return this.#document;
  }

  async #holdToDocument(path: string, method: string, status: number, json: unknown): Promise<void> {
    const document = await this.document();
    const operation = operationFor(document, path.split('?')[0] ?? '', method.toLowerCase());
    const media = status === 200 ? 'application/json' : 'application/problem+json';
    const said =
      status === 200
        ? operation?.responses['200']?.content[media]?.schema
        : document.components.schemas['Problem'];
    if (said === undefined) throw new Error(`The document has no ${method} ${path} with ${status}.`);
    const faults = schemaFaults(resolved(said, document) as Schema, json);
    if (faults.length > 0) throw new Error(`${method} ${path}: ${faults.slice(0, 3).join('; ')}`);
  }
}

type Schema = Readonly<Record<string, unknown>>;

export interface Document {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

interface Operation {
  readonly operationId: string;
  readonly responses: Readonly<
    Record<string, { readonly content: Readonly<Record<string, { readonly schema: Schema }>> }>
  >;
}

function operationFor(document: Document, path: string, method: string): Operation | undefined {
  const parts = path.split('/');
  const known = Object.keys(document.paths).filter((template) => {
    const named = template.split('/');
    return (
      named.length === parts.length && named.every((part, i) => part.startsWith('{') || part === parts[i])
    );
  });
  const exact = known.find((template) => !template.includes('{')) ?? known[0];
  return exact === undefined ? undefined : document.paths[exact]?.[method];
}

/** References put in place; the judge of schemas knows none. */
function resolved(value: unknown, document: Document): unknown {
  if (Array.isArray(value)) return value.map((one) => resolved(one, document));
  if (typeof value !== 'object' || value === null) return value;
  const reference = (value as Schema)['$ref'];
  if (typeof reference === 'string')
    return resolved(document.components.schemas[reference.split('/').at(-1) ?? ''], document);
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, resolved(one, document)]));
}

export function newHouse(limits: AppOptions['limits'] = {}): House {
  return new House(stage(), limits);
}

export const fence = { goal: 'The fence stands.', review: { human: true } } as const;

/** Work of ada's that waits for a verdict. */
export async function submitted({ at }: House, contract: object = fence): Promise<TaskId> {
  const leg: Leg = await at.staffetta.begin(contract as never, { as: ada });
  // A gate that has nothing to say binds nobody to its findings.
  await leg.submit({ claims: { done: ['posts'], remaining: ['TBD'], next: 'boards' } });
  return leg.task;
}

/** What the page of a task shows that a verdict binds to. */
export async function bindsOf(house: House, task: TaskId, token: string): Promise<Record<string, unknown>> {
  return (await house.ask(`/api/tasks/${task}`, { token })).json['binds'] as Record<string, unknown>;
}
