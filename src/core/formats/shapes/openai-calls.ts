/** Calls and results among the items of OpenAI. A tool that the provider ran has both in one item. */
import { defined } from '../../base/defined.ts';
import {
  countIn,
  fieldsOf,
  looseText,
  listIn,
  own,
  partIn,
  partsIn,
  textAt,
  textIn,
  type Fields,
} from '../../transcript/loose-json.ts';
import type { OpenStep, StepList } from '../../transcript/step-list.ts';
import type { Result } from '../../transcript/step.ts';

interface CallKind {
  /** Where the item has no name of its own. */
  readonly tool: string;
  readonly input: (item: Fields) => unknown;
  /** Run by the provider, with what came of it in the item; null where it does not say. */
  readonly hosted?: (item: Fields) => string | null;
}

const named = (name: string) => (item: Fields) => own(item, name);

const calls: Readonly<Record<string, CallKind>> = {
  function_call: { tool: 'unknown', input: named('arguments') },
  custom_tool_call: { tool: 'unknown', input: named('input') },
  hosted_tool_call: { tool: 'hosted', input: named('arguments'), hosted: (item) => textIn(item, 'output') },
  mcp_call: { tool: 'mcp', input: named('arguments'), hosted: (item) => textAt(item, 'output', 'error') },
  web_search_call: { tool: 'web_search', input: named('action'), hosted: () => null },
  file_search_call: {
    tool: 'file_search',
    input: (item) => ({ queries: own(item, 'queries') ?? [] }),
    hosted: (item) => (listIn(item, 'results') === null ? null : looseText(own(item, 'results'))),
  },
  code_interpreter_call: {
    tool: 'code_interpreter',
    input: (item) => ({ code: own(item, 'code') ?? null }),
    hosted: (item) =>
      listIn(item, 'outputs') === null
        ? null
        : partsIn(item, 'outputs')
            .flatMap((output) => textIn(output, 'logs') ?? [])
            .join('\n'),
  },
  image_generation_call: { tool: 'image_generation', input: () => ({}), hosted: () => null },
  computer_call: {
    tool: 'computer',
    input: (item) => own(item, 'action') ?? { actions: own(item, 'actions') ?? [] },
  },
  shell_call: { tool: 'shell', input: named('action') },
  local_shell_call: { tool: 'local_shell', input: named('action') },
  apply_patch_call: { tool: 'apply_patch', input: named('operation') },
  tool_search_call: { tool: 'tool_search', input: named('arguments') },
  program: { tool: 'programmatic_tool_calling', input: (item) => ({ code: own(item, 'code') ?? null }) },
};

const results: ReadonlySet<string> = new Set([
  'function_call_result',
  'function_call_output',
  'custom_tool_call_output',
  'computer_call_result',
  'computer_call_output',
  'shell_call_output',
  'local_shell_call_output',
  'apply_patch_call_output',
  'tool_search_output',
  'program_output',
]);

export function isOpenAiCall(type: string): boolean {
  return Object.hasOwn(calls, type);
}

export function isResult(type: string): boolean {
  return results.has(type);
}

function idOf(item: Fields): string | null {
  return textAt(item, 'callId', 'call_id', 'id');
}

export function readCall(item: Fields, type: string, step: OpenStep, list: StepList): void {
  const kind = calls[type];
  if (kind === undefined) return;
  // Without an id no result can name it; one that was run at once still has its own.
  const id = idOf(item);
  list.call(step, { id, tool: textIn(item, 'name') ?? kind.tool, input: kind.input(item) });
  if (kind.hosted === undefined || id === null) return;
  const output = kind.hosted(item);
  const status = textIn(item, 'status');
  if (output === null && status !== 'completed' && status !== 'failed') return;
  if (output === null)
    list.losses.add('result-hosted', 'what a tool of the provider found is not among the items');
  const failed = status === 'failed' || (textIn(item, 'error') !== null && type === 'mcp_call');
  list.result(id, { text: output ?? '', failed });
}

export function readResult(item: Fields, type: string, list: StepList): void {
  list.result(idOf(item), outcomeOf(item, type));
}

function outcomeOf(item: Fields, type: string): Omit<Result, 'call'> {
  const failed = ['failed', 'incomplete'].includes(textIn(item, 'status') ?? '');
  if (type === 'shell_call_output') return shellOutcome(item);
  if (type === 'tool_search_output') return { text: looseText(own(item, 'tools') ?? []) ?? '', failed };
  return { ...outputOf(own(item, 'output')), failed };
}

/** A text, one thing, or a list of things. */
function outputOf(output: unknown): Omit<Result, 'call' | 'failed'> {
  if (output === undefined || output === null) return { text: '' };
  if (typeof output === 'string') return { text: output };
  const parts = (Array.isArray(output) ? (output as readonly unknown[]) : [output]).map(fieldsOf);
  if (parts.some((part) => textIn(part, 'type') === null)) return { text: looseText(output) ?? '' };
  const texts = parts.flatMap((part) => textIn(part, 'text') ?? []);
  const other = parts
    .filter((part) => textIn(part, 'text') === null)
    .map((part) => (textIn(part, 'type') ?? 'unknown').replace(/^input_/, ''));
  return { text: texts.join('\n\n'), ...(other.length === 0 ? {} : { other }) };
}

/** What all commands of a call printed, and how the last one that did not end well ended. */
function shellOutcome(item: Fields): Omit<Result, 'call'> {
  const output = own(item, 'output');
  if (!Array.isArray(output)) return { ...outputOf(output), failed: false };
  const runs = partsIn(item, 'output');
  const text = runs
    .flatMap((run) => [textIn(run, 'stdout') ?? '', textIn(run, 'stderr') ?? ''])
    .filter((words) => words !== '')
    .join('\n');
  const outcomes = runs.map((run) => partIn(run, 'outcome'));
  const exits = outcomes.flatMap(
    (outcome) => countIn(outcome, 'exitCode') ?? countIn(outcome, 'exit_code') ?? [],
  );
  const exit = exits.findLast((code) => code !== 0) ?? exits.at(-1);
  const timedOut = outcomes.some((outcome) => textIn(outcome, 'type') === 'timeout');
  return { text, failed: timedOut || (exit ?? 0) !== 0, ...defined({ exit }) };
}
