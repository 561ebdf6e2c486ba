/**
 * The agent's own list of what is to be done, as it stood last: programs have a tool for it, so nothing has to be guessed from words.
 *
 *   Claude Code   TodoWrite    todos: content, status
 *   Codex         update_plan  plan: step, status
 *   Gemini CLI    write_todos  todos: description, status
 *   opencode      todowrite    todos: content, status
 *
 * Each call has the whole list, so the last one counts; one that failed, or that a subagent made, does not.
 */
import type { Json } from '../transcript/step.ts';
import type { Story } from '../transcript/story.ts';

export interface Plan {
  readonly ref: number;
  readonly doing: readonly string[];
  readonly open: readonly string[];
}

const tools = /^(?:todowrite|todo_write|update_plan|write_todos|manage_todo_list)$/i;
const itemsMax = 12;

/** Null where there was no list, or where all of it is done. */
export function planIn({ steps, sessions }: Pick<Story, 'steps' | 'sessions'>): Plan | null {
  for (let i = steps.length - 1; i >= 0; i -= 1) {
    const step = steps[i];
    if (step?.calls === undefined || step.aside === 'rewritten' || step.aside === 'branch-left') continue;
    if ((sessions[step.session]?.facts.parent ?? null) !== null) continue;
    const call = step.calls.findLast(
      ({ id, tool }) =>
        tools.test(tool) && step.results?.some((result) => result.call === id && result.failed) !== true,
    );
    const list = call?.args['todos'] ?? call?.args['plan'] ?? call?.args['todoList'];
    if (!Array.isArray(list)) continue;
    const items = (list as readonly Json[]).flatMap((item) => itemOf(item) ?? []);
    const of = (status: RegExp): string[] =>
      items.filter((item) => status.test(item.status)).map(({ text }) => text);
    const doing = of(/^in[_-]?progress$|^doing$|^active$/i);
    const open = of(/^pending$|^open$|^not[_-]?started$|^todo$/i);
    return doing.length + open.length === 0
      ? null
      : { ref: step.ref, doing: doing.slice(0, itemsMax), open: open.slice(0, itemsMax) };
  }
  return null;
}

function itemOf(item: Json): { readonly text: string; readonly status: string } | null {
  if (typeof item !== 'object' || item === null || Array.isArray(item)) return null;
  const { content, step, description, title, status } = item as Readonly<Record<string, Json>>;
  const text = [content, step, description, title].find(
    (one) => typeof one === 'string' && one.trim() !== '',
  );
  return typeof text === 'string' && typeof status === 'string' ? { text: text.trim(), status } : null;
}
