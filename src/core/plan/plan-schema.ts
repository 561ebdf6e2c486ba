/** The JSON Schemas of plans and crews as people write them: those of the checked forms, with what may be written shorter. */
import type { JsonSchema } from '../files/json-schema.ts';

const line: JsonSchema = { type: 'string', minLength: 1 };
const time: JsonSchema = { type: 'string', pattern: '^\\d+(?:\\.\\d+)? ?(?:ms|s|m|h|d|w)$' };
const tokens: JsonSchema = { type: 'string', pattern: '^\\d+(?:\\.\\d+)? ?[kM]?$' };
const cost: JsonSchema = { type: 'string', pattern: '^\\d+(?:\\.\\d+)? ?[A-Z]{3,8}$' };
const edge: JsonSchema = { type: 'string', pattern: '->' };

type Shorter = (schema: JsonSchema) => JsonSchema;

function or(...shorter: JsonSchema[]): Shorter {
  return (schema) => ({ anyOf: [...shorter, schema] });
}

function eachOr(...shorter: JsonSchema[]): Shorter {
  return (schema) => ({ ...schema, items: { anyOf: [...shorter, schema['items']] } });
}

/** By the name of the field. What a review says inside is not written shorter. */
const ways: Readonly<Record<string, Shorter>> = {
  needs: or(line),
  paths: or(line),
  nonGoals: or(line),
  runtime: or(line),
  path: or(line),
  label: or(line),
  command: or(line),
  validation: eachOr(line),
  verify: eachOr(line),
  rollback: eachOr(line),
  setup: eachOr(line),
  phases: eachOr(line),
  review: or(line),
  edges: eachOr(edge),
  router: or(line),
  retry: or({ type: 'integer', minimum: 0, maximum: 100 }),
  tokens: or(tokens),
  cost: or(cost),
};

/** Times that have a name of their own where they are written in words, beside the one in milliseconds. */
const inWords: Readonly<Record<string, string>> = {
  legMs: 'leg',
  stallMs: 'stall',
  afterMs: 'after',
  ms: 'time',
};

/** Only the schema itself gets the field by which a file names it. */
export function asWritten(schema: JsonSchema): JsonSchema {
  const { $schema, title, description, ...rest } = schema;
  const written = shortened(rest);
  return {
    $schema,
    title,
    description,
    ...written,
    properties: { $schema: { type: 'string' }, ...(written['properties'] as JsonSchema) },
  };
}

function shortened(schema: JsonSchema): JsonSchema {
  const { properties, items, additionalProperties } = schema as Readonly<
    Record<string, JsonSchema | undefined>
  >;
  return {
    ...schema,
    ...(properties === undefined ? {} : { properties: fieldsOf(properties) }),
    ...(items === undefined ? {} : { items: shortened(items) }),
    ...(typeof additionalProperties === 'object'
      ? { additionalProperties: shortened(additionalProperties) }
      : {}),
  };
}

function fieldsOf(properties: JsonSchema): JsonSchema {
  return Object.fromEntries(
    Object.entries(properties).flatMap(([name, given]) => {
      const inner = name === 'review' ? (given as JsonSchema) : shortened(given as JsonSchema);
      const way = Object.hasOwn(ways, name) ? ways[name] : undefined;
      const words = Object.hasOwn(inWords, name) ? inWords[name] : undefined;
      return [
        [name, way === undefined ? inner : way(inner)] as const,
        ...(words === undefined ? [] : [[words, time] as const]),
      ];
    }),
  );
}
