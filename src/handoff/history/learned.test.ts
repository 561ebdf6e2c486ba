import { describe, expect, test } from 'vitest';
import { begun } from '../../../test/support/verbs.ts';
import { ada, bea, stage, type Stage } from '../../../test/support/world.ts';
import type { CarryEvent } from '../../core/task/command.ts';
import type { TaskId } from '../../core/journal/id.ts';
import { briefTask, packetFiles } from '../views/brief.ts';
import { carry, type Held } from '../verbs/carry.ts';
import { checkpoint } from '../verbs/finish.ts';
import { fork } from '../verbs/fork.ts';
import { handoff } from '../verbs/handoff.ts';
import { accept } from '../verbs/take.ts';

const note = (text: string): CarryEvent => ({ type: 'note', text });
const written: readonly CarryEvent[] = [
  note('the emu is blue'),
  { type: 'attempt-failed', what: 'pine', why: 'it rots' },
  { type: 'decision-made', text: 'oak', why: 'it lasts', rejected: ['birch'] },
];
const told = [
  'Note of ada: the emu is blue [j1]',
  'pine: it rots [j1]',
  'oak Because: it lasts Rejected: birch [d1]',
];

async function briefed({ context }: Stage, task: TaskId, budget = 8000): Promise<string> {
  const { text } = await briefTask(context, task, {
    readerOf: () => undefined,
    count: (words) => Math.ceil(words.length / 4),
    budget,
  });
  return text;
}

async function taken({ context }: Stage, task: TaskId): Promise<Held> {
  const { state } = await accept(context, task, {}, { by: bea });
  return { task, generation: state.generation };
}

describe('what the chain learned', () => {
  test.each(['context-limit', 'crash', 'planned'] as const)(
    'what was written down before a packet is told after it, whatever sealed it: %s',
    async (trigger) => {
      const at = stage();
      const held = await begun(at.context);
      await carry(at.context, held, written, { by: ada });
      for (const line of told) expect(await briefed(at, held.task)).toContain(line);
      await checkpoint(at.context, held, { trigger, claims: { next: 'saw' } }, { by: ada });
      await checkpoint(at.context, held, { trigger }, { by: ada });
      const text = await briefed(at, held.task);
      for (const line of told) expect(text).toContain(line);
      const { handoff: file } = await packetFiles(at.context, held.task);
      expect(file).toContain('## Written down on the way');
      expect(file).toContain('- Note of ada: the emu is blue [j1]');
      expect(file).toContain('- Ruled out: pine: it rots [j1]');
      expect(file).toContain('- Decided: oak Because: it lasts Rejected: birch [d1]');
    },
  );

  test('what a packet claims was decided and ruled out reaches the leg after the next', async () => {
    const at = stage();
    const held = await begun(at.context);
    const claims = {
      decisions: [{ text: 'slate roof', why: 'it is dry' }],
      failed: [{ what: 'thatch', why: 'it burns' }],
      remaining: ['the chimney'],
      next: 'lay the slates',
    };
    await handoff(at.context, held, { to: 'anyone', claims }, { by: ada });
    const second = await taken(at, held.task);
    const later = { next: 'build the gate', remaining: ['the gate'] };
    await checkpoint(at.context, second, { claims: later }, { by: bea });
    const text = await briefed(at, held.task);
    expect(text).toContain('slate roof Because: it is dry');
    expect(text).toContain('thatch: it burns');
    expect(text).toContain('Next: build the gate');
    // Where the work stood then is over: its holder has said where it stands now.
    expect(text).not.toContain('the chimney');
    expect(text).not.toContain('lay the slates');
  });

  test('a packet without a word, or one of an emergency, takes back nothing that was said before it', async () => {
    const at = stage();
    const held = await begun(at.context);
    const claims = { remaining: ['the chimney'], next: 'lay the slates', blockers: ['no lime'] };
    await handoff(at.context, held, { to: 'anyone', claims }, { by: ada });
    const second = await taken(at, held.task);
    await checkpoint(at.context, second, {}, { by: bea });
    const lines = [
      'Remaining, said by ada in generation 1: the chimney',
      'Next, said by ada in generation 1: lay the slates',
      'said by ada in generation 1: no lime',
    ];
    for (const line of lines) expect(await briefed(at, held.task)).toContain(line);
    await checkpoint(at.context, second, { trigger: 'crash', claims: { next: 'go on' } }, { by: bea });
    const text = await briefed(at, held.task);
    for (const line of [...lines, 'Next: go on']) expect(text).toContain(line);
  });

  test('what a packet repeats is told once', async () => {
    const at = stage();
    const held = await begun(at.context);
    await carry(at.context, held, written, { by: ada });
    const claims = {
      decisions: [{ text: 'oak', why: 'it lasts', rejected: ['birch'], evidence: ['d1'] }],
      failed: [{ what: 'pine', why: 'it rots', evidence: ['j1'] }],
    };
    for (let i = 0; i < 3; i += 1) await checkpoint(at.context, held, { claims }, { by: ada });
    const text = await briefed(at, held.task);
    expect(text.split('it lasts')).toHaveLength(2);
    expect(text.split('it rots')).toHaveLength(2);
  });

  test('a fork knows what was learned before it, and nothing of what came after', async () => {
    const at = stage();
    const held = await begun(at.context);
    await carry(at.context, held, written, { by: ada });
    await checkpoint(at.context, held, {}, { by: ada });
    await carry(at.context, held, [note('later')], { by: ada });
    const { state } = await fork(at.context, held.task, { at: 'latest', why: 'Try it.' }, { by: bea });
    const text = await briefed(at, state.task);
    expect(text).toContain('Note of ada: the emu is blue\n');
    expect(text).toContain('oak Because: it lasts');
    expect(text).not.toContain('later');
  });
});
