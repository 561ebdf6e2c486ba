/**
 * JSON Schemas of what others may write or read, made from the schemas that check it, so that the two cannot drift apart. A JSON
 * Schema says less: that a text is no longer than its bytes may be, or that two phases differ in name, is only checked by
 * the tool.
 */
import * as z from 'zod/mini';
import { lanes } from '../task/lanes.ts';
import { Address, Owner } from '../task/address.ts';
import { Contract } from '../contract/contract.ts';
import { Digest } from '../journal/digest.ts';
import { TaskId } from '../journal/id.ts';
import { limits } from '../base/limits.ts';
import { Packet } from '../packet/packet.ts';
import { Crew } from '../plan/crew.ts';
import { asWritten } from '../plan/plan-schema.ts';
import { WorkPlan } from '../plan/work-plan.ts';
import { ProgressFile } from './progress-file.ts';
import { Name, Text } from '../base/text.ts';

export type JsonSchema = Readonly<Record<string, unknown>>;

const name = '[\\p{L}\\p{N}][\\p{L}\\p{N}._@+/-]*';

/** What the checks of these types mean, as far as a pattern can say it. */
const spelled: ReadonlyMap<unknown, JsonSchema> = new Map<unknown, JsonSchema>([
  [Digest, { type: 'string', pattern: '^sha256:[0-9a-f]{64}$' }],
  [TaskId, { type: 'string', pattern: '^t[0-9a-hjkmnp-tv-z]{12}$' }],
  [
    Address,
    { type: 'string', pattern: `^(?:anyone|lane:(?:${lanes.join('|')})|(?:agent|runtime):${name})$` },
  ],
  [
    Owner,
    {
      type: 'string',
      pattern: `^(?:anyone|human|lane:(?:${lanes.join('|')})|(?:agent|runtime|human):${name})$`,
    },
  ],
  [Name, { type: 'string', minLength: 1, maxLength: limits.nameCharsMax, pattern: `^${name}$` }],
  [Text, { type: 'string', pattern: '\\S' }],
]);

/** `named`: shapes that are told elsewhere, and only referred to here. */
export function jsonSchemaOf(
  shape: z.core.$ZodType,
  named: ReadonlyMap<unknown, string> = new Map(),
): JsonSchema {
  return z.toJSONSchema(shape, {
    unrepresentable: 'any',
    override({ zodSchema, jsonSchema }) {
      const reference = zodSchema === shape ? undefined : named.get(zodSchema);
      const known = spelled.get(zodSchema);
      if (reference !== undefined) {
        for (const word of Object.keys(jsonSchema)) Reflect.deleteProperty(jsonSchema, word);
        jsonSchema.$ref = reference;
      } else if (known !== undefined) Object.assign(jsonSchema, known);
      else if (zodSchema._zod.def.type === 'custom')
        throw new Error('A type that JSON Schema cannot say has to be spelled out here.');
    },
  });
}

function schemaOf(shape: z.core.$ZodType, title: string, description: string): JsonSchema {
  const { $schema, ...rest } = jsonSchemaOf(shape);
  return { $schema, title, description, ...rest };
}

/** A contract as people write it: less has to be said, and some of it in one line. */
function contractFileSchema(contract: JsonSchema): JsonSchema {
  const { v, needs, validation, review, ...properties } = contract['properties'] as Record<
    string,
    JsonSchema
  >;
  const line = { type: 'string', minLength: 1 };
  const commands = (validation?.['items'] ?? {}) as JsonSchema;
  return {
    ...contract,
    title: 'A contract file of Staffetta',
    description: 'What staffetta open --file and amend --file read, as YAML or JSON.',
    properties: {
      $schema: { type: 'string' },
      v,
      ...properties,
      validation: { ...validation, items: { anyOf: [line, commands] } },
      review: { anyOf: [line, review] },
      needs: { ...needs, items: { type: 'string', minLength: 4 } },
    },
    required: ['goal'],
  };
}

/** By the name of the file they are published as. */
export function jsonSchemas(): Readonly<Record<string, JsonSchema>> {
  const contract = schemaOf(
    Contract,
    'A contract of Staffetta',
    'As stored: canonical JSON, named by its digest.',
  );
  return {
    contract,
    'contract-file': contractFileSchema(contract),
    packet: schemaOf(Packet, 'A packet of Staffetta', 'As stored: canonical JSON, named by its digest.'),
    progress: schemaOf(
      ProgressFile,
      'progress.json of Staffetta',
      'How a task stands, as staffetta brief --write leaves it.',
    ),
    'plan-file': asWritten(
      schemaOf(WorkPlan, 'A plan of Staffetta', 'Tasks that wait for each other, as YAML or JSON.'),
    ),
    'crew-file': asWritten(schemaOf(Crew, 'A crew of Staffetta', 'Who works on a plan, as YAML or JSON.')),
  };
}
