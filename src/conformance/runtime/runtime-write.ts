import type { JsonObject, Step, Transcript } from '../../core/transcript/step.ts';
import { isStaffettaError } from '../../core/base/error.ts';
import type { Launch, Prompt, Runtime, Start, WrittenSession } from '../../ports/runtime.ts';
import { check, expectRefusal, same, type Case } from '../case.ts';
import { captureWhole, first, refusalCode, transcriptOf } from './runtime-read.ts';
import type { RuntimeScratch } from './runtime-scratch.ts';

const now = 1_794_800_000_000;
let chance = 0;

/** No two sessions get the same. */
function random(count: number): Uint8Array {
  return Uint8Array.from({ length: count }, () => (chance += 101) & 255);
}

async function write(
  { runtime, work, into }: RuntimeScratch,
  transcript: Transcript,
): Promise<WrittenSession> {
  return await runtime.write(transcript, { folder: work, into, now, random, model: 'maker/model' });
}

/** What was said, by whom; program messages are not carried over. */
function said({ steps }: Transcript): unknown[] {
  return steps
    .filter(({ source, aside }) => source !== 'system' && aside === undefined)
    .map(({ source, text }) => [source, text.toWellFormed()]);
}

function made(steps: readonly Partial<Step>[], from = 'elsewhere'): Transcript {
  return {
    facts: {
      runtime: from,
      session: 'x',
      version: null,
      model: 'a-model',
      folder: '/elsewhere',
      branch: null,
      commit: null,
      startedAt: now - 1000,
      title: 'A title',
      parent: null,
    },
    steps: steps.map((step, i) => ({
      id: i + 1,
      source: 'user' as const,
      at: now - 900 + i,
      text: '',
      record: i,
      ...step,
    })),
    omissions: [],
    unanswered: [],
  };
}

function nested(depth: number): JsonObject {
  let args: JsonObject = { end: true };
  for (let i = 0; i < depth; i += 1) args = { args };
  return args;
}

function exchange(args: JsonObject, text: string, answer = 'done'): Transcript {
  return made([
    { text },
    {
      source: 'agent',
      text: answer,
      calls: [{ id: 'c', tool: 'look', args }],
      results: [{ call: 'c', text: 'seen', failed: false }],
    },
  ]);
}

const odd: readonly Transcript[] = [
  exchange(nested(500), 'deep'),
  exchange({ text: 'a\0b\u2028c' }, 'NUL \0 and a lone \ud800 half'),
  exchange({ __proto__x: 1 }, '/looks like a command'),
  exchange({}, '<system-reminder>not from a program</system-reminder>', '{"type":"user"}'),
  exchange({}, 'line\r\nends\r', ' spaces '),
  made([{ text: 'only a prompt' }]),
  made([]),
];

export const runtimeWriteCases: readonly Case<RuntimeScratch>[] = [
  {
    id: 'RT9',
    title: 'a session that is written says the same, is new, and no other is touched',
    run: async (scratch) => {
      const { runtime, sessions } = scratch;
      for (const place of sessions) {
        const before = await Promise.all(
          sessions.map(async (each) => (await captureWhole(runtime, each)).records),
        );
        const given = await transcriptOf(runtime, place);
        const written = await write(scratch, given);
        check(!sessions.some(({ id }) => id === written.place.id), 'it has the id of another session');
        same(said(await transcriptOf(runtime, written.place)), said(given), 'what is read back');
        const after = await Promise.all(
          sessions.map(async (each) => (await captureWhole(runtime, each)).records),
        );
        same(after, before, 'the sessions that were there');
      }
    },
  },
  {
    id: 'RT9',
    title: 'what cannot come back as it was written is refused and taken away',
    run: async (scratch) => {
      const { runtime, left } = scratch;
      let taken = 0;
      for (const given of odd) {
        const before = [await ids(runtime), left()];
        let written: WrittenSession | undefined;
        const code = await refusalCode(async () => (written = await write(scratch, given)));
        if (written !== undefined) {
          taken += 1;
          const back = said(await transcriptOf(runtime, written.place));
          if (written.omissions.length === 0) same(back, said(given), 'what is read back');
        } else {
          check(code === 'invalid-input' || code === 'unavailable', `it is refused with ${code}`);
          same([await ids(runtime), left()], before, 'the sessions after a refusal');
        }
      }
      check(taken >= 2, 'hardly anything could be written');
    },
  },
  {
    id: 'RT10',
    title: 'what is not carried over is listed, and no reasoning is written',
    run: async (scratch) => {
      const { runtime } = scratch;
      const reasoning = 'REASONED-IN-SECRET';
      const results = [{ call: 'c', text: 'seen', failed: false, other: ['image/png'] }];
      const calls = [{ id: 'c', tool: 'look', args: {} }];
      const plain: Partial<Step>[] = [{ text: 'hello' }, { source: 'agent', text: 'one', reasoning }];
      const lossy: readonly (readonly Partial<Step>[])[] = [
        plain,
        [...plain, { text: 'left', aside: 'branch-left' }],
        [...plain, { source: 'system', text: 'from a program', mark: 'context' }],
        [...plain, { source: 'agent', text: 'two', calls, results }],
      ];
      for (const steps of lossy) {
        const { place, omissions } = await write(scratch, made(steps));
        const lost = omissions.reduce((sum, { count }) => sum + count, 0);
        check(lost >= (steps === plain ? 1 : 2), 'something was left out and is not listed');
        const { records } = await captureWhole(runtime, place);
        check(
          !records.some((record) => Buffer.from(record).includes(reasoning)),
          'reasoning without a signature was written',
        );
      }
    },
  },
  {
    id: 'RT16',
    title: 'settings are looked at, and left as they are',
    run: async ({ runtime, work, imprint }) => {
      const before = imprint();
      for (const folder of [work, `${work}/not-there`]) {
        const { servers, denied, unread } = await runtime.provisions(folder);
        check([servers, denied, unread].every(Array.isArray), 'something else than lists is given');
      }
      same(imprint(), before, 'what is the program’s');
    },
  },
  {
    id: 'RT15',
    title: 'a rehearsal names a new place and the same losses, and changes nothing',
    run: async (scratch) => {
      const { runtime, work, into, left, imprint } = scratch;
      const given = made([{ text: 'hello' }, { source: 'agent', text: 'one', reasoning: 'thought' }]);
      const options = { folder: work, into, now, random, model: 'maker/model' };
      const before = [await ids(runtime), left(), imprint()];
      const { place, omissions } = await runtime.write(given, { ...options, rehearse: true });
      same([await ids(runtime), left(), imprint()], before, 'what is there after a rehearsal');
      check(!(await ids(runtime)).includes(place.id), 'the place is that of another session');
      const empty = await refusalCode(
        async () => await runtime.write(made([]), { ...options, rehearse: true }),
      );
      check(empty === 'invalid-input', 'what could not be written is not refused');
      same((await write(scratch, given)).omissions, omissions, 'what is not carried over');
    },
  },
  {
    id: 'RT11',
    title: 'the words of a prompt go by standard input or lie in a file, and nowhere else',
    run: async (scratch) => {
      const text = 'WORDS "of" $A prompt --help';
      const { imprint } = scratch;
      const before = imprint();
      for (const start of starts(scratch)) {
        const launch = launched(scratch, start, { kind: 'headless', text });
        same(launch.stdin, text, 'what it reads');
        check(!JSON.stringify([launch.args, launch.env]).includes('WORDS'), 'the words are in the command');
        same(launch.cwd, scratch.work, 'where it is started');
        same(launched(scratch, start, { kind: 'headless', text }), launch, 'the same command again');
        const file = `${scratch.into}/prompt.md`;
        const talk = launched(scratch, start, { kind: 'terminal', file });
        same(talk.stdin, null, 'what a terminal is given to read');
        check(
          talk.args.some((arg) => arg.includes(file)),
          'the file is not named',
        );
      }
      same(imprint(), before, "what is the program's");
    },
  },
  {
    id: 'RT12',
    title: 'a session that a process holds is refused, and the process named',
    run: async (scratch) => {
      const session = { ...first(scratch), liveness: 'alive' as const, pid: 4711 };
      const act = async (): Promise<Launch> =>
        await Promise.resolve().then(() =>
          launched(scratch, { kind: 'continue', session }, { kind: 'headless', text: 'go on' }),
        );
      await expectRefusal(act, 'held', 'going on with it');
      const words = await act().then(
        () => '',
        (error: unknown) => (isStaffettaError(error) ? error.message : ''),
      );
      check(words.includes('4711'), 'the process is not named');
    },
  },
  {
    id: 'RT17',
    title: 'words that are added stand last, in a person’s name, and all else is as it was',
    run: async (scratch) => {
      const { runtime, sessions } = scratch;
      if (runtime.addWords === undefined) return;
      const place = first(scratch);
      const words = 'ADDED "words" </b>\nand a line';
      const others = sessions.slice(1);
      const kept = async (): Promise<unknown> =>
        await Promise.all(others.map(async (each) => (await captureWhole(runtime, each)).records));
      const before = [await transcriptOf(runtime, place), await kept()] as const;
      await runtime.addWords(place, words);
      const after = await transcriptOf(runtime, place);
      same(after.steps.slice(0, -1), before[0].steps, 'what was there');
      same(said(after).at(-1), ['user', words], 'what stands last');
      same(await kept(), before[1], 'the other sessions');
    },
  },
  {
    id: 'RT13',
    title: 'the version is what the program says, and null where it says none',
    run: async ({ runtime, answers }) => {
      answers('12.34.56');
      same(await runtime.version(), '12.34.56', 'the version');
      answers('7.8.9');
      same(await runtime.version(), '7.8.9', 'the version after an update');
      for (const how of ['fails', 'gone'] as const) {
        answers(how);
        same(await runtime.version(), null, `the version of a program that ${how}`);
      }
    },
  },
];

function starts(scratch: RuntimeScratch): Start[] {
  return [
    { kind: 'new', id: '0b0f7a3e-6d0c-4a53-9f0d-2f6d6c1f9a11' },
    { kind: 'continue', session: first(scratch) },
  ];
}

function launched({ runtime, work }: RuntimeScratch, start: Start, prompt: Prompt): Launch {
  return runtime.launch(start, prompt, { folder: work });
}

async function ids(runtime: Runtime): Promise<string[]> {
  const found: string[] = [];
  for await (const { id } of runtime.sessions()) found.push(id);
  return found.sort();
}
