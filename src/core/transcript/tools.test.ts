import { describe, expect, test } from 'vitest';
import type { ToolCall, SessionFacts } from './step.ts';
import type { Story } from './story.ts';
import { missingTools, type Toolbox } from './tools.ts';

const facts = (runtime: string): SessionFacts => ({
  runtime,
  session: 's',
  version: null,
  model: null,
  folder: null,
  branch: null,
  commit: null,
  startedAt: null,
  title: null,
  parent: null,
});

function box(own: Toolbox['own'], names: Readonly<Record<string, string>> = {}): Toolbox {
  return {
    own,
    nameOf: ({ tool }) => names[tool] ?? tool,
    serverOf: (tool) => /^mcp__(.+?)__/.exec(tool)?.[1] ?? null,
  };
}

const here = box({ Bash: ['shell'], Grep: ['search-text'], Web: ['search-web'], Own: [] });
const there = box({ run: ['shell'] }, { Bash: 'run' });

function storyWith(runtime: string, ...tools: readonly string[]): Pick<Story, 'sessions' | 'steps'> {
  const calls: ToolCall[] = tools.map((tool, i) => ({ id: `c${i}`, tool, args: {} }));
  return {
    sessions: [{ facts: facts(runtime), omissions: [], unanswered: [], rewritten: false }],
    steps: [{ id: 1, source: 'agent', at: null, text: '', calls, record: 0, ref: 1, session: 0 }],
  };
}

const missing = (story: Pick<Story, 'sessions' | 'steps'>): unknown[] =>
  missingTools(story, (name) => (name === 'here' ? here : undefined), { name: 'there', tools: there }).map(
    ({ tool, calls, server }) => [tool, calls, server],
  );

describe('what the target lacks', () => {
  test('is no tool that it has under another name, and none that its shell stands in for', () => {
    expect(missing(storyWith('here', 'Bash', 'Grep'))).toEqual([]);
  });

  test('is a tool for a purpose it has none for, and one that only the source has; the most used first', () => {
    expect(missing(storyWith('here', 'Own', 'Web', 'Web'))).toEqual([
      ['Web', 2, null],
      ['Own', 1, null],
    ]);
  });

  test('is a tool of a server, by the name of the server', () => {
    expect(missing(storyWith('here', 'mcp__lab__ping'))).toEqual([['mcp__lab__ping', 1, 'lab']]);
  });

  test('is whatever a program used that nobody here knows', () => {
    expect(missing(storyWith('elsewhere', 'Grep', 'run'))).toEqual([['Grep', 1, null]]);
  });

  test('is a server that a session of the same program used: it may have been set up for that one alone', () => {
    const target = { name: 'here', tools: here };
    const found = missingTools(storyWith('here', 'Own', 'mcp__lab__ping'), () => here, target);
    expect(found.map(({ tool, server }) => [tool, server])).toEqual([['mcp__lab__ping', 'lab']]);
  });

  test('is no call that came into a session with the history before it', () => {
    const first = storyWith('here', 'mcp__lab__ping', 'Web');
    const copy = storyWith('between', 'mcp__lab__ping', 'Web', 'lens_look');
    const story = {
      sessions: [...first.sessions, ...copy.sessions],
      steps: [...first.steps, ...copy.steps.map((step) => ({ ...step, session: 1 }))],
    };
    const between: Toolbox = { ...box({}), serverOf: (tool) => /^([^_]+)_/.exec(tool)?.[1] ?? null };
    const found = missingTools(story, (name) => (name === 'here' ? here : between), {
      name: 'there',
      tools: there,
    });
    expect(found.map(({ tool, runtime, calls, server }) => [tool, runtime, calls, server])).toEqual([
      ['Web', 'here', 1, null],
      ['lens_look', 'between', 1, 'lens'],
      ['mcp__lab__ping', 'here', 1, 'lab'],
    ]);
  });

  test('is nothing of its own sessions', () => {
    expect(missing(storyWith('there', 'anything'))).toEqual([]);
  });
});
