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
const beginning = /^\{"parentUuid":(?:null|"([^"\\]*)"),"isSidechain":false,/;
const plain = String.raw`(?:"\w+":(?:"[^"\\]*"|true|false|null),)*`;
const results = new RegExp(
  String.raw`${beginning.source}${plain}"type":"user","message":\{"role":"user","content":\[\{"(?:tool_use_id":"|type":"tool_result")`,
);
const answer = new RegExp(String.raw`${beginning.source}${plain}"type":"assistant","message":\{`);
const uuid = '"uuid":"';
const afterResults = '}]},';
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
  const type = isAnswer(line, at) ? 'assistant' : isResults(line, at) ? 'user' : null;
  const known = type === null ? null : beginning.exec(line);
  if (type === null || known === null) return null;
  return {
    type,
    uuid: line.slice(from, line.indexOf('"', from)),
    parentUuid: known[1] ?? null,
    isSidechain: false,
  };
}

/** Older versions name the type before the message, newer ones behind it. */
function isAnswer(line: string, uuidAt: number): boolean {
  return line.startsWith(afterAnswer, uuidAt - afterAnswer.length) || answer.test(line);
}

/** Results and nothing else: words beside them would be somebody's. */
function isResults(line: string, uuidAt: number): boolean {
  return (
    line.startsWith(afterResults, uuidAt - afterResults.length) && results.test(line) && !line.includes(words)
  );
}
