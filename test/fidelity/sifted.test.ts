import { describe, expect, test } from 'vitest';
import { commentSentences } from '../../bench/fidelity/comments.ts';
import { messages } from '../../bench/fidelity/messages.ts';
import { proseTranscript } from '../../bench/prose-session.ts';
import { agentCues, agentGates, agentOrder, agentStrengthMin } from '../../src/core/reasoning/agent-cues.ts';
import { judge, scaleOf } from '../../src/core/reasoning/kinds.ts';
import { sentencesOf } from '../../src/core/reasoning/prose.ts';
import { siftedBy } from '../../src/core/reasoning/sifted.ts';
import { userCues, userOrder } from '../../src/core/reasoning/user-cues.ts';

const sentences = [
  ...commentSentences(),
  ...messages.map(({ text }) => text),
  ...messages.flatMap(({ text }) => sentencesOf(text)),
  ...proseTranscript(300_000).steps.flatMap(({ text }) => sentencesOf(text)),
];
const ofUsers = scaleOf(userCues, { order: userOrder, min: 1, hintsAlone: true });
const ofAgents = scaleOf(agentCues, {
  order: agentOrder,
  min: agentStrengthMin,
  hintsAlone: false,
  gates: agentGates,
});

describe('sentences that are judged through a sieve', () => {
  test('of users are judged as by every sign', () => {
    const sifted = siftedBy(ofUsers, { lowered: false, sieveAfter: 0 });
    for (const sentence of sentences) {
      sifted.look(sentence);
      expect([sentence, sifted.judged()]).toEqual([sentence, judge(sentence, ofUsers)]);
    }
  });

  test('of agents are judged as by every sign', () => {
    const sifted = siftedBy(ofAgents, { lowered: true, sieveAfter: 0 });
    for (const sentence of sentences.map((each) => each.toLowerCase())) {
      sifted.look(sentence);
      expect([sentence, sifted.judged()]).toEqual([sentence, judge(sentence, ofAgents)]);
    }
  });

  test('are judged alike before the sieve is made and after', () => {
    const sifted = siftedBy(ofUsers, { lowered: false, sieveAfter: 20 });
    for (const sentence of sentences.slice(0, 200)) {
      sifted.look(sentence);
      expect([sentence, sifted.judged()]).toEqual([sentence, judge(sentence, ofUsers)]);
    }
  });
});
