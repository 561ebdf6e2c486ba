import * as z from 'zod/mini';

/** A JSON Schema, as far as it is looked at here. */
interface Shape {
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly items?: Shape;
  readonly anyOf?: readonly Shape[];
}

/** Fields that a shape names and none of the values has, with where they would stand: `facts.workspace.git.head`. */
export function absentFields(schema: z.core.$ZodType, values: readonly unknown[]): string[] {
  const shape = z.toJSONSchema(schema, { unrepresentable: 'any', reused: 'inline' }) as Shape;
  return absent(shape, values, '');
}

function absent(shape: Shape, values: readonly unknown[], at: string): string[] {
  return [
    ...Object.entries(shape.properties ?? {}).flatMap(([name, inner]) => {
      const there = values.flatMap((value) => (isRecord(value) && name in value ? [value[name]] : []));
      const path = at === '' ? name : `${at}.${name}`;
      return there.length === 0 ? [path] : absent(inner, there, path);
    }),
    ...(shape.items === undefined
      ? []
      : absent(
          shape.items,
          values.flatMap((value) => (Array.isArray(value) ? (value as unknown[]) : [])),
          at,
        )),
    ...(shape.anyOf ?? []).flatMap((inner) => absent(inner, values, at)),
  ];
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
