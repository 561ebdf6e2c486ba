/** The fields that have a value, for types in which a field is absent where it has none. */
export function defined<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const found: Record<string, unknown> = {};
  for (const name of Object.keys(fields)) {
    const value = (fields as Readonly<Record<string, unknown>>)[name];
    if (value !== undefined) found[name] = value;
  }
  return found as { [K in keyof T]?: Exclude<T[K], undefined> };
}

/** What counts as nothing said. */
type Empty = undefined | null | false | '' | readonly [];

/** The same where null, false, an empty text and an empty list stand for nothing as well. */
export function filled<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], Empty> } {
  const found: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(fields) as [string, unknown][])
    if (!isEmpty(value)) found[name] = value;
  return found as { [K in keyof T]?: Exclude<T[K], Empty> };
}

function isEmpty(value: unknown): value is Empty {
  return (
    value === undefined ||
    value === null ||
    value === false ||
    value === '' ||
    (Array.isArray(value) && value.length === 0)
  );
}
