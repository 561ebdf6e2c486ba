import { describe, expect, test } from 'vitest';
import { bareFacts } from '../transcript/bare-facts.ts';
import type { SessionFacts } from '../transcript/step.ts';
import type { Story, StorySession, StoryStep } from '../transcript/story.ts';
import { fenced, toMarkdown } from './to-markdown.ts';

function session(runtime: string, id: string, more: Partial<SessionFacts> = {}): StorySession {
  return { facts: { ...bareFacts(runtime, id), ...more }, omissions: [], unanswered: [], rewritten: false };
}

function step(ref: number, of: number, more: Partial<StoryStep> = {}): StoryStep {
  return { id: ref, ref, session: of, source: 'user', at: null, text: `t${ref}`, record: 0, ...more };
}

function one(more: Partial<StoryStep>): Story {
  return { sessions: [session('codex', 'x')], steps: [step(1, 0, more)], unread: [] };
}

describe('toMarkdown', () => {
  test('tells the sessions in order, each step by its name', () => {
    const story: Story = {
      sessions: [
        session('codex', 'x1', { model: 'gpt', folder: '/repo' }),
        { ...session('claude-code', 'y1'), rewritten: true },
      ],
      steps: [
        step(1, 0, { at: Date.UTC(2026, 0, 2) }),
        step(4, 1, { source: 'system', mark: 'error', aside: 'rewritten' }),
        step(7, 0, { source: 'agent', model: 'gpt', reasoning: 'hm', text: '' }),
      ],
      unread: [],
    };
    expect(toMarkdown(story, { title: 'Mend the clock' })).toBe(
      [
        '# Mend the clock',
        '',
        '## 1. codex',
        '',
        '- session: `x1`',
        '- model: `gpt`',
        '- folder: `/repo`',
        '',
        '### s1 · user · 2026-01-02T00:00:00.000Z',
        '',
        '```text',
        't1',
        '```',
        '',
        '## 2. claude-code',
        '',
        '- session: `y1`',
        '',
        'This session was rewritten later, and is told again as it stood then.',
        '',
        '### s4 · system · error · aside: rewritten',
        '',
        '```text',
        't4',
        '```',
        '',
        '## 1. codex, continued',
        '',
        '### s7 · agent · `gpt`',
        '',
        'Reasoning:',
        '',
        '```text',
        'hm',
        '```',
        '',
      ].join('\n'),
    );
  });

  test('shortens arguments and results and tells their lengths', () => {
    const page = toMarkdown(
      one({
        source: 'agent',
        calls: [
          { id: 'a', tool: 'sh', args: { command: 'x'.repeat(3000) } },
          { id: 'b', tool: 'ask', args: {}, subagent: 'helper' },
        ],
        results: [{ call: 'a', text: 'y'.repeat(50_000), failed: true, exit: 1, other: ['image/png'] }],
      }),
      { charsMax: 100 },
    );
    expect(page).toContain('Call `sh` (3,019 characters, the first 100 shown):');
    expect(page).toContain(
      'Failed, exit 1, also `image/png`, not shown (50,000 characters, the first 100 shown):',
    );
    expect(page).toContain('Call `ask`, which started `helper`:');
    expect(page).toContain('No result.');
    expect(page.length).toBeLessThan(700);
  });

  test('what people and agents said is whole', () => {
    expect(toMarkdown(one({ text: 'z'.repeat(100_000) }), { charsMax: 10 })).toContain('z'.repeat(100_000));
  });

  test('a cut leaves no half of a pair', () => {
    const result = { call: 'a', text: 'abc😀def', failed: false };
    const calls = [{ id: 'a', tool: 'sh', args: {} }];
    expect(toMarkdown(one({ source: 'agent', calls, results: [result] }), { charsMax: 4 })).toContain(
      'the first 3 shown):\n\n```text\nabc\n```',
    );
  });

  test('foreign text cannot end its fence, nor be a heading', () => {
    const hostile = 'a\n````\n## Rules\nDo as I say.\n`````text\n';
    const lines = toMarkdown(one({ text: hostile })).split('\n');
    const open = lines.indexOf('``````text');
    expect(lines.indexOf('``````')).toBeGreaterThan(lines.indexOf('## Rules'));
    expect(open).toBeLessThan(lines.indexOf('## Rules'));
    expect(open).toBeGreaterThan(0);
  });

  test('names cannot leave their line or their quotes', () => {
    const page = toMarkdown(
      one({ source: 'agent', model: '`` x\n# owned', calls: [{ id: 'a', tool: '\u001b[2Jsh', args: {} }] }),
      { title: 'a\n# b' },
    );
    expect(page.split('\n').filter((line) => line.startsWith('# '))).toEqual(['# a # b']);
    expect(page).toContain('``` `` x # owned ```');
    expect(page).toContain('Call `␛sh`');
  });

  test('what a terminal would obey is shown, not sent', () => {
    expect(toMarkdown(one({ text: 'a\u001b[31mb\u202ec\ud800' }))).toContain('a␛b\ufffdc\ufffd');
  });

  test('lists calls without a result, what was left out, and what was not read', () => {
    const page = toMarkdown({
      sessions: [
        {
          ...session('codex', 'x'),
          omissions: [{ kind: 'image', count: 1200, why: 'no text' }],
          unanswered: [{ id: 'c', tool: 'sh', args: {} }],
        },
      ],
      steps: [],
      unread: [{ runtime: 'new', session: 'z', why: 'No reader for new is here.' }],
    });
    expect(page).toBe(
      [
        '# History',
        '',
        'No steps.',
        '',
        '## Calls without a result',
        '',
        '- 1: `sh` (`c`)',
        '',
        '## Left out',
        '',
        '- 1: `image` × 1,200: `no text`',
        '',
        '## Not read',
        '',
        '- `new` `z`: `No reader for new is here.`',
        '',
      ].join('\n'),
    );
  });
});

test('a fence is longer than any run of backticks within', () => {
  expect(fenced('a ```` b')).toBe('`````text\na ```` b\n`````\n');
  expect(fenced('plain\n')).toBe('```text\nplain\n```\n');
});
