/** Records of a session as they stand in its file: lines of JSON. What is none is left out. */
export type Json = Readonly<Record<string, unknown>>;

export function isRecord(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function objectIn(text: string): Json | null {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : null;
  } catch {
    return null;
  }
}

export function* recordsIn(text: string): Generator<Json> {
  for (const line of text.split('\n')) {
    const record = line === '' ? null : objectIn(line);
    if (record !== null) yield record;
  }
}

export function textAt(record: Json | null | undefined, field: string): string | null {
  const value = record?.[field];
  return typeof value === 'string' && value !== '' ? value : null;
}

export function recordAt(record: Json, field: string): Json | null {
  const value = record[field];
  return isRecord(value) ? value : null;
}

/** The blocks of a message whose content is a list. */
export function blocksOf(content: unknown): Json[] {
  return Array.isArray(content) ? content.filter(isRecord) : [];
}
