/**
 * The first field that an object of a JSON text names twice, with the way to it, such as `review.owner`; undefined if there is none.
 * JSON's own reader keeps the last and says nothing. The text must be JSON already.
 */
export function repeatedKey(json: string): string | undefined {
  const open: Level[] = [];
  const token = /"(?:[^"\\]|\\.)*"|[{}[\],:]/gs;
  let isKey = false;
  for (const [found] of json.matchAll(token)) {
    const level = open.at(-1);
    if (found === '{' || found === '[') {
      open.push({ keys: found === '{' ? new Set() : undefined, key: '' });
      isKey = found === '{';
    } else if (found === '}' || found === ']') {
      open.pop();
      isKey = false;
    } else if (found === ',') isKey = level?.keys !== undefined;
    else if (found === ':') isKey = false;
    else if (isKey && level?.keys !== undefined) {
      level.key = JSON.parse(found) as string;
      if (level.keys.has(level.key)) return wayTo(open);
      level.keys.add(level.key);
    }
  }
  return undefined;
}

interface Level {
  /** Undefined in a list. */
  readonly keys: Set<string> | undefined;
  key: string;
}

function wayTo(open: readonly Level[]): string {
  return open
    .filter(({ keys }) => keys !== undefined)
    .map(({ key }) => key)
    .join('.');
}
