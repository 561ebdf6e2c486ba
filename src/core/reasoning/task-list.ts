/**
 * The agent's own list of what is to be done, as it was left. Programs have tools for it.
 *
 *   Claude Code   TodoWrite    todos: content, status
 *                 TaskCreate   subject; its result has the id
 *                 TaskUpdate   taskId, status (also `deleted`), subject
 *   Codex         update_plan  plan: step, status
 *   Gemini CLI    write_todos  todos: description, status
 *   opencode      todowrite    todos: content, status
 *
 * A call of a whole list replaces what was there; calls of single tasks change it. What failed, or what a subagent did, does not count.
 */
import type { ToolCall, Json, JsonObject, Result } from '../transcript/step.ts';
import type { Story } from '../transcript/story.ts';
import { isMain, isTold } from './reasoning.ts';

export interface ListedTask {
  readonly text: string;
  readonly status: 'done' | 'doing' | 'open';
}

export interface TaskList {
  /** The step that changed it last. */
  readonly ref: number;
  readonly tasks: readonly ListedTask[];
}

const wholeList = /^(?:todowrite|todo_write|update_plan|write_todos|manage_todo_list)$/i;

/** Null where there was none, or where it is empty. */
export function taskListIn(story: Pick<Story, 'steps' | 'sessions'>): TaskList | null {
  let tasks = new Map<string, ListedTask>();
  let ref = 0;
  for (const step of story.steps) {
    if (step.calls === undefined || !isTold(step) || !isMain(story, step)) continue;
    for (const call of step.calls) {
      const result = step.results?.find((each) => each.call === call.id);
      if (result?.failed === true) continue;
      const changed = changedBy(call, result, tasks);
      if (changed === null) continue;
      tasks = changed;
      ({ ref } = step);
    }
  }
  return tasks.size === 0 ? null : { ref, tasks: [...tasks.values()] };
}

function changedBy(
  { tool, args }: ToolCall,
  result: Result | undefined,
  before: ReadonlyMap<string, ListedTask>,
): Map<string, ListedTask> | null {
  if (wholeList.test(tool)) {
    const list = args['todos'] ?? args['plan'] ?? args['todoList'];
    if (!Array.isArray(list)) return null;
    const items = (list as readonly Json[]).flatMap((item) => itemOf(item) ?? []);
    return new Map(items.map((item, i) => [`${i + 1}`, item]));
  }
  if (tool === 'TaskCreate') {
    const id = result?.task;
    const text = wordsIn(args, ['subject', 'description']);
    if (id === undefined || text === null) return null;
    return new Map([...before, [id, { text, status: 'open' }]]);
  }
  if (tool === 'TaskUpdate') {
    const id = typeof args['taskId'] === 'number' ? `${args['taskId']}` : args['taskId'];
    const known = typeof id === 'string' ? before.get(id) : undefined;
    if (known === undefined || typeof id !== 'string') return null;
    const tasks = new Map(before);
    if (args['status'] === 'deleted') tasks.delete(id);
    else
      tasks.set(id, {
        text: wordsIn(args, ['subject']) ?? known.text,
        status: statusOf(args['status']) ?? known.status,
      });
    return tasks;
  }
  return null;
}

function itemOf(item: Json): ListedTask | null {
  if (typeof item !== 'object' || item === null || Array.isArray(item)) return null;
  const fields = item as JsonObject;
  const text = wordsIn(fields, ['content', 'step', 'description', 'title']);
  const status = statusOf(fields['status']);
  return text === null || status === null ? null : { text, status };
}

function wordsIn(fields: JsonObject, names: readonly string[]): string | null {
  const found = names.map((name) => fields[name]).find((one) => typeof one === 'string' && one.trim() !== '');
  return typeof found === 'string' ? found.trim() : null;
}

const statuses: readonly (readonly [ListedTask['status'], RegExp])[] = [
  ['done', /^(?:completed?|done|finished|cancel+ed)$/i],
  ['doing', /^(?:in[_-]?progress|doing|active)$/i],
  ['open', /^(?:pending|open|not[_-]?started|todo|blocked)$/i],
];

function statusOf(status: Json | undefined): ListedTask['status'] | null {
  if (typeof status !== 'string') return null;
  return statuses.find(([, pattern]) => pattern.test(status))?.[0] ?? null;
}
