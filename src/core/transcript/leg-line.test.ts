import { describe, expect, test } from 'vitest';
import { conditionOf } from './condition.ts';
import { givenTo, legNamedIn, legOf, toldBy, withLegLine, withQuestionLine } from './leg-line.ts';
import type { Step, Transcript } from './step.ts';

const leg = { task: 't0123456789ab', generation: 3 } as const;
const prompt = withLegLine('You take over.\n', leg);

function said(text: string, source: Step['source'] = 'user'): Step {
  return { id: 1, source, at: null, text, record: 0 };
}

describe('the line of a leg', () => {
  test('is read back from the prompt that it ends, whatever line ends follow', () => {
    expect(prompt).toBe('You take over.\n\nStaffetta-Leg: t0123456789ab/3\n');
    expect(legNamedIn(prompt)).toEqual(leg);
    expect(legNamedIn(prompt.trimEnd())).toEqual(leg);
  });

  test('is read from the file that somebody at a terminal is sent to', () => {
    const text = 'Read the file /w/.staffetta/prompts/t0123456789ab-3.md and go on from what it says.';
    expect(legNamedIn(text)).toEqual(leg);
    expect(legNamedIn(`${text} But not the tests.`)).toBeNull();
  });

  test('is not found in what somebody says about it', () => {
    expect(legNamedIn('Why is there Staffetta-Leg: t0123456789ab/3 in it?')).toBeNull();
    expect(legNamedIn(`${prompt}\nWhat does this mean?`)).toBeNull();
    expect(legNamedIn('Staffetta-Leg: tuuuuuuuuuuuu/3')).toBeNull();
  });

  test('of several the last counts, and the model does not say it', () => {
    const later = withLegLine('Go on.', { ...leg, generation: 4 });
    expect(legOf({ steps: [said(prompt), said(later), said(prompt, 'agent')] })?.generation).toBe(4);
    expect(legOf({ steps: [said('Hello.')] })).toBeNull();
  });
});

describe('a prompt of ours', () => {
  test('that asks an agent about its session is not told as a user’s', () => {
    const question = withQuestionLine('What was decided?', 'summary');
    expect(toldBy(said(question))).toMatchObject({ source: 'system', mark: 'context' });
    expect(toldBy(said(`${question}\nWhat does this mean?`)).source).toBe('user');
  });

  test('is not told as a user’s, and is given to a model in the user’s place', () => {
    const told = toldBy(said(prompt));
    expect(told).toMatchObject({ source: 'system', mark: 'context' });
    expect(givenTo(told)).toEqual(said(prompt));
    const own = said('Keep the API.');
    expect(toldBy(own)).toBe(own);
  });

  test('that nobody has answered waits for the model', () => {
    const transcript = { steps: [toldBy(said(prompt))], unanswered: [], facts: { model: null } };
    expect(conditionOf(transcript as unknown as Transcript)).toMatchObject({ turn: 'model', settled: false });
  });
});
