/**
 * What a person said by the result of a call. The answers to the tool `question` stand in its metadata, one list for each question. A
 * call that was refused ended with an error in the program's own words, and what the person wrote is behind them; a tool of a
 * server can end with any error, so that only the program's own tools count.
 */
import type { ToolCall, JsonObject, Reply, Result } from '../../../core/transcript/step.ts';
import { dig, field, listOf, objectOf, textOf } from './schema.ts';
import { toolbox } from '../toolbox.ts';

const askTool = 'question';
const refusal =
  /^(?:Error: )?The user rejected permission to use this specific tool call(?:\.$| with the following feedback: ([\s\S]*)$)/;
const dismissal = /^(?:Error: )?The user dismissed this question$/;

export function repliesIn(call: ToolCall, state: JsonObject | null): Pick<Result, 'said' | 'refused'> {
  if (!Object.hasOwn({ ...toolbox.also, ...toolbox.own }, call.tool)) return {};
  if (textOf(field(state, 'status')) === 'error') return refusalIn(textOf(field(state, 'error')) ?? '');
  const said = call.tool === askTool ? answersIn(call, state) : [];
  return said.length === 0 ? {} : { said };
}

function refusalIn(error: string): Pick<Result, 'said' | 'refused'> {
  if (dismissal.test(error.trim())) return { refused: true };
  const found = refusal.exec(error.trim());
  if (found === null) return {};
  const words = (found[1] ?? '').trim();
  return words === '' ? { refused: true } : { refused: true, said: [{ text: words }] };
}

function answersIn({ args }: ToolCall, state: JsonObject | null): Reply[] {
  const questions = listOf(field(args, 'questions'));
  return listOf(dig(state, 'metadata', 'answers')).flatMap((answer, i) => {
    const words = listOf(answer)
      .map((each) => textOf(each) ?? '')
      .filter((each) => each.trim() !== '');
    const question = textOf(field(objectOf(questions[i]), 'question'));
    return words.length === 0 ? [] : [{ text: words.join(', '), ...(question === null ? {} : { question }) }];
  });
}
