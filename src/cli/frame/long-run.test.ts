import { afterEach, describe, expect, test, vi } from 'vitest';
import { systemClock, systemEntropy } from '../../home/system.ts';
import type { Context } from '../../handoff/record/context.ts';
import { storeRedactor } from '../../compose/redactor.ts';
import { unobserved } from '../../ports/step.ts';
import { openMemoryStore } from '../../stores/memory/open.ts';
import { longRun } from './long-run.ts';
import type { Output } from './output.ts';

const task = 't0123456789ab';

function sessionOn(change: (context: Context) => Context = (context) => context): {
  readonly session: Parameters<typeof longRun>[0];
  readonly shown: string[];
} {
  const shown: string[] = [];
  const store = openMemoryStore();
  const context = change({
    store,
    clock: systemClock,
    entropy: systemEntropy,
    reached: unobserved,
    redactor: storeRedactor(store),
    gate: 'refuse',
  });
  const output = { passing: (text: string) => shown.push(text) } as unknown as Output;
  return { session: { context: async () => context, output, home: undefined }, shown };
}

function heard(): void {}

afterEach(() => {
  vi.useRealTimers();
});

describe('a long run', () => {
  test('lets the event loop have its turn, however long the loop of reads is', async () => {
    const { session } = sessionOn();
    const turn = new AbortController();
    setImmediate(() => turn.abort());
    const reads = await longRun(session, 'verify', async ({ store }) => {
      let done = 0;
      for (; !turn.signal.aborted && done < 10_000_000; done += 1) await store.journal.read(task, 0, 1);
      return done;
    });
    expect(reads).toBeLessThan(10_000_000);
  });

  test('shows how far it is after a second, now and then, and clears it at the end', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    const { session, shown } = sessionOn((context) => ({
      ...context,
      store: {
        ...context.store,
        journal: {
          ...context.store.journal,
          read: async () => {
            vi.advanceTimersByTime(50);
            return [{ task, seq: 0, digest: `sha256:${'0'.repeat(64)}`, body: '' }];
          },
        },
      },
    }));
    await longRun(session, 'verify', async ({ store }) => {
      for (let i = 0; i < 30; i += 1) await store.journal.read(task, 0, 1);
    });
    expect(shown.at(0)).toBe('verify: 21 entries');
    expect(shown.at(-1)).toBe('');
    expect(shown.length).toBeLessThan(8);
  });

  test('shows nothing if it was short, even if it failed', async () => {
    const { session, shown } = sessionOn();
    await expect(longRun(session, 'verify', () => Promise.reject(new Error('broken')))).rejects.toThrow(
      'broken',
    );
    expect(shown).toEqual([]);
  });

  test('leaves Ctrl-C to the system while a call blocks, and takes it back', async () => {
    process.on('SIGINT', heard);
    const { session } = sessionOn((context) => ({
      ...context,
      store: {
        ...context.store,
        upkeep: {
          ...context.store.upkeep,
          check: async () => [{ kind: 'integrity', text: String(process.listenerCount('SIGINT')) }],
        },
      },
    }));
    const during = await longRun(session, 'verify', async ({ store }) => await store.upkeep.check());
    expect(during).toEqual([{ kind: 'integrity', text: '0' }]);
    expect(process.listeners('SIGINT')).toContain(heard);
    process.removeListener('SIGINT', heard);
  });
});
