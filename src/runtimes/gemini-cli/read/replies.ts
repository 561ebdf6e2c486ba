/**
 * What a person said by the result of a call: the answers to `ask_user`, which the program writes as JSON by the place of each question;
 * what was said of a plan; and that a call was denied, which is a call with the status `cancelled` and comes without words.
 */
import type { ToolCall, Reply, Result } from '../../../core/transcript/step.ts';
import { fieldsOf, listIn, own, textIn, type Fields } from '../../../core/transcript/loose-json.ts';

const askTool = 'ask_user';
const planTool = 'exit_plan_mode';
const plan = /^Plan rejected\. User feedback: ([\s\S]*?)\n\nThe plan is stored at: [^\n]*\nRevise the plan\b/;
const denied = /^\[Operation Cancelled\] Reason: User denied execution\b/;

export function repliesIn(call: ToolCall, recorded: Fields, text: string): Pick<Result, 'said' | 'refused'> {
  const status = textIn(recorded, 'status');
  if (status === 'cancelled') return denied.test(text) ? { refused: true } : {};
  if (status !== 'success') return {};
  const said = call.tool === askTool ? answersIn(call, text) : [];
  const feedback = call.tool === planTool ? (plan.exec(text)?.[1] ?? '').trim() : '';
  if (feedback !== '') return { said: [{ text: feedback }] };
  return said.length === 0 ? {} : { said };
}

function answersIn({ args }: ToolCall, text: string): Reply[] {
  const questions = listIn(args, 'questions') ?? [];
  const answers = fieldsOf(own(parsed(text) ?? {}, 'answers')) ?? {};
  return Object.entries(answers).flatMap(([place, answer]) => {
    const question = textIn(fieldsOf(questions[Number(place)]) ?? {}, 'question');
    return typeof answer !== 'string' || answer.trim() === ''
      ? []
      : [{ text: answer, ...(question === null ? {} : { question }) }];
  });
}

function parsed(text: string): Fields | null {
  try {
    return fieldsOf(JSON.parse(text));
  } catch {
    return null;
  }
}
