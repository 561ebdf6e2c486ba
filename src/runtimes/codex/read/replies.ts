/**
 * What a person said by the result of a call: the answers to `request_user_input`, which the program writes as JSON by the id of each
 * question, and refusals. A refusal has no words with it here: the program says only that the call was rejected, in a text of its own
 * that has none of the lines that it puts before what a command printed.
 */
import { defined } from '../../../core/base/defined.ts';
import type { ToolCall, Reply, Result } from '../../../core/transcript/step.ts';
import { fieldsIn, fieldsOf, listIn, parsed, textIn, textsIn } from './schema.ts';

const askTool = 'request_user_input';
const noteMark = /^user_note: /;
const refusals: ReadonlySet<string> = new Set(['exec command rejected by user', 'patch rejected by user']);

export function repliesIn(call: ToolCall | undefined, text: string): Pick<Result, 'said' | 'refused'> {
  if (call === undefined || call.tool.startsWith('mcp__')) return {};
  if (refusals.has(text.trim())) return { refused: true };
  const said = call.tool === askTool ? answersIn(call, text) : [];
  return said.length === 0 ? {} : { said };
}

function answersIn({ args }: ToolCall, text: string): Reply[] {
  const questions = new Map(
    listIn(args, 'questions').flatMap((each) => {
      const [id, question] = [textIn(fieldsOf(each), 'id'), textIn(fieldsOf(each), 'question')];
      return id === null || question === null ? [] : [[id, question] as const];
    }),
  );
  return Object.entries(fieldsIn(fieldsOf(parsed(text)), 'answers')).flatMap(([id, answer]) => {
    const words = textsIn(fieldsOf(answer), 'answers').map((each) => each.replace(noteMark, ''));
    const question = questions.get(id);
    const whole = words.filter((each) => each.trim() !== '').join('. ');
    return whole === '' ? [] : [{ text: whole, ...defined({ question }) }];
  });
}
