/** Stories in memory, said step by step. */
import type { ToolCall, Result, Step } from '../../src/core/transcript/step.ts';
import type { Story, StorySession, StoryStep } from '../../src/core/transcript/story.ts';

export type Said = Partial<Omit<Step, 'source' | 'text'>> & {
  readonly ref?: number;
  readonly session?: number;
};

const facts: StorySession['facts'] = {
  runtime: 'codex',
  session: 'made',
  version: null,
  model: null,
  folder: '/home/dev/project',
  branch: null,
  commit: null,
  startedAt: null,
  title: null,
  parent: null,
};

/** Each step is [who, what was said, anything else]; they are named s1, s2 and so on. */
export function storyOfSteps(
  said: readonly (readonly ['user' | 'agent' | 'system', string, Said?])[],
  options: { readonly unanswered?: readonly ToolCall[]; readonly parents?: readonly (string | null)[] } = {},
): Story {
  const parents = options.parents ?? [null];
  return {
    steps: said.map(([source, text, more = {}], i): StoryStep => ({
      id: i + 1,
      at: null,
      record: i,
      ref: i + 1,
      session: 0,
      ...more,
      source,
      text,
    })),
    sessions: parents.map((parent, i) => ({
      facts: { ...facts, session: `made-${i}`, parent },
      omissions: [],
      unanswered: i === parents.length - 1 ? (options.unanswered ?? []) : [],
      rewritten: false,
    })),
    unread: [],
  };
}

/** A call with its result, as a step has them. */
export function ran(command: string, exit: number, text = ''): Said {
  return called('Bash', { command }, { text, failed: exit !== 0, exit });
}

export function called(tool: string, args: ToolCall['args'], result: Omit<Result, 'call'>): Said {
  const id = `${tool} ${JSON.stringify(args)}`;
  return { calls: [{ id, tool, args }], results: [{ call: id, ...result }] };
}
