/**
 * Calls and their results (RT7). A call can have two results: a program that resumed the session while another ran it wrote that the
 * call was interrupted. The one on the path that the model sees counts.
 */
import { filled } from '../../../core/base/defined.ts';
import type { ToolCall, Result } from '../../../core/transcript/step.ts';
import type { StepDraft, Losses } from './drafts.ts';
import { repliesIn } from './replies.ts';
import { argumentsOf, blocks, fieldsOf, flag, list, part, rawOf, text, type Fields } from './schema.ts';

interface Answer {
  readonly node: number;
  readonly result: Result;
}

interface MadeIn {
  readonly folder: string | null;
  readonly losses: Losses;
}

export class Calls {
  readonly #answers = new Map<string, Answer[]>();
  /** The id in the transcript of the newest call with this id. */
  readonly #ids = new Map<string, string>();
  readonly #used = new Map<string, number>();
  readonly #taken = new Map<string, { readonly draft: StepDraft; readonly at: number }>();

  call(to: StepDraft, block: Fields, { folder, losses }: MadeIn): void {
    const named = text(block, 'id') ?? '';
    const id = this.#unique(named);
    const args = argumentsOf(block, 'input');
    const written = args === null ? rawOf(block, 'input') : null;
    if (args === null && written === null) losses.add('arguments');
    this.#ids.set(named, id);
    this.#taken.set(id, { draft: to, at: to.calls.length });
    to.calls.push({
      id,
      tool: text(block, 'name') ?? '',
      args: args ?? {},
      ...(args === null ? { raw: written ?? '' } : {}),
      ...filled({ folder }),
    });
  }

  #unique(named: string): string {
    let used = this.#used.get(named) ?? 0;
    let id: string;
    do {
      used += 1;
      id = used === 1 && named !== '' ? named : `${named}#${used}`;
    } while (this.#taken.has(id));
    this.#used.set(named, used);
    return id;
  }

  /** `record` has what the program keeps of a result beside the text for the model. */
  result(node: number, block: Fields, record: Fields): void {
    const about = part(record, 'toolUseResult');
    const named = text(block, 'tool_use_id') ?? '';
    const id = this.#ids.get(named) ?? named;
    const started = text(about, 'agentId');
    if (started !== null) this.#bindSubagent(id, started);
    const answers = this.#answers.get(id) ?? [];
    const taken = this.#taken.get(id);
    const tool = taken?.draft.calls[taken.at]?.tool ?? '';
    // What a server's tool keeps beside its text is the server's.
    const result = resultOf(id, block, tool.startsWith('mcp__') ? null : about);
    answers.push({ node, result: { ...result, ...repliesIn(record, tool, block, result.text) } });
    this.#answers.set(id, answers);
  }

  #bindSubagent(id: string, subagent: string): void {
    const taken = this.#taken.get(id);
    const call = taken?.draft.calls[taken.at];
    if (taken !== undefined && call !== undefined) taken.draft.calls[taken.at] = { ...call, subagent };
  }

  resultsOf(of: StepDraft, isSeen: (node: number) => boolean, losses: Losses): Result[] {
    return of.calls.flatMap((call: ToolCall) => {
      const answers = this.#answers.get(call.id) ?? [];
      this.#answers.delete(call.id);
      losses.add('result-superseded', answers.length - 1);
      const chosen = answers.findLast((each) => isSeen(each.node)) ?? answers.at(-1);
      return chosen === undefined ? [] : [chosen.result];
    });
  }

  /** Asked when all drafts have their results. */
  orphans(): number {
    return [...this.#answers.values()].reduce((sum, each) => sum + each.length, 0);
  }
}

function resultOf(call: string, block: Fields, about: Fields | null): Result {
  const content = blocks(block);
  const words = content
    .filter((each) => text(each, 'type') === 'text')
    .map((each) => text(each, 'text') ?? '');
  const loose = list(block, 'content').filter((each) => fieldsOf(each) === null).length;
  const other = content.map((each) => text(each, 'type') ?? 'unknown').filter((type) => type !== 'text');
  const said = words.join('\n');
  const failed = flag(block, 'is_error') || flag(about, 'interrupted') || about?.['success'] === false;
  // A command that goes on in the background has a result before it has ended.
  const passed = !failed && block['is_error'] === false && text(about, 'backgroundTaskId') === null;
  // The one place where the program keeps the exit code of a command.
  const exit = failed ? /^Exit code (\d{1,10})(?:\n|$)/.exec(said)?.[1] : undefined;
  const task = text(part(about, 'task'), 'id');
  const kinds = [...other, ...Array.from({ length: loose }, () => 'unknown')];
  return {
    call,
    text: said,
    failed,
    ...filled({ passed }),
    ...(exit === undefined ? {} : { exit: Number(exit) }),
    ...filled({ other: kinds, task }),
  };
}
