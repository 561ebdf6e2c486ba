/**
 * A line of a session, looked at without parsing it. Results of calls and answers of the model are nearly all of its bytes; where
 * such a record stands in the tree can be seen from both of its ends.
 *
 * A line is given byte by character (latin1). What is looked for begins and ends with a quote that no backslash stands before, so
 * that it is never found within a text. The fields at the beginning are matched from the first byte on, and hence are those of
 * the record and not of anything in it. A second `uuid`, or anything unexpected, and the line must be parsed.
 */
import type { Fields } from './schema.ts';

export interface Skimmed extends Fields {
  readonly type: 'user' | 'assistant';
  readonly uuid: string;
  readonly parentUuid: string | null;
  readonly isSidechain: false;
}

const conversation = '{"parentUuid":';
const plain = String.raw`(?:"\w+":(?:"[^"\\]*"|true|false|null),)*`;
const firstResult = String.raw`"role":"user","content":\[\{"(?:tool_use_id":"|type":"tool_result")`;
/** The parent; of a type that stands before the message that too; what is there of a message of results. */
const beginning = new RegExp(
  String.raw`^\{"parentUuid":(?:null|"([^"\\]*)"),"isSidechain":false,(?:${plain}"type":"(user|assistant)","message":\{(${firstResult})?)?`,
);
const uuid = '"uuid":"';
const afterResults = '}]},';
/** Older versions name the type before the message, newer ones behind it. */
const afterAnswer = '"type":"assistant",';
const words = '"type":"text"';

/** Titles and other notes have no place in the conversation. */
export function isOfConversation(line: string): boolean {
  return line.startsWith(conversation);
}

/** Null for what must be parsed. */
export function skim(line: string): Skimmed | null {
  if (!isOfConversation(line)) return null;
  const at = line.indexOf(uuid);
  const from = at + uuid.length;
  if (at < 0 || line.indexOf(uuid, from) >= 0) return null;
  const known = beginning.exec(line);
  if (known === null) return null;
  const [, parentUuid = null, said, result] = known;
  const isAnswer = said === 'assistant' || line.startsWith(afterAnswer, at - afterAnswer.length);
  if (!isAnswer && (said !== 'user' || result === undefined || !isResults(line, at))) return null;
  return {
    type: isAnswer ? 'assistant' : 'user',
    uuid: line.slice(from, line.indexOf('"', from)),
    parentUuid,
    isSidechain: false,
  };
}

/** Results and nothing else: words beside them would be somebody's. */
function isResults(line: string, uuidAt: number): boolean {
  return line.startsWith(afterResults, uuidAt - afterResults.length) && !line.includes(words);
}
