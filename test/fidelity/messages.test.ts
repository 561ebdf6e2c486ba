import { describe, expect, test } from 'vitest';
import { isRecognised, messages, mistakenFor } from '../../bench/fidelity/messages.ts';
import { kinds } from '../../bench/fidelity/phrasings.ts';

const seen = messages.filter(({ lot }) => lot === 'seen' || lot === 'late');

describe('messages in many registers', () => {
  test.each(kinds)('state a %s that is recognised nearly always', (kind) => {
    const stated = seen.filter((message) => message.kind === kind);
    const missed = stated.filter((message) => !isRecognised(message)).map(({ text }) => text);
    expect(stated.length).toBeGreaterThan(15);
    expect([missed.length <= stated.length * 0.12, missed]).toEqual([true, missed]);
  });

  test('state nothing where they are ordinary', () => {
    const ordinary = seen.filter(({ kind }) => kind === null);
    expect(ordinary.length).toBeGreaterThan(100);
    expect(ordinary.flatMap(mistakenFor)).toEqual([]);
  });
});
