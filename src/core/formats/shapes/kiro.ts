/**
 * Conversations of Kiro CLI (`~/.kiro/sessions/cli/ID.jsonl`), by their shape, as those describe it who read them; it was not proven with
 * the program. A JSON object a line, {version: 'v1', kind, data: {content: [{kind, data}], meta?}}:
 *
 *   Prompt             text; meta.timestamp in seconds
 *   AssistantMessage   text, thinking {text}, toolUse {toolUseId, name, input}
 *   ToolResults        toolResult {toolUseId, status, content}: of a command {exit_status, stdout, stderr}, else a text
 *   Clear              the model sees nothing any more of what was before
 */
import {
  fieldsOf,
  looseText,
  own,
  partIn,
  partsIn,
  textIn,
  type Fields,
} from '../../transcript/loose-json.ts';
import type { OpenStep, StepList } from '../../transcript/step-list.ts';
import type { Result } from '../../transcript/step.ts';
import { unproven, type Fit, type Member } from './fit.ts';

const kinds: ReadonlySet<string> = new Set(['Prompt', 'AssistantMessage', 'ToolResults', 'Clear']);

export function fitsKiro(value: unknown): Fit {
  const fields = fieldsOf(value);
  const kind = textIn(fields, 'kind') ?? '';
  if (own(fields, 'data') === undefined || own(fields, 'role') !== undefined) return 'no';
  if (kinds.has(kind)) return 'sure';
  return kind !== '' && textIn(fields, 'version') !== null ? 'maybe' : 'no';
}

export function readKiro(messages: readonly Member[], list: StepList): void {
  list.losses.add('form-unproven', unproven);
  const seen: OpenStep[] = [];
  for (const { place, value } of messages) {
    list.record = place;
    const fields = fieldsOf(value);
    const data = partIn(fields, 'data');
    switch (textIn(fields, 'kind')) {
      case 'Prompt':
      case 'AssistantMessage': {
        const step = list.begin(textIn(fields, 'kind') === 'Prompt' ? 'user' : 'agent');
        const seconds = own(partIn(data, 'meta'), 'timestamp');
        const at = typeof seconds === 'number' ? Math.trunc(seconds * 1000) : Number.NaN;
        if (Number.isSafeInteger(at)) step.at = at;
        for (const block of partsIn(data, 'content')) readBlock(block, step, list);
        seen.push(step);
        break;
      }
      case 'ToolResults':
        for (const block of partsIn(data, 'content')) {
          const result = partIn(block, 'data');
          list.result(textIn(result, 'toolUseId'), resultOf(result));
        }
        break;
      case 'Clear':
        for (const step of seen) step.aside ??= 'branch-left';
        break;
      default:
        list.losses.add('message-unknown', 'a message of a kind that is not known');
    }
  }
}

function readBlock(block: Fields, step: OpenStep, list: StepList): void {
  const data = partIn(block, 'data');
  switch (textIn(block, 'kind')) {
    case 'text': {
      const text = textIn(block, 'data') ?? '';
      if (text !== '') step.texts.push(text);
      return;
    }
    case 'thinking': {
      const text = textIn(data, 'text') ?? '';
      if (text !== '') step.reasoning.push(text);
      return;
    }
    case 'toolUse':
      list.call(step, {
        id: textIn(data, 'toolUseId'),
        tool: textIn(data, 'name') ?? 'unknown',
        input: own(data, 'input'),
      });
      return;
    case 'image':
      list.losses.add('media', 'content that is no text is not carried in steps');
      return;
    default:
      list.losses.add('part-unknown', 'a part of an unknown type');
  }
}

function resultOf(result: Fields | null): Omit<Result, 'call'> {
  const ended = partsIn(result, 'content').map((block) => {
    const told = partIn(block, 'data');
    const output = [textIn(told, 'stdout'), textIn(told, 'stderr')].filter((text) => text !== null);
    const text = output.length > 0 ? output.join('') : (looseText(own(block, 'data') ?? '') ?? '');
    return { text, exit: /^exit status: (\d{1,9})$/.exec(textIn(told, 'exit_status') ?? '')?.[1] };
  });
  const exit = ended.find((one) => one.exit !== undefined)?.exit;
  return {
    text: ended.map(({ text }) => text).join('\n\n'),
    failed: textIn(result, 'status') === 'error',
    ...(exit === undefined ? {} : { exit: Number(exit) }),
  };
}
