/** The OpenAPI 3.1 document, made from the routes and their schemas. */
import type * as z from 'zod/mini';
import { Contract } from '../../core/contract/contract.ts';
import { jsonSchemaOf, type JsonSchema } from '../../core/files/json-schema.ts';
import { Packet } from '../../core/packet/packet.ts';
import { Card, FeedQuery, Finding, LiveEvent, Problem } from './contract.ts';
import type { Route } from '../route.ts';
import { twinForms, type ChangeName } from './twins.ts';

const components = { Card, Contract, Finding, LiveEvent, Packet, Problem };

const references: ReadonlyMap<unknown, string> = new Map(
  Object.entries(components).map(([name, shape]) => [shape, `#/components/schemas/${name}`]),
);

function schemaOf(shape: z.core.$ZodType): JsonSchema {
  const known = references.get(shape);
  if (known !== undefined) return { $ref: known };
  const { $schema: _version, ...schema } = jsonSchemaOf(shape, references);
  return schema;
}

function component(shape: z.core.$ZodType): JsonSchema {
  const { $schema: _version, ...schema } = jsonSchemaOf(shape, references);
  return schema;
}

/** Routes that are no plain question and answer. */
const special = {
  '/api/events': {
    get: {
      operationId: 'followEvents',
      summary: 'What happens, as it happens: server-sent events, resumed with Last-Event-ID',
      parameters: [
        { name: 'Last-Event-ID', in: 'header', required: false, schema: { type: 'string' } },
        ...queryParameters(FeedQuery),
      ],
      responses: {
        '200': {
          description: 'A stream; the data of each event is a LiveEvent as JSON',
          content: { 'text/event-stream': { schema: { type: 'string' } } },
        },
        default: problemAnswer(),
      },
    },
  },
  '/api/openapi.json': {
    get: {
      operationId: 'readOpenapi',
      summary: 'This document',
      responses: {
        '200': {
          description: 'The document',
          content: { 'application/json': { schema: { type: 'object' } } },
        },
        default: problemAnswer(),
      },
    },
  },
  '/metrics': {
    get: {
      operationId: 'readMetrics',
      summary: 'Counters and states, as Prometheus reads them',
      responses: {
        '200': { description: 'Text', content: { 'text/plain': { schema: { type: 'string' } } } },
        default: problemAnswer(),
      },
    },
  },
  '/.well-known/agent-card.json': {
    get: {
      operationId: 'readAgentCard',
      summary: 'What this server is as an agent of A2A. Needs no token',
      security: [],
      responses: {
        '200': { description: 'The card', content: { 'application/json': { schema: { type: 'object' } } } },
        default: problemAnswer(),
      },
    },
  },
  '/healthz': {
    get: {
      operationId: 'readHealth',
      summary: 'Whether the server answers. Needs no token, and tells nothing else',
      security: [],
      responses: {
        '200': { description: 'It does', content: { 'text/plain': { schema: { type: 'string' } } } },
        default: problemAnswer(),
      },
    },
  },
};

function problemAnswer(): object {
  return {
    description: 'A refusal, as problem details (RFC 9457)',
    content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
  };
}

function queryParameters(shape: z.ZodMiniObject): object[] {
  const { properties = {}, required = [] } = jsonSchemaOf(shape) as {
    readonly properties?: Readonly<Record<string, JsonSchema>>;
    readonly required?: readonly string[];
  };
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    schema,
    ...(schema['type'] === 'array' ? { style: 'form', explode: false } : {}),
  }));
}

function operation(route: Route): object {
  const { id, summary, path, method, query, body, answer, verb } = route;
  const named = [...path.matchAll(/:(\w+)/g)].map((match) => ({
    name: match[1] ?? '',
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
  const key =
    method === 'post' && body !== undefined
      ? [
          {
            name: 'Idempotency-Key',
            in: 'header',
            required: false,
            schema: { type: 'string', maxLength: 200 },
          },
        ]
      : [];
  const content =
    'media' in answer
      ? { [answer.media.split(';')[0] ?? '']: { schema: {} } }
      : { 'application/json': { schema: schemaOf(answer) } };
  return {
    operationId: id,
    summary,
    ...(id in twinForms ? { 'x-twin': twinForms[id as ChangeName] } : {}),
    ...(verb === null ? {} : { description: `Needs a token that may ${verb}.` }),
    parameters: [...named, ...(query === undefined ? [] : queryParameters(query)), ...key],
    ...(body === undefined
      ? {}
      : { requestBody: { required: true, content: { 'application/json': { schema: schemaOf(body) } } } }),
    responses: { '200': { description: 'The answer', content }, default: problemAnswer() },
  };
}

export function openapi(routes: readonly Route[], version: string): Readonly<Record<string, unknown>> {
  const paths: Record<string, Record<string, object>> = {};
  for (const route of routes) {
    const path = route.path.replaceAll(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [route.method]: operation(route) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Staffetta',
      version,
      description: 'The verbs of the command over HTTP. Every refusal has a code, and says what to do.',
    },
    security: [{ bearer: [] }, { cookie: [] }],
    paths: { ...paths, ...special },
    components: {
      schemas: Object.fromEntries(
        Object.entries(components).map(([name, shape]) => [name, component(shape)]),
      ),
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer' },
        cookie: { type: 'apiKey', in: 'cookie', name: 'staffetta-PORT' },
      },
    },
  };
}
