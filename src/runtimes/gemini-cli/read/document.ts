/**
 * A session of older versions, which is one JSON document, as records: the document without its messages, and then each message as it
 * stands there. So a step is named after its message, as in the logs of later versions, and not all of them after the document.
 */
const [space, quote, backslash, comma] = [0x20, 0x22, 0x5c, 0x2c];
const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d];

/** The whole as the only record where it has no list of messages, or is not closed. */
export function recordsIn(document: Uint8Array): Uint8Array[] {
  const list = messagesIn(document);
  if (list === null) return [document];
  const messages: Uint8Array[] = [];
  let from = list.from;
  for (const to of [...list.commas, list.to]) {
    const message = document.subarray(from, to);
    if (message.some((byte) => byte > space)) messages.push(message);
    from = to + 1;
  }
  return [Buffer.concat([document.subarray(0, list.from), document.subarray(list.to)]), ...messages];
}

interface List {
  readonly from: number;
  readonly commas: readonly number[];
  readonly to: number;
}

/** Where the list called `messages` stands in the outermost object, if there is one such. */
function messagesIn(bytes: Uint8Array): List | null {
  if (bytes.find((byte) => byte > space) !== openBrace) return null;
  let depth = 0;
  let name = '';
  let open: { readonly from: number; readonly commas: number[] } | null = null;
  let found: List | null = null;
  for (let i = 0; i < bytes.length; i += 1) {
    const byte = bytes[i];
    if (byte === quote) {
      const end = endOfText(bytes, i);
      // In the outermost object the last text before a list is its name.
      if (depth === 1) name = Buffer.from(bytes.subarray(i + 1, Math.min(end, i + 32))).toString('latin1');
      i = end;
    } else if (byte === openBrace || byte === openBracket) {
      depth += 1;
      if (depth !== 2 || byte !== openBracket || name !== 'messages') continue;
      if (found !== null) return null;
      open = { from: i + 1, commas: [] };
    } else if (byte === closeBrace || byte === closeBracket) {
      depth -= 1;
      if (depth !== 1 || open === null) continue;
      found = { ...open, to: i };
      open = null;
    } else if (byte === comma && depth === 2) open?.commas.push(i);
  }
  return depth === 0 ? found : null;
}

function endOfText(bytes: Uint8Array, start: number): number {
  for (let end = bytes.indexOf(quote, start + 1); end !== -1; end = bytes.indexOf(quote, end + 1)) {
    let escapes = 0;
    while (bytes[end - 1 - escapes] === backslash) escapes += 1;
    if (escapes % 2 === 0) return end;
  }
  return bytes.length;
}
