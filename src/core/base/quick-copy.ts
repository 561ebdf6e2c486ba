/**
 * A value that fits its schema, copied as the schema library would, in half the time: a transfer parses eight values, nearly
 * all of them sound. It knows only what our shapes are made of, and it never explains: whatever it does not know or
 * does not like is left to the library, which decides. So only the library's yes is ever anticipated, never its no.
 */
import type * as z from 'zod/mini';

export const unsure = Symbol('unsure');

/** `keeps`: the value is nobody else's, and is answered itself where it fits. */
type Copier = (value: unknown, keeps: boolean) => unknown;
type Schema = z.core.$ZodType;
type Check = z.core.$ZodCheck<unknown>;

const built = new WeakMap<Schema, Copier>();

/** The copy, or `unsure`. */
export function quickCopy(schema: Schema, value: unknown): unknown {
  return copierOf(schema)(value, false);
}

/** Whether the value fits, and need not be copied. Where that is unsure, the answer is no. */
export function quickCheck(schema: Schema, value: unknown): boolean {
  return copierOf(schema)(value, true) !== unsure;
}

function copierOf(schema: Schema): Copier {
  let copier = built.get(schema);
  if (copier === undefined) {
    copier = withChecks(schema, baseCopier((schema as z.core.$ZodTypes)._zod.def));
    built.set(schema, copier);
  }
  return copier;
}

function baseCopier(def: z.core.$ZodTypes['_zod']['def']): Copier {
  switch (def.type) {
    case 'string':
      return (value) => (typeof value === 'string' && def.coerce !== true ? value : unsure);
    case 'number':
      return (value) => (Number.isFinite(value) && def.coerce !== true ? value : unsure);
    case 'boolean':
      return (value) => (typeof value === 'boolean' && def.coerce !== true ? value : unsure);
    case 'unknown':
    case 'custom':
      return (value) => value;
    case 'literal':
      return oneOf(def.values);
    case 'enum':
      return oneOf(Object.values(def.entries));
    case 'nullable':
      return nullable(copierOf(def.innerType));
    case 'optional':
      return copierOf(def.innerType);
    case 'array':
      return arrayCopier(copierOf(def.element));
    case 'union':
      return unionCopier(def.options.map(copierOf));
    case 'object':
      return def.catchall?._zod.def.type === 'never' ? objectCopier(def.shape) : () => unsure;
    case 'record':
      return def.keyType._zod.def.type === 'string'
        ? recordCopier(copierOf(def.keyType), copierOf(def.valueType))
        : () => unsure;
    default:
      return () => unsure;
  }
}

function oneOf(values: readonly unknown[]): Copier {
  const known = new Set(values);
  return (value) => (known.has(value) ? value : unsure);
}

function nullable(inner: Copier): Copier {
  return (value, keeps) => (value === null ? null : inner(value, keeps));
}

function unionCopier(options: readonly Copier[]): Copier {
  return (value, keeps) => {
    for (const option of options) {
      const copy = option(value, keeps);
      if (copy !== unsure) return copy;
    }
    return unsure;
  };
}

function arrayCopier(element: Copier): Copier {
  return (value, keeps) => {
    if (!Array.isArray(value)) return unsure;
    const copy: unknown[] = keeps ? value : [];
    for (let i = 0; i < value.length; i += 1) {
      const item = element(value[i], keeps);
      if (item === unsure) return unsure;
      if (!keeps) copy.push(item);
    }
    return copy;
  };
}

/** Any names that fit; what hides among them is left to the library. */
function recordCopier(name: Copier, inner: Copier): Copier {
  return (value, keeps) => {
    if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype)
      return unsure;
    const copy: Record<string, unknown> = keeps ? (value as Record<string, unknown>) : {};
    for (const key of Reflect.ownKeys(value)) {
      if (typeof key !== 'string' || key === '__proto__' || name(key, keeps) !== key) return unsure;
      const field = inner((value as Readonly<Record<string, unknown>>)[key], keeps);
      if (field === unsure) return unsure;
      if (!keeps) copy[key] = field;
    }
    return copy;
  };
}

interface Field {
  readonly key: string;
  readonly copier: Copier;
  readonly optional: boolean;
}

/** Strict: every field is declared, and every field that is not optional is there. */
function objectCopier(shape: Readonly<Record<string, Schema>>): Copier {
  const fields = Object.entries(shape).map(([key, schema]) => ({
    key,
    copier: copierOf(schema),
    optional: schema._zod.def.type === 'optional',
  }));
  const byKey = new Map(fields.map((field) => [field.key, field]));
  const needed = fields.filter(({ optional }) => !optional).length;
  return (value, keeps) => {
    if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype)
      return unsure;
    const given = value as Readonly<Record<string, unknown>>;
    if (keeps) return isMadeOf(given, byKey, needed) ? given : unsure;
    return copyOf(given, fields);
  };
}

/** By the fields that are there, which are fewer than those that could be. Inherited ones are not known either. */
function isMadeOf(
  value: Readonly<Record<string, unknown>>,
  fields: ReadonlyMap<string, Field>,
  needed: number,
): boolean {
  let missing = needed;
  for (const key in value) {
    const field = fields.get(key);
    const given = value[key];
    if (field === undefined || given === undefined || field.copier(given, true) === unsure) return false;
    if (!field.optional) missing -= 1;
  }
  return missing === 0;
}

/** In the order of the shape, as the library does: states are compared as text. */
function copyOf(value: Readonly<Record<string, unknown>>, fields: readonly Field[]): unknown {
  const copy: Record<string, unknown> = {};
  let found = 0;
  for (const { key, copier, optional } of fields) {
    const given = value[key];
    if (given === undefined && optional) continue;
    const field = given === undefined ? unsure : copier(given, false);
    if (field === unsure) return unsure;
    copy[key] = field;
    found += 1;
  }
  // More fields than were found: unknown ones, or some that are there and undefined.
  for (const _ in value) found -= 1;
  return found === 0 ? copy : unsure;
}

/** Some schemas are a check themselves: whole numbers, and our own. */
function withChecks(schema: Schema, copier: Copier): Copier {
  const { checks = [] } = schema._zod.def;
  const own = schema._zod.traits.has('$ZodCheck') ? [schema] : [];
  const all = [...own, ...checks] as readonly unknown[] as readonly Check[];
  if (all.length === 0) return copier;
  const tests = all.map(testOf);
  return (value, keeps) => {
    const copy = copier(value, keeps);
    if (copy === unsure) return unsure;
    for (const passes of tests) if (!passes(copy)) return unsure;
    return copy;
  };
}

/** Our own say yes or no by themselves; the library's are asked in its way. */
function testOf({ _zod }: Check): (value: unknown) => boolean {
  const { fn, when } = _zod.def as { fn?: (value: unknown) => unknown; when?: (p: unknown) => boolean };
  if (fn !== undefined && when === undefined) return (value) => fn(value) === true;
  return (value) => {
    const payload: z.core.ParsePayload = { value, issues: [] };
    if (when?.(payload) === false || _zod.check(payload) !== undefined) return false;
    return payload.issues.length === 0 && payload.value === value;
  };
}
