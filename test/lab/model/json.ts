/** Bodies of requests, looked into without trusting them. */
export function field(value: unknown, ...names: readonly string[]): unknown {
  let found = value;
  for (const name of names) {
    if (typeof found !== 'object' || found === null || Array.isArray(found)) return undefined;
    found = (found as Readonly<Record<string, unknown>>)[name];
  }
  return found;
}

export function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** Content that is a text, or a list of parts of which some have one. */
export function textIn(content: unknown): string {
  if (typeof content === 'string') return content;
  return list(content)
    .map((part) => text(field(part, 'text')))
    .join('');
}

export function parsed(json: string): unknown {
  try {
    return JSON.parse(json) as unknown;
  } catch {
    return json;
  }
}
