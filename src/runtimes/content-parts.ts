import { fieldsOf, type Fields } from '../core/transcript/loose-json.ts';

/** Content is a text, a part, or a list of both. */
export function contentParts(content: unknown): Fields[] {
  const list: readonly unknown[] = Array.isArray(content) ? content : [content];
  return list.flatMap((part) => {
    if (typeof part === 'string') return [{ text: part }];
    const fields = fieldsOf(part);
    return fields === null ? [] : [fields];
  });
}
