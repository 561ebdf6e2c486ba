/**
 * A small judge of JSON Schema, written apart from whatever makes the schemas. It knows the words they use and no other: a word it
 * does not know is an error, not something to pass over.
 */
type Schema = Readonly<Record<string, unknown>>;
type Check = (said: never, value: unknown, at: string, schema: Schema) => string[];

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const types: Readonly<Record<string, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number',
  integer: Number.isInteger,
  boolean: (value) => typeof value === 'boolean',
  null: (value) => value === null,
  array: Array.isArray,
  object: isObject,
};

const wrong = (isWrong: boolean, at: string, why: string): string[] => (isWrong ? [`${at}: ${why}`] : []);

const words: Readonly<Record<string, Check>> = {
  $schema: () => [],
  title: () => [],
  description: () => [],
  type: (said: string | string[], value, at) =>
    wrong(![said].flat().some((one) => types[one]?.(value) === true), at, `is no ${String(said)}`),
  const: (said: unknown, value, at) => wrong(value !== said, at, `is not ${String(said)}`),
  enum: (said: unknown[], value, at) => wrong(!said.includes(value), at, `is none of ${said.join(', ')}`),
  minLength: (said: number, value, at) =>
    wrong(typeof value === 'string' && value.length < said, at, 'is too short'),
  maxLength: (said: number, value, at) =>
    wrong(typeof value === 'string' && value.length > said, at, 'is too long'),
  pattern: (said: string, value, at) =>
    wrong(typeof value === 'string' && !new RegExp(said, 'u').test(value), at, `does not match ${said}`),
  minimum: (said: number, value, at) => wrong(typeof value === 'number' && value < said, at, 'is too small'),
  maximum: (said: number, value, at) => wrong(typeof value === 'number' && value > said, at, 'is too large'),
  exclusiveMinimum: (said: number, value, at) =>
    wrong(typeof value === 'number' && value <= said, at, 'is too small'),
  minItems: (said: number, value, at) =>
    wrong(Array.isArray(value) && value.length < said, at, 'has too few'),
  maxItems: (said: number, value, at) =>
    wrong(Array.isArray(value) && value.length > said, at, 'has too many'),
  items: (said: Schema, value, at) =>
    Array.isArray(value) ? value.flatMap((item: unknown, i) => schemaFaults(said, item, `${at}[${i}]`)) : [],
  anyOf: (said: Schema[], value, at) =>
    wrong(
      said.every((one) => schemaFaults(one, value, at).length > 0),
      at,
      'fits none of its forms',
    ),
  properties: (said: Record<string, Schema>, value, at) =>
    isObject(value)
      ? Object.entries(said).flatMap(([key, one]) =>
          key in value ? schemaFaults(one, value[key], `${at}.${key}`) : [],
        )
      : [],
  required: (said: string[], value, at) =>
    isObject(value) ? said.filter((key) => !(key in value)).map((key) => `${at}: lacks ${key}`) : [],
  propertyNames: (said: Schema, value, at) =>
    isObject(value) ? Object.keys(value).flatMap((key) => schemaFaults(said, key, `${at} name`)) : [],
  additionalProperties: (said: boolean | Schema, value, at, schema) => {
    if (!isObject(value)) return [];
    const known = Object.keys(schema['properties'] ?? {});
    const more = Object.keys(value).filter((key) => !known.includes(key));
    if (said === false) return more.map((key) => `${at}: has ${key}`);
    return said === true ? [] : more.flatMap((key) => schemaFaults(said, value[key], `${at}.${key}`));
  },
};

/** What is wrong with a value; empty where it fits. */
export function schemaFaults(schema: Schema, value: unknown, at = '$'): string[] {
  return Object.entries(schema).flatMap(([word, said]) => {
    const check = words[word];
    if (check === undefined) throw new Error(`${at}: the schema says ${word}, which nobody checks.`);
    return check(said as never, value, at, schema);
  });
}
