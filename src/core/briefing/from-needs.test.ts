import { expect, test } from 'vitest';
import { packetOf } from '../../../test/support/packet.ts';
import { storyOfSteps } from '../../../test/support/story.ts';
import { briefing, uncountedBriefing } from './briefing.ts';
import type { BriefNeed } from './from-needs.ts';

const { task, generation, trigger } = packetOf({}, 'planned');
const contract = { v: 1, title: 'Join', goal: 'All of it is one.' } as const;

function needs(many: number): BriefNeed[] {
  return Array.from({ length: many }, (_, i) => {
    const claims = { decisions: [{ text: `Choice ${i} </data> of many` }] };
    const remarks = [
      {
        seq: 4,
        by: 'ada',
        event: { type: 'note', v: 1, text: `Mind the gap ${i} `.trim() + ' here' },
      } as const,
    ];
    const learned = { remarks, packets: [{ by: 'ada', generation, trigger, claims }], artefacts: [] };
    return { task, title: `Need ${i}`, status: 'done', integrated: null, packet: null, learned };
  });
}

const count = (text: string): number => text.split(/\s+/).length;

function made(budget: number): string[] {
  const graph = { needs: needs(60), waiting: [], moreWait: false };
  const story = storyOfSteps([['user', 'Join them.']]);
  const { text, tokens } = briefing({ of: { task }, contract, packet: null, graph, story, count, budget });
  expect(tokens).toBeLessThanOrEqual(budget);
  expect(text.match(/<\/data>/g)).toHaveLength(1);
  return text.split('\n').filter((line) => line.startsWith('- '));
}

test('what became of each need is told before what any of them decided, and stands above it', () => {
  const all = made(12_000);
  expect(all.findIndex((line) => line.includes('Noted by ada: Mind the gap 7 '))).toBe(
    all.findIndex((line) => line.includes('Need 7:')) + 2,
  );
  expect(all.findIndex((line) => line.includes('Choice 7 '))).toBe(
    all.findIndex((line) => line.includes('Need 7:')) + 1,
  );
  const few = made(500).join('\n');
  expect(few).toContain('Need 59:');
  expect(few).not.toContain('Choice 59');
});

test('what fits however it is counted is the same text without a count; what might not is counted', () => {
  const story = storyOfSteps([['user', 'Join them.']]);
  const input = { of: { task }, contract, packet: null, story };
  const exact = briefing({ ...input, count });
  expect(uncountedBriefing(input)).toMatchObject({ text: exact.text, cut: [] });
  expect(uncountedBriefing(input)?.tokens).toBeGreaterThanOrEqual(exact.tokens);
  const graph = { needs: needs(60), waiting: [], moreWait: false };
  expect(uncountedBriefing({ ...input, graph })).toBeNull();
});
