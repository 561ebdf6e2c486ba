import { readFileSync } from 'node:fs';
import type { LegOrder, LegSign, OpenLeg, Runner, RunnerKind } from '../../src/ports/index.ts';
import type { Place } from '../runners/scratch.ts';

/** A runner that breaks one sentence of its contract, and how. Cases of that sentence must catch it. */
export interface BrokenRunner {
  readonly breaks: string;
  readonly how: string;
  readonly kind: RunnerKind;
  readonly spoil: (runner: Runner, place: Place) => Runner;
}

/** What is opened otherwise than it was ordered. */
function ordered(change: (order: LegOrder) => Partial<LegOrder>): BrokenRunner['spoil'] {
  return (runner) => ({
    ...runner,
    open: async (order) => await runner.open({ ...order, ...change(order) }),
  });
}

/** What a leg does otherwise than it should. */
function legged(change: (leg: OpenLeg, place: Place) => Partial<OpenLeg>): BrokenRunner['spoil'] {
  return (runner, place) => ({
    ...runner,
    open: async (order) => {
      const leg = await runner.open(order);
      const plain: OpenLeg = {
        get session() {
          return leg.session;
        },
        turn: async (prompt) => await leg.turn(prompt),
        stop: async () => await leg.stop(),
        close: async () => await leg.close(),
      };
      return Object.defineProperties(plain, Object.getOwnPropertyDescriptors(change(leg, place)));
    },
  });
}

/** Every agent that wrote down its number is killed, as a process that is not asked. */
function killAll({ notes }: Place): void {
  for (const line of readFileSync(notes, 'utf8').split('\n').slice(0, -1))
    try {
      process.kill((JSON.parse(line) as { readonly pid: number }).pid, 'SIGKILL');
    } catch {
      // It has ended.
    }
}

const deadLeg: OpenLeg = {
  session: null,
  turn: async () => await Promise.resolve({ how: 'ended', said: '' }),
  stop: async () => {},
  close: async () => await Promise.resolve({ left: [] }),
};

const isNoise = (sign: LegSign): boolean => sign.kind === 'noise';

export const brokenRunners: readonly BrokenRunner[] = [
  {
    breaks: 'RU1',
    how: 'nothing is noted',
    kind: 'lines',
    spoil: ordered(() => ({ note: undefined })),
  },
  {
    breaks: 'RU1',
    how: 'a program that is not there is opened all the same',
    kind: 'acp',
    spoil: (runner) => ({
      ...runner,
      open: async (order) => {
        try {
          return await runner.open(order);
        } catch {
          return deadLeg;
        }
      },
    }),
  },
  {
    breaks: 'RU2',
    how: 'one that is gone is told as over',
    kind: 'headless',
    spoil: legged((leg) => ({
      turn: async (prompt) => {
        const end = await leg.turn(prompt);
        return end.how === 'ended' ? { ...end, how: 'over' } : end;
      },
    })),
  },
  {
    breaks: 'RU2',
    how: 'an end is taken for a failure where the words sound like one',
    kind: 'acp',
    spoil: legged((leg) => ({
      turn: async (prompt) => {
        const end = await leg.turn(prompt);
        return end.said.includes('429') ? { ...end, how: 'refused' } : end;
      },
    })),
  },
  {
    breaks: 'RU2',
    how: 'a turn that is not taken rejects',
    kind: 'lines',
    spoil: legged((leg) => ({
      turn: async (prompt) => {
        const end = await leg.turn(prompt);
        if (end.how === 'refused') throw new Error(end.said);
        return end;
      },
    })),
  },
  {
    breaks: 'RU3',
    how: 'an agent is asked to end its turn, and left at that',
    kind: 'lines',
    spoil: legged(() => ({ stop: async () => {} })),
  },
  {
    breaks: 'RU3',
    how: 'an agent is killed before its question was answered',
    kind: 'acp',
    spoil: legged((_leg, place) => ({
      stop: async () => {
        killAll(place);
        await Promise.resolve();
      },
    })),
  },
  {
    breaks: 'RU4',
    how: 'closing ends nothing, and says that nothing is left',
    kind: 'lines',
    spoil: legged(() => ({ close: async () => await Promise.resolve({ left: [] }) })),
  },
  {
    breaks: 'RU4',
    how: 'it cannot be closed twice',
    kind: 'function',
    spoil: legged((leg) => {
      let isClosed = false;
      return {
        close: async () => {
          if (isClosed) throw new Error('It is closed.');
          isClosed = true;
          return await leg.close();
        },
      };
    }),
  },
  {
    breaks: 'RU5',
    how: 'what is seen is kept until the turn is over',
    kind: 'lines',
    spoil: (runner) => ({
      ...runner,
      open: async (order) => {
        const kept: LegSign[] = [];
        const leg = await runner.open({ ...order, seen: (sign) => kept.push(sign) });
        return {
          ...leg,
          session: null,
          turn: async (prompt) => {
            const end = await leg.turn(prompt);
            for (const sign of kept.splice(0)) order.seen(sign);
            return end;
          },
        };
      },
    }),
  },
  {
    breaks: 'RU5',
    how: 'what is no message is passed over without a word',
    kind: 'headless',
    spoil: ordered(({ seen }) => ({ seen: (sign) => (isNoise(sign) ? undefined : seen(sign)) })),
  },
  {
    breaks: 'RU6',
    how: 'nobody is asked, and the answer is yes',
    kind: 'acp',
    spoil: ordered(() => ({ ask: async () => await Promise.resolve('allow') })),
  },
  {
    breaks: 'RU6',
    how: 'a no becomes a yes',
    kind: 'lines',
    spoil: ordered(({ ask }) => ({
      ask: async (question) => {
        await ask(question);
        return 'allow';
      },
    })),
  },
  {
    breaks: 'RU7',
    how: 'more is promised than holds',
    kind: 'lines',
    spoil: (runner) => ({ ...runner, enforces: () => new Set(['execute']) }),
  },
  {
    breaks: 'RU8',
    how: 'a leg that is to look only is opened as any other',
    kind: 'acp',
    spoil: ordered(() => ({ access: 'change' })),
  },
  {
    breaks: 'RU9',
    how: 'the prompt is put into the environment',
    kind: 'headless',
    spoil: (runner) => ({
      ...runner,
      open: async (order) => ({
        ...deadLeg,
        turn: async (prompt) => {
          const leg = await runner.open({ ...order, env: { ...order.env, PROMPT: prompt } });
          const end = await leg.turn(prompt);
          await leg.close();
          return end;
        },
      }),
    }),
  },
  {
    breaks: 'RU10',
    how: 'no session is named',
    kind: 'acp',
    spoil: legged(() => ({ session: null })),
  },
  {
    breaks: 'RU10',
    how: 'a new session is begun instead of the one that was asked for',
    kind: 'headless',
    spoil: ordered(() => ({ session: undefined })),
  },
  {
    breaks: 'RU11',
    how: 'each turn begins a session of its own',
    kind: 'headless',
    spoil: (runner) => ({
      ...runner,
      open: async (order) => {
        let leg = await runner.open(order);
        return {
          get session() {
            return leg.session;
          },
          turn: async (prompt) => {
            await leg.close();
            leg = await runner.open(order);
            return await leg.turn(prompt);
          },
          stop: async () => await leg.stop(),
          close: async () => await leg.close(),
        };
      },
    }),
  },
];
