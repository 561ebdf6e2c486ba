/** Names as git writes them: in double quotes, with escapes as in C, where a character needs it. */

const escapes: Readonly<Record<string, number>> = {
  a: 7,
  b: 8,
  t: 9,
  n: 10,
  v: 11,
  f: 12,
  r: 13,
  '"': 34,
  '\\': 92,
};

/** The name behind the quotes; a name without them is itself. Bytes above 127 come one by one in octal and are UTF-8 together. */
export function unquoteName(name: string): string {
  if (!isQuoted(name)) return name;
  const bytes: number[] = [];
  const encoder = new TextEncoder();
  const inner = name.slice(1, -1);
  for (let at = 0; at < inner.length;) {
    const octal = /^\\([0-3][0-7]{2})/.exec(inner.slice(at, at + 4))?.[1];
    const escaped = inner[at] === '\\' ? escapes[inner[at + 1] ?? ''] : undefined;
    if (octal !== undefined) {
      bytes.push(Number.parseInt(octal, 8));
      at += 4;
    } else if (escaped !== undefined) {
      bytes.push(escaped);
      at += 2;
    } else {
      const character = String.fromCodePoint(inner.codePointAt(at) ?? 0);
      bytes.push(...encoder.encode(character));
      at += character.length;
    }
  }
  return new TextDecoder().decode(new Uint8Array(bytes));
}

function isQuoted(name: string): boolean {
  return name.length >= 2 && name.startsWith('"') && name.endsWith('"');
}

/** Both names of `diff --git a/OLD b/NEW`. Without quotes they can only be told apart where they are the same, which they are unless a later line names both. */
export function namesInHeader(line: string): { readonly old: string; readonly new: string } | undefined {
  const rest = line.slice('diff --git '.length);
  const quoted = /^("(?:[^"\\]|\\.)*"|\S+) ("(?:[^"\\]|\\.)*")$|^("(?:[^"\\]|\\.)*") (.+)$/.exec(rest);
  if (quoted !== null)
    return {
      old: bare(unquoteName(quoted[1] ?? quoted[3] ?? '')),
      new: bare(unquoteName(quoted[2] ?? quoted[4] ?? '')),
    };
  const half = (rest.length - 1) / 2;
  const [old, now] = [rest.slice(0, half), rest.slice(half + 1)];
  if (Number.isInteger(half) && bare(old) === bare(now)) return { old: bare(old), new: bare(now) };
  const at = rest.indexOf(' b/');
  return at === -1 ? undefined : { old: bare(rest.slice(0, at)), new: bare(rest.slice(at + 1)) };
}

/** Without the letter that says which side it is of. */
export function bare(name: string): string {
  return /^[abciow]\//.test(name) ? name.slice(2) : name;
}
