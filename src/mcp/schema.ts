/**
 * Schemas as the protocol wants them. A tool says what it takes with the same small schemas that check everything else here. What it gives
 * is listed nowhere: every host would pay for that in each session, twice what all the rest costs, and a model reads the answer itself.
 * The library is told to let every argument pass: what is wrong is then said by us, in words that a model can act on, and not as an
 * error of the protocol.
 */
import type { StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import * as z from 'zod/mini';
import { unfenced } from '../core/briefing/item.ts';

type Json = Record<string, unknown>;

export function toolSchemaOf(shape: z.core.$ZodType): Json {
  const { $schema: _, ...schema } = z.toJSONSchema(shape, {
    io: 'input',
    unrepresentable: 'any',
    override({ jsonSchema, path }) {
      // What a number of JSON cannot go beyond says nothing, and what is within an object is checked all the same.
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      if (path.length > 0) delete jsonSchema.additionalProperties;
    },
  });
  return schema;
}

/** Shown to the caller; checked by the tool itself. */
export function listedOnly(schema: Json): StandardSchemaWithJSON<unknown, unknown> {
  return {
    '~standard': {
      version: 1,
      vendor: 'staffetta',
      validate: (value) => ({ value }),
      jsonSchema: { input: () => schema, output: () => schema },
    },
  };
}

/** Arguments of a prompt: checked by their schema, and completed by the fields in it. */
export function argumentsOf<T extends z.ZodMiniObject>(
  shape: T,
): StandardSchemaWithJSON<z.input<T>, z.output<T>> & { readonly shape: T['shape'] } {
  const json = toolSchemaOf(shape);
  const { version, vendor, validate } = shape['~standard'];
  return {
    shape: shape.shape,
    '~standard': { version, vendor, validate, jsonSchema: { input: () => json, output: () => json } },
  };
}

/** A text that people, agents and programs wrote. Some hosts show their model the data of an answer alone, so it stands in a fence there too. */
export const Foreign = z.string();

/** The same value with every `Foreign` text in its fence. */
export function withFences(schema: z.core.$ZodType, value: unknown): unknown {
  if (value === null || value === undefined) return value;
  if (schema === Foreign && typeof value === 'string') return `<data>${unfenced(value)}</data>`;
  if (schema instanceof z.ZodMiniNullable || schema instanceof z.ZodMiniOptional)
    return withFences(schema.def.innerType, value);
  if (schema instanceof z.ZodMiniArray && Array.isArray(value))
    return value.map((one) => withFences(schema.def.element, one));
  if (!(schema instanceof z.ZodMiniObject)) return value;
  const shape: Readonly<Record<string, z.core.$ZodType>> = schema.def.shape;
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => {
      const field = shape[key];
      return [key, field === undefined ? one : withFences(field, one)];
    }),
  );
}

export function textField(what: string): z.ZodMiniString {
  return z.string().check(z.describe(what));
}

export function textListField(what: string): z.ZodMiniArray<z.ZodMiniString> {
  return z.array(z.string()).check(z.describe(what));
}

/** The arguments that most tools take. */
export const taskArgument = z.optional(textField('Left out: the one you hold'));
export const keyArgument = z.optional(textField('Repeating a call with its key changes nothing'));
export const generationArgument = z.optional(
  z.int().check(z.describe('Act only if this generation still holds it')),
);
