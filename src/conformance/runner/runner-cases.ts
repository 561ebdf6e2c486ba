import { permissionNames } from '../../core/plan/crew.ts';
import { isStaffettaError } from '../../core/base/error.ts';
import type { LegOrder, OpenLeg, TurnEnd } from '../../ports/runner.ts';
import { check, expectRefusal, pause, same, type Case } from '../case.ts';
import type { AgentManner, AgentNote, RunnerScratch } from './runner-scratch.ts';

const words = 'Only these words: 4711.';
const waitMsMax = 10_000;

/** Agents are processes of their own, and come to what they do in their own time. */
async function until(what: string, isSo: () => boolean): Promise<void> {
  const end = Date.now() + waitMsMax;
  while (!isSo()) {
    if (Date.now() > end) throw new Error(`${what}: not within ${waitMsMax} ms`);
    await pause(5);
  }
}

async function ended(turn: Promise<TurnEnd>): Promise<TurnEnd> {
  let end: TurnEnd | undefined;
  const settle = async (): Promise<void> => {
    end = await turn;
  };
  const settling = settle();
  await Promise.race([settling, until('the end of the turn', () => end !== undefined)]);
  await settling;
  if (end === undefined) throw new Error('The turn did not end.');
  return end;
}

function notes(on: RunnerScratch, what: AgentNote['what']): AgentNote[] {
  return on.told().filter((note) => note.what === what);
}

async function open(on: RunnerScratch, manner: AgentManner, more: Partial<LegOrder> = {}): Promise<OpenLeg> {
  return await on.runner(manner).open(on.order(more));
}

/** One turn of an agent from its opening to its close. */
async function one(on: RunnerScratch, manner: AgentManner, more: Partial<LegOrder> = {}): Promise<TurnEnd> {
  const leg = await open(on, manner, more);
  try {
    return await ended(leg.turn(words));
  } finally {
    await leg.close();
  }
}

export const runnerCases: readonly Case<RunnerScratch>[] = [
  {
    id: 'RU1',
    title: 'what is started was noted before, has the mark, and leads a group of its own',
    run: async (on) => {
      await one(on, 'works');
      const [first] = on.noted;
      check(first !== undefined, 'nothing was noted');
      same([first.early, first.ended], [true, true], 'noted before the start, and over at the end');
      const [note] = on.told();
      same(note?.mark, first.mark, 'the mark');
      if (on.has.programs) same(note?.leads, true, 'whether it leads its group');
    },
  },
  {
    id: 'RU1',
    title: 'what cannot be started is refused, and leaves nothing',
    run: async (on) => {
      const { missing } = on;
      if (missing === null) return;
      await expectRefusal(async () => await missing.open(on.order()), 'runtime-missing', 'the opening');
      check(
        on.noted.every((note) => note.ended),
        'it is still noted',
      );
    },
  },
  {
    id: 'RU2',
    title: 'each way in which a turn ends has its word, and an end is no success',
    run: async (on) => {
      same((await one(on, 'works')).how, 'over', 'one that works');
      same((await one(on, 'fails')).how, 'over', 'one that only says that it failed');
      same((await one(on, 'refuses')).how, 'refused', 'one that says that it cannot go on');
      if (!on.has.programs) return;
      const { how, exit } = await one(on, 'exits');
      same([how, exit], ['ended', 7], 'one that is gone');
      same((await one(on, 'hangs-up')).how, 'ended', 'one that closed its output, and stays');
    },
  },
  {
    id: 'RU2',
    title: 'a turn resolves where there is nobody to take it, and where another is under way',
    run: async (on) => {
      const deaf = await open(on, 'deaf');
      const first = deaf.turn(words);
      same((await ended(deaf.turn(words))).how, 'refused', 'the second of two at once');
      await deaf.close();
      same((await ended(first)).how, 'stopped', 'the first');
      same((await ended(deaf.turn(words))).how, 'ended', 'one after the close');
    },
  },
  {
    id: 'RU3',
    title: 'a turn of an agent that does not listen is ended all the same',
    run: async (on) => {
      const leg = await open(on, 'deaf');
      const turn = leg.turn(words);
      await until('the turn', () => notes(on, 'turn').length > 0);
      await leg.stop();
      same((await ended(turn)).how, 'stopped', 'the turn');
      await leg.close();
    },
  },
  {
    id: 'RU3',
    title: 'a question that nobody answered is answered with a no before the turn is ended',
    run: async (on) => {
      if (!on.has.questions) return;
      const leg = await open(on, 'asks', { ask: async () => await new Promise(() => {}) });
      const turn = leg.turn(words);
      await until('the question', () => on.questions.length > 0);
      await leg.stop();
      same(
        notes(on, 'answer').map(({ word }) => word),
        ['no'],
        'what the agent heard',
      );
      same((await ended(turn)).how, 'stopped', 'the turn');
      await leg.close();
      same(notes(on, 'did'), [], 'what it did');
    },
  },
  {
    id: 'RU4',
    title: 'nobody lives after the close, also of those that left the group',
    run: async (on) => {
      const leg = await open(on, 'leaves');
      same((await ended(leg.turn(words))).how, 'over', 'the turn');
      same(await leg.close(), { left: [] }, 'what is left');
      same(on.living(), [], 'who lives');
    },
  },
  {
    id: 'RU4',
    title: 'a leg is closed in the middle of a turn, and again',
    run: async (on) => {
      const leg = await open(on, 'deaf');
      const turn = leg.turn(words);
      await until('the turn', () => notes(on, 'turn').length > 0);
      same(await leg.close(), { left: [] }, 'what is left');
      same((await ended(turn)).how, 'stopped', 'the turn');
      same(await leg.close(), { left: [] }, 'what is left after the second close');
      if (on.has.programs) same(on.living(), [], 'who lives');
    },
  },
  {
    id: 'RU5',
    title: 'signs of life are told as they are seen, however many there are',
    run: async (on) => {
      let heard = 0;
      const leg = await open(on, 'floods', { heard: (text) => (heard += text.length) });
      const turn = leg.turn(words);
      const said = (): number => on.signs.filter(({ kind }) => kind === 'said').length;
      await until('all its words', () => said() >= 20_000);
      on.release();
      const { how, said: last } = await ended(turn);
      same(how, 'over', 'the turn');
      check(heard >= 20_000, `${heard} characters of it were heard`);
      check(last.length > 0 && last.length <= 4000, `${last.length} characters of it were kept`);
      await leg.close();
    },
  },
  {
    id: 'RU5',
    title: 'what is no message of its session is counted, and ends nothing',
    run: async (on) => {
      same((await one(on, 'babbles')).how, 'over', 'the turn');
      const heard = on.signs.flatMap((sign) => (sign.kind === 'noise' ? [sign.why] : []));
      same([...new Set(heard)].toSorted(), on.has.noise.toSorted(), 'what was counted');
      check(
        on.signs.some((sign) => sign.kind === 'said' && sign.text.includes('afterwards')),
        'what it said afterwards was not heard',
      );
    },
  },
  {
    id: 'RU6',
    title: 'a request is put to the one who decides, and a yes is for this once',
    run: async (on) => {
      if (!on.has.questions) return;
      same(
        (await one(on, 'asks', { ask: async () => await Promise.resolve('allow') })).how,
        'over',
        'the turn',
      );
      same(on.questions.length, 1, 'questions');
      const [question] = on.questions;
      same(question?.permission, 'execute', 'what it is for');
      check(question?.what.includes('make notes'), 'the question does not say what for');
      same(
        notes(on, 'answer').map(({ word }) => word),
        ['once'],
        'what the agent heard',
      );
      same(notes(on, 'did').length, 1, 'what it did');
    },
  },
  {
    id: 'RU6',
    title: 'a no is a no',
    run: async (on) => {
      if (!on.has.questions) return;
      same((await one(on, 'asks')).how, 'over', 'the turn');
      same(
        [notes(on, 'answer').map(({ word }) => word), notes(on, 'did')],
        [['no'], []],
        'what the agent heard, and did',
      );
    },
  },
  {
    id: 'RU7',
    title: 'what is promised to hold does: nothing is done that is denied',
    run: async (on) => {
      for (const access of ['change', 'look'] as const) {
        const permissions = Object.fromEntries(permissionNames.map((name) => [name, 'deny' as const]));
        const holds = on.runner('acts').enforces({ access });
        await one(on, 'acts', { access, permissions });
        const broken = notes(on, 'did').filter(({ word }) =>
          holds.has(word as (typeof permissionNames)[number]),
        );
        same(broken.length, 0, `what was done of ${[...holds].join(', ')}`);
      }
    },
  },
  {
    id: 'RU8',
    title: 'a leg that is to look only is opened so, and any other is not',
    run: async (on) => {
      for (const access of ['look', 'change'] as const) await one(on, 'works', { access });
      same(
        notes(on, 'turn').map((note) => note.access),
        ['look', 'change'],
        'what the agents were told',
      );
    },
  },
  {
    id: 'RU8',
    title: 'an agent that has no way to look only is not opened to',
    run: async (on) => {
      if (!on.has.looseLooks) return;
      await expectRefusal(
        async () => await open(on, 'never-looks', { access: 'look' }),
        'unavailable',
        'the opening',
      );
      same(on.living(), [], 'who lives');
    },
  },
  {
    id: 'RU9',
    title: 'the words of a prompt are neither among the arguments nor in the environment',
    run: async (on) => {
      await one(on, 'works');
      check(
        notes(on, 'turn').some(({ prompt }) => prompt?.includes(words)),
        'the agent did not get the words',
      );
      check(!notes(on, 'start').some(({ given }) => given?.includes('4711')), 'others can read the words');
    },
  },
  {
    id: 'RU10',
    title: 'the session is named, is the one of the turns, and is gone on with',
    run: async (on) => {
      if (!on.has.sessions) return;
      const leg = await open(on, 'works');
      await ended(leg.turn(words));
      const { session } = leg;
      await leg.close();
      check(session !== null, 'no session was named');
      await one(on, 'works', { session });
      same(
        notes(on, 'turn').map((note) => note.session),
        [session.id, session.id],
        'the session of each turn',
      );
    },
  },
  {
    id: 'RU10',
    title: 'a session that an agent does not go on with is refused, and no other is begun',
    run: async (on) => {
      const session = {
        runtime: 'claude-code',
        id: 'b8f3a6de-0000-4000-8000-000000000001',
        path: '/gone',
      } as const;
      try {
        const { how } = await one(on, 'forgets', { session });
        check(how !== 'over', 'the turn is over as if the session had been there');
      } catch (error) {
        if (!isStaffettaError(error, 'not-resumable')) throw error;
      }
      same(notes(on, 'turn').length, 0, 'turns that were begun');
    },
  },
  {
    id: 'RU11',
    title: 'the second turn is in the session of the first',
    run: async (on) => {
      if (!on.has.sessions) return;
      const leg = await open(on, 'works');
      same((await ended(leg.turn(words))).how, 'over', 'the first turn');
      same((await ended(leg.turn('And once more.'))).how, 'over', 'the second turn');
      const { session } = leg;
      await leg.close();
      same(
        notes(on, 'turn').map((note) => note.session),
        [session?.id, session?.id],
        'the session of each turn',
      );
    },
  },
];
