/** The least that fits what a request beside the conversation asks for: a short text, or JSON of a given shape. */
import { field, list, text } from './json.ts';

export function sampleOf(body: unknown): string {
  const shape =
    field(body, 'generationConfig', 'responseJsonSchema') ??
    field(body, 'generationConfig', 'responseSchema') ??
    field(body, 'text', 'format', 'schema') ??
    field(body, 'output_config', 'format', 'schema') ??
    field(body, 'response_format', 'json_schema', 'schema');
  return shape === undefined ? 'Work in the lab' : JSON.stringify(valueOf(shape));
}

function valueOf(shape: unknown): unknown {
  const [first] = list(field(shape, 'enum'));
  if (first !== undefined) return first;
  const type = field(shape, 'type');
  switch (text(Array.isArray(type) ? type[0] : type).toLowerCase()) {
    case 'object':
      return Object.fromEntries(
        Object.entries(field(shape, 'properties') ?? {}).map(([name, inner]) => [name, valueOf(inner)]),
      );
    case 'array':
      return [];
    case 'boolean':
      return false;
    case 'integer':
    case 'number':
      return field(shape, 'minimum') ?? 1;
    default:
      return 'lab';
  }
}
