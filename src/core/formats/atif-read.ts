/**
 * ATIF of any version 1 into the neutral transcript, whether or not it keeps all rules. What our own export put into
 * `extra.staffetta` comes back as it was; from other producers there is nothing but the fields of the format.
 *
 * Feedback that belongs to no call (an action without a tool, a summary that a compaction left) becomes a step of the system
 * behind its own, because results stand with their calls only. Embedded trajectories are transcripts of their own.
 */
import { defined, filled } from '../base/defined.ts';
import {
  countIn,
  fieldsOf,
  listIn,
  own,
  partIn,
  partsIn,
  textAt,
  textIn,
  timeIn,
  type Fields,
} from '../transcript/loose-json.ts';
import { bareFacts } from '../transcript/bare-facts.ts';
import { StepList, type OpenStep } from '../transcript/step-list.ts';
import {
  asides,
  marks,
  sources,
  summaries,
  type Result,
  type SessionFacts,
  type Transcript,
  type Usage,
} from '../transcript/step.ts';

export function isAtif(value: unknown): boolean {
  const fields = fieldsOf(value);
  return (
    /^ATIF-v1\.\d{1,3}$/.test(textIn(fields, 'schema_version') ?? '') && listIn(fields, 'steps') !== null
  );
}

/** Null where it is no ATIF. */
export function readAtif(value: unknown): Transcript | null {
  const fields = fieldsOf(value);
  if (fields === null || !isAtif(fields)) return null;
  const list = new StepList();
  for (const [place, step] of (listIn(fields, 'steps') ?? []).entries()) {
    list.record = place;
    readStep(step, list);
  }
  const embedded = listIn(fields, 'subagent_trajectories')?.length ?? 0;
  if (embedded > 0)
    list.losses.add('subagent-trajectory', 'an embedded trajectory is a transcript of its own', embedded);
  const tools = listIn(partIn(fields, 'agent'), 'tool_definitions')?.length ?? 0;
  if (tools > 0) list.losses.add('tool-listing', 'what tools the agent had is not carried in steps', tools);
  const continued = textIn(fields, 'continued_trajectory_ref');
  if (continued !== null) list.losses.add('continuation', 'the trajectory goes on in another document');
  return list.transcript(factsOf(fields));
}

const nestedMax = 32;

/** The trajectory itself, then those embedded in it, each before its own. */
export function readAtifTree(value: unknown): Transcript[] {
  const found: Transcript[] = [];
  const open: [unknown, number][] = [[value, 0]];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [one, depth] = next;
    const transcript = readAtif(one);
    if (transcript === null) continue;
    found.push(transcript);
    const inner = depth === nestedMax ? [] : (listIn(fieldsOf(one), 'subagent_trajectories') ?? []);
    for (const below of inner.toReversed()) open.push([below, depth + 1]);
  }
  return found;
}

function factsOf(fields: Fields): SessionFacts {
  const agent = partIn(fields, 'agent');
  const told = partsIn(ours(fields), 'sessions');
  const only = told.length === 1 ? (told[0] ?? null) : null;
  const version = textIn(agent, 'version');
  const permissions = textIn(only, 'permissions');
  return {
    ...bareFacts(textIn(only, 'runtime') ?? textIn(agent, 'name') ?? 'atif'),
    session: textIn(only, 'session') ?? textIn(fields, 'session_id') ?? textIn(fields, 'trajectory_id') ?? '',
    version: version === 'unknown' ? null : version,
    model: textIn(only, 'model') ?? textIn(agent, 'model_name'),
    folder: textIn(only, 'folder'),
    branch: textIn(only, 'branch'),
    commit: textIn(only, 'commit'),
    startedAt: timeIn(only, 'startedAt'),
    title: textIn(only, 'title'),
    parent: textIn(only, 'parent'),
    ...filled({ permissions }),
  };
}

function ours(fields: Fields | null): Fields | null {
  return partIn(partIn(fields, 'extra'), 'staffetta');
}

function readStep(value: unknown, list: StepList): void {
  const fields = fieldsOf(value);
  if (fields === null) return list.losses.add('step-unreadable', 'a step that is no object');
  const extra = ours(fields);
  if (own(extra, 'empty') === true) return;
  const named = sources.find((source) => source === textIn(fields, 'source'));
  if (named === undefined)
    list.losses.add('source-unknown', 'a step of nobody known is taken for one of the program');
  const step = list.begin(named ?? 'system');
  const held = partIn(extra, 'held');
  step.at = timeIn(fields, 'timestamp') ?? timeIn(extra, 'at');
  step.texts.push(contentOf(own(fields, 'message'), list).text);
  const reasoning = textIn(fields, 'reasoning_content') ?? textIn(held, 'reasoning');
  if (reasoning !== null) step.reasoning.push(reasoning);
  step.model = textIn(fields, 'model_name') ?? textIn(held, 'model');
  step.usage = usageOf(partIn(fields, 'metrics'));
  step.aside = asides.find((aside) => aside === textIn(extra, 'aside')) ?? null;
  step.mark = markOf(fields, extra);
  step.summary = summaries.find((summary) => summary === textIn(extra, 'summary')) ?? null;
  countNotCarried(fields, list);
  readActions(fields, held, { step, list });
}

const metricsNotCarried = ['prompt_token_ids', 'completion_token_ids', 'logprobs'] as const;

function countNotCarried(fields: Fields, list: StepList): void {
  const metrics = partIn(fields, 'metrics');
  if (own(fields, 'is_copied_context') === true)
    list.losses.add('copied-context', 'that a step was copied from another trajectory is not told');
  if ((own(fields, 'reasoning_effort') ?? null) !== null)
    list.losses.add('reasoning-effort', 'how hard the model was asked to think is not carried in steps');
  if (countIn(fields, 'llm_call_count') === 0)
    list.losses.add('no-model', 'that no model was called for a step is not told');
  if (typeof own(metrics, 'cost_usd') === 'number')
    list.losses.add('cost', 'what an answer cost is not carried in steps');
  if (metricsNotCarried.some((name) => listIn(metrics, name) !== null))
    list.losses.add('tokens', 'the tokens of an answer and their probabilities are not carried in steps');
}

function markOf(fields: Fields, extra: Fields | null): OpenStep['mark'] {
  const own = marks.find((mark) => mark === textIn(extra, 'mark'));
  if (own !== undefined) return own;
  const change = textIn(partIn(partIn(fields, 'extra'), 'context_management'), 'type');
  return change === 'compaction' ? change : null;
}

interface Place {
  readonly step: OpenStep;
  readonly list: StepList;
}

function readActions(fields: Fields, held: Fields | null, place: Place): void {
  const { step, list } = place;
  const observed = partsIn(partIn(fields, 'observation'), 'results');
  const delegated = subagentsIn(observed);
  for (const call of partsIn(fields, 'tool_calls')) {
    const id = textIn(call, 'tool_call_id');
    const more = ours(call);
    const raw = textIn(more, 'raw');
    const subagent = textIn(more, 'subagent') ?? delegated.get(id ?? '');
    const within = textIn(more, 'within');
    const folder = textIn(more, 'folder');
    list.call(step, {
      id,
      tool: textIn(call, 'function_name') ?? 'unknown',
      input: own(call, 'arguments'),
      ...(raw === null ? {} : { raw }),
      ...defined({ subagent }),
      ...filled({ within, folder }),
    });
  }
  for (const call of partsIn(held, 'calls')) {
    const raw = textIn(call, 'raw');
    list.call(step, {
      id: textIn(call, 'id'),
      tool: textIn(call, 'tool') ?? 'unknown',
      input: own(call, 'args'),
      ...(raw === null ? {} : { raw }),
    });
  }
  for (const result of observed) readResult(result, place);
  for (const result of partsIn(held, 'results'))
    list.result(textIn(result, 'call'), resultOf(result, textIn(result, 'text') ?? '', []));
}

/** From calls to the sessions that they started. */
function subagentsIn(observed: readonly Fields[]): ReadonlyMap<string, string> {
  return new Map(
    observed.flatMap((result) => {
      const call = textIn(result, 'source_call_id');
      const [ref] = partsIn(result, 'subagent_trajectory_ref');
      const session =
        ref === undefined ? null : textAt(ref, 'session_id', 'trajectory_id', 'trajectory_path');
      return call === null || session === null ? [] : [[call, session] as const];
    }),
  );
}

function readResult(result: Fields, { step, list }: Place): void {
  const more = ours(result);
  const call = textIn(result, 'source_call_id') ?? textIn(more, 'call');
  const content = own(result, 'content') ?? null;
  // The trajectory of a subagent alone is no result yet.
  if (content === null) return;
  const { text, media } = contentOf(content, list);
  if (call !== null) {
    list.result(call, resultOf(more, text, media));
    return;
  }
  const said = list.begin('system');
  said.at = step.at;
  said.texts.push(text);
}

function resultOf(more: Fields | null, text: string, media: readonly string[]): Omit<Result, 'call'> {
  const exit = own(more, 'exit');
  const listed = listIn(more, 'other')?.filter((kind) => typeof kind === 'string') ?? [];
  const other = [...media, ...listed];
  const task = textIn(more, 'task');
  return {
    text,
    failed: own(more, 'failed') === true,
    ...(own(more, 'passed') === true ? { passed: true } : {}),
    ...(typeof exit === 'number' ? { exit } : {}),
    ...filled({ other, task }),
  };
}

/** A text, or a list of texts and other things, of which the texts are kept. */
function contentOf(content: unknown, list: StepList): { readonly text: string; readonly media: string[] } {
  if (typeof content === 'string') return { text: content, media: [] };
  const texts: string[] = [];
  const media: string[] = [];
  for (const part of Array.isArray(content) ? (content as readonly unknown[]) : []) {
    const fields = fieldsOf(part);
    const text = textIn(fields, 'text');
    if (text !== null) texts.push(text);
    else media.push(textIn(partIn(fields, 'source'), 'media_type') ?? textIn(fields, 'type') ?? 'unknown');
  }
  if (media.length > 0)
    list.losses.add('media', 'content that is no text is not carried in steps', media.length);
  if (typeof content !== 'string' && !Array.isArray(content))
    list.losses.add('content-unknown', 'content that is neither a text nor a list');
  return { text: texts.join('\n\n'), media };
}

const usageNames = [
  ['input', 'prompt_tokens'],
  ['output', 'completion_tokens'],
  ['cached', 'cached_tokens'],
] as const;
const moreUsageNames = [
  ['reasoning', 'reasoning_tokens'],
  ['window', 'window_tokens'],
  ['windowMax', 'window_tokens_max'],
] as const;

function usageOf(metrics: Fields | null): Usage | null {
  if (metrics === null) return null;
  const extra = partIn(metrics, 'extra');
  const usage: Record<string, number> = {};
  for (const [ours, theirs] of usageNames) {
    const count = countIn(metrics, theirs);
    if (count !== null) usage[ours] = count;
  }
  for (const [ours, theirs] of moreUsageNames) {
    const count = countIn(extra, theirs);
    if (count !== null) usage[ours] = count;
  }
  return usage;
}
