/**
 * The native records, as loosely as they can be taken. A session file is a log of operations, one JSON object a line:
 *
 *   {sessionId, projectHash, startTime, …}   header; `messages` in it are upserted (older versions kept the whole session so)
 *   {$set: {…}}                              changes fields; `messages` in it replaces the whole list
 *   {$rewindTo: id}                          takes back that message and all after it; an unknown id takes back everything
 *   {id, type, content, …}                   a message; a known id replaces the message of that id where it stands
 *
 * The order of the checks is the program's own: what has several of these marks is the first of them. Fields are read as own
 * properties only, so that a record with `__proto__` or `constructor` in it is a record like any other.
 */
import { fieldsOf, listIn, own, textIn, type Fields } from '../../../core/transcript/loose-json.ts';

export type RecordOperation =
  | { readonly op: 'header'; readonly fields: Fields; readonly messages: readonly unknown[] }
  | { readonly op: 'set'; readonly fields: Fields; readonly messages: readonly unknown[] | null }
  | { readonly op: 'rewind'; readonly to: string }
  | { readonly op: 'message'; readonly fields: Fields }
  | { readonly op: 'unknown' }
  | { readonly op: 'unreadable' };

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

export function operationOf(record: Uint8Array): RecordOperation {
  const value = parsed(record);
  const fields = fieldsOf(value);
  if (fields === null) return { op: value === undefined ? 'unreadable' : 'unknown' };
  const to = textIn(fields, '$rewindTo');
  if (to !== null) return { op: 'rewind', to };
  if (textIn(fields, 'id') !== null) return { op: 'message', fields };
  const set = fieldsOf(own(fields, '$set'));
  if (set !== null) return { op: 'set', fields: set, messages: listIn(set, 'messages') };
  if (textIn(fields, 'sessionId') !== null)
    return { op: 'header', fields, messages: listIn(fields, 'messages') ?? [] };
  return { op: 'unknown' };
}

function parsed(record: Uint8Array): unknown {
  try {
    return JSON.parse(decoder.decode(record)) as unknown;
  } catch {
    return undefined;
  }
}
