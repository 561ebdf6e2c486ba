/** Story → ATIF → transcript keeps who said what, in which order, with which calls and results. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkAtif } from '../../src/core/formats/atif-check.ts';
import { readAtif, readAtifTree } from '../../src/core/formats/atif-read.ts';
import { toAtif } from '../../src/core/formats/atif.ts';
import { bareFacts } from '../../src/core/transcript/bare-facts.ts';
import { asides, marks, sources, type JsonObject, type Step } from '../../src/core/transcript/step.ts';
import type { Story, StoryStep } from '../../src/core/transcript/story.ts';
import { runs } from './seed.ts';

const text = fc.oneof(
  fc.string(),
  fc.string({ unit: 'binary' }),
  fc.constantFrom('', '\ud800', '```', '\u0000'),
);
const name = fc.oneof(text, fc.constantFrom('__proto__', 'constructor', 'toString'));
const args = fc
  .array(fc.tuple(name, fc.jsonValue()), { maxLength: 4 })
  .map((pairs) => Object.fromEntries(pairs) as JsonObject);
const outcome = fc.record(
  {
    text,
    failed: fc.boolean(),
    exit: fc.integer({ min: -1, max: 255 }),
    other: fc.array(text, { minLength: 1, maxLength: 2 }),
  },
  { requiredKeys: ['text', 'failed'] },
);
const action = fc.record(
  { tool: text, args, raw: text, subagent: fc.constantFrom('a', 'b', 'gone'), outcome },
  { requiredKeys: ['tool', 'args'] },
);
const count = fc.nat(1_000_000);
const step = fc.record(
  {
    source: fc.constantFrom(...sources),
    at: fc.oneof(fc.constant(null), fc.integer({ min: -1e14, max: 1e15 })),
    text,
    reasoning: text,
    model: text,
    actions: fc.array(action, { maxLength: 4 }),
    usage: fc.record({ input: count, output: count, cached: count, reasoning: count }, { requiredKeys: [] }),
    mark: fc.constantFrom(...marks),
    aside: fc.constantFrom(...asides),
    session: fc.nat(3),
    gap: fc.nat(3),
  },
  { requiredKeys: ['source', 'at', 'text', 'actions', 'session', 'gap'] },
);

/** Sessions a, b, c, d, each perhaps started by another; calls have ids of their own, and results stand with them. */
const stories = fc
  .tuple(
    fc.array(step, { maxLength: 12 }),
    fc.array(fc.constantFrom(null, 'a', 'b', 'c', 'd'), { minLength: 4, maxLength: 4 }),
  )
  .map(([drafts, parents]): Story => {
    let ref = 0;
    let calls = 0;
    const steps = drafts.map(({ actions, gap, ...draft }, index): StoryStep => {
      ref += gap;
      const done = actions.map(({ outcome: end, ...call }) => {
        calls += 1;
        return { call: { id: `c${calls}`, ...call }, end };
      });
      const results = done.flatMap(({ call, end }) => (end === undefined ? [] : [{ call: call.id, ...end }]));
      return {
        ...draft,
        id: index + 1,
        ref,
        record: index,
        ...(done.length === 0 ? {} : { calls: done.map(({ call }) => call) }),
        ...(results.length === 0 ? {} : { results: results.toReversed() }),
      };
    });
    const sessions = parents.map((parent, i) => ({
      facts: { ...bareFacts('codex', 'abcd'[i]), parent },
      omissions: [],
      unanswered: [],
      rewritten: false,
    }));
    return { sessions, steps, unread: [] };
  });

/** What has to survive. A call of anybody but the agent loses nothing but the name of its subagent. */
function kept({ source, at, text: said, reasoning, calls = [], results = [], mark, aside }: Step): unknown {
  const told = calls.map(({ subagent, ...call }) => ({
    ...call,
    ...(source === 'agent' ? { subagent } : {}),
  }));
  return JSON.parse(JSON.stringify({ source, at, said, reasoning, told, results, mark, aside }));
}

const unrelated = stories.map((story) => ({
  ...story,
  sessions: story.sessions.map((session) => ({ ...session, facts: { ...session.facts, parent: null } })),
}));

test('a story comes back as it was told', () => {
  fc.assert(
    fc.property(unrelated, (story) => {
      const document = JSON.parse(JSON.stringify(toAtif(story, { id: 't' }))) as unknown;
      expect(checkAtif(document)).toEqual([]);
      const read = readAtif(document);
      expect(read?.steps.map(kept)).toEqual(story.steps.map(kept));
      expect(read?.omissions).toEqual([]);
    }),
    runs(300),
  );
});

test('whoever started whom, the document is valid and no step is lost', () => {
  fc.assert(
    fc.property(stories, (story) => {
      const document = toAtif(story);
      expect(checkAtif(document)).toEqual([]);
      const texts = readAtifTree(document).flatMap(({ steps }) => steps.map((one) => one.text));
      expect(texts.toSorted()).toEqual(story.steps.map((one) => one.text).toSorted());
    }),
    runs(300),
  );
});

test('the same story gives the same bytes', () => {
  fc.assert(
    fc.property(stories, (story) => {
      expect(JSON.stringify(toAtif(structuredClone(story)))).toBe(JSON.stringify(toAtif(story)));
    }),
    runs(100),
  );
});
