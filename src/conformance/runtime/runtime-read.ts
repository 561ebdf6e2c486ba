import { isStaffettaError } from '../../core/base/error.ts';
import type { Transcript } from '../../core/transcript/step.ts';
import { toldOf } from '../../core/transcript/told.ts';
import type {
  CapturedEnd,
  Cursor,
  Runtime,
  SessionCard,
  SessionPlace,
  SessionQuery,
} from '../../ports/runtime.ts';
import { check, same, sameBytes, type Case } from '../case.ts';
import type { RuntimeScratch } from './runtime-scratch.ts';

export interface Whole extends CapturedEnd {
  readonly records: readonly Uint8Array[];
}

export async function captureWhole(runtime: Runtime, place: SessionPlace, from?: Cursor): Promise<Whole> {
  const capturing = await runtime.capture(place, from);
  const records: Uint8Array[] = [];
  for await (const record of capturing.records) records.push(record);
  return { records, ...capturing.end() };
}

export async function transcriptOf(runtime: Runtime, place: SessionPlace): Promise<Transcript> {
  return runtime.read((await captureWhole(runtime, place)).records);
}

async function listed(runtime: Runtime, query?: SessionQuery): Promise<SessionCard[]> {
  const cards: SessionCard[] = [];
  for await (const card of runtime.sessions(query)) cards.push(card);
  return cards;
}

export function first({ sessions }: RuntimeScratch): SessionPlace {
  const [one] = sessions;
  check(one !== undefined, 'the scratch has no session');
  return one;
}

function sameRecords(actual: readonly Uint8Array[], wanted: readonly Uint8Array[], what: string): void {
  same(actual.length, wanted.length, `number of records of ${what}`);
  for (const [i, record] of wanted.entries()) sameBytes(actual[i], record, `record ${i + 1} of ${what}`);
}

function outlineOf({ id, source, text, record }: Transcript['steps'][number]): unknown {
  return [id, source, text, record];
}

function resultsIn({ steps }: Transcript): number {
  return steps.flatMap((step) => step.results ?? []).length;
}

function lostIn({ omissions }: Pick<Transcript, 'omissions'>): number {
  return omissions.reduce((sum, { count }) => sum + count, 0);
}

/** What no file should hold, and what each of them must survive. */
const garbage: readonly Uint8Array[] = [
  '',
  'null',
  '[]',
  '7',
  '"text"',
  '{}',
  '{"type":',
  '{"type":"a-kind-of-tomorrow","payload":{"x":1},"data":{"y":[]}}',
  '{"type":{"type":"user"},"message":7,"payload":[],"id":[],"data":"x"}',
  `{"__proto__":{"type":"user"},"type":"message","id":"\\ud800","data":{"role":"user"}}`,
  `${'['.repeat(5000)}${']'.repeat(5000)}`,
]
  .map((text) => Buffer.from(text))
  .concat([Buffer.from([0xff, 0xfe, 0x00, 0x80])]);

export const runtimeReadCases: readonly Case<RuntimeScratch>[] = [
  {
    id: 'RT1',
    title: 'looking for sessions, capturing and reading leave everything as it was',
    run: async (scratch) => {
      const { runtime, imprint, folder } = scratch;
      const before = imprint();
      await runtime.locate();
      await listed(runtime);
      await listed(runtime, { folder, limit: 1 });
      for (const place of scratch.sessions) {
        await transcriptOf(runtime, place);
        await runtime.tell?.(place);
      }
      same(imprint(), before, "what is the program's");
    },
  },
  {
    id: 'RT2',
    title: 'every session of a folder is named, newest first, and no other',
    run: async ({ runtime, folder, sessions }) => {
      const own = sessions.slice(0, -1).map(({ id }) => id);
      const cards = await listed(runtime, { folder });
      same(
        cards.map(({ id }) => id),
        own.toReversed(),
        'sessions of the folder',
      );
      check(
        cards.every((card) => card.folder === folder && card.pointerOnly === null),
        'a session is not said to be of its folder, or to be readable',
      );
      const [newest] = await listed(runtime, { limit: 1 });
      same(newest?.id, sessions.at(-1)?.id, 'the newest of all');
      same((await listed(runtime, { limit: 1 })).length, 1, 'how many come where one is asked for');
    },
  },
  {
    id: 'RT2',
    title: 'what cannot be understood is named with a reason',
    run: async ({ runtime, sessions, garble }) => {
      const id = garble();
      const cards = await listed(runtime);
      const found = cards.find((card) => card.id === id);
      check(found !== undefined, 'it was left out');
      check(found.pointerOnly !== null && found.pointerOnly !== '', 'no reason is given');
      same(cards.length, sessions.length + 1, 'number of sessions');
    },
  },
  {
    id: 'RT3',
    title: 'records come in their order and byte for byte, and what is left out is counted',
    run: async ({ runtime, sessions, native, byLine }) => {
      for (const place of sessions) {
        const { records, omissions } = await captureWhole(runtime, place);
        const wanted = native(place).map((each) => Buffer.from(each).toString('latin1'));
        let next = 0;
        for (const record of records) {
          const bytes = Buffer.from(record).toString('latin1');
          const found = wanted.findIndex(
            (each, i) => i >= next && bytes.includes(each) && (!byLine || bytes === each),
          );
          check(
            found >= 0,
            `a record is not what the program wrote, or not in its place: ${bytes.slice(0, 80)}`,
          );
          next = found + 1;
        }
        same(records.length + lostIn({ omissions }), wanted.length, 'records that were kept or counted');
      }
    },
  },
  {
    id: 'RT3',
    title: 'a torn last line is counted and waits for the next time',
    run: async (scratch) => {
      const { runtime, tear } = scratch;
      if (tear === null) return;
      const place = first(scratch);
      const before = await captureWhole(runtime, place);
      const finish = tear();
      const torn = await captureWhole(runtime, place);
      sameRecords(torn.records, before.records, 'a session with a torn line');
      same(lostIn(torn), lostIn(before) + 1, 'what was counted with the torn line');
      finish();
      const rest = await captureWhole(runtime, place, torn.cursor);
      same([rest.records.length, rest.fromStart], [1, false], 'what came after the line was finished');
      same(lostIn(rest), 0, 'what was counted once the line was finished');
    },
  },
  {
    id: 'RT4',
    title: 'captured in pieces it is the same as at once',
    run: async (scratch) => {
      const { runtime, grow } = scratch;
      const place = first(scratch);
      const early = await captureWhole(runtime, place);
      const idle = await captureWhole(runtime, place, early.cursor);
      same([idle.records.length, idle.fromStart], [0, false], 'what a session that did not grow gives');
      grow();
      const late = await captureWhole(runtime, place, idle.cursor);
      same(late.fromStart, false, 'whether it began anew');
      check(late.records.length > 0, 'nothing new was captured');
      const pieces = runtime.read([...early.records, ...late.records]);
      const whole = await captureWhole(runtime, place);
      if (scratch.byLine) sameRecords([...early.records, ...late.records], whole.records, 'both pieces');
      same(
        pieces.steps.map(({ source, text }) => [source, text]),
        runtime.read(whole.records).steps.map(({ source, text }) => [source, text]),
        'steps of both pieces',
      );
    },
  },
  {
    id: 'RT4',
    title: 'a session that did not only grow is captured from its beginning, and says so',
    run: async (scratch) => {
      const { runtime, rewrite } = scratch;
      const place = first(scratch);
      const { cursor } = await captureWhole(runtime, place);
      rewrite();
      const again = await captureWhole(runtime, place, cursor);
      same(again.fromStart, true, 'whether it says so');
      sameRecords(
        again.records,
        (await captureWhole(runtime, place)).records,
        'the session from its beginning',
      );
    },
  },
  {
    id: 'RT5',
    title: 'the same records give the same transcript, and stay as they are',
    run: async ({ runtime, sessions }) => {
      for (const place of sessions) {
        const { records } = await captureWhole(runtime, place);
        const copies = records.map((record) => Uint8Array.from(record));
        const read = runtime.read(records);
        same(runtime.read(copies), read, 'a transcript that is read again');
        sameRecords(records, copies, 'what was read');
        same(read.facts.runtime, runtime.name, 'the runtime in the transcript');
        check(read.steps.length > 0, 'a session has no step');
      }
    },
  },
  {
    id: 'RT5',
    title: 'nothing that a file may hold makes it throw, and what is unknown is counted',
    run: async (scratch) => {
      const { runtime } = scratch;
      const { records } = await captureWhole(runtime, first(scratch));
      const clean = runtime.read(records);
      const mixed = runtime.read(
        records.flatMap((record, i) => [record, garbage[i % garbage.length] ?? record]),
      );
      check(runtime.read(garbage).omissions.length > 0, 'what is unknown is not counted');
      same(
        mixed.steps.filter(({ source }) => source === 'user').map(({ text }) => text),
        clean.steps.filter(({ source }) => source === 'user').map(({ text }) => text),
        'what the user said, among garbage',
      );
    },
  },
  {
    id: 'RT6',
    title: 'steps keep their numbers when a session grows',
    run: async (scratch) => {
      const { runtime, grow } = scratch;
      const early = await captureWhole(runtime, first(scratch));
      grow();
      const late = await captureWhole(runtime, first(scratch), early.cursor);
      const before = runtime.read(early.records).steps;
      const after = runtime.read([...early.records, ...late.records]).steps;
      same(after.slice(0, before.length).map(outlineOf), before.map(outlineOf), 'the steps that were there');
      check(after.length > before.length, 'no step was added');
      same(
        after.map(({ id }) => id),
        after.map((_, i) => i + 1),
        'numbers of steps',
      );
    },
  },
  {
    id: 'RT7',
    title: 'every result has its call in the same step, whatever is missing',
    run: async (scratch) => {
      const { runtime } = scratch;
      let results = 0;
      let orphans = 0;
      for (const place of scratch.sessions) {
        const { records } = await captureWhole(runtime, place);
        const whole = runtime.read(records);
        results += resultsIn(whole);
        for (const [gap] of records.entries()) {
          const read = runtime.read(records.filter((_, i) => i !== gap));
          for (const step of read.steps)
            for (const { call } of step.results ?? [])
              check(
                step.calls?.some(({ id }) => id === call),
                `the result of ${call} stands in a step without the call`,
              );
          if (resultsIn(read) < resultsIn(whole) && lostIn(read) > lostIn(whole)) orphans += 1;
        }
      }
      check(results > 0, 'no session has a result');
      check(orphans > 0 || !scratch.byLine, 'a result without its call is not counted');
    },
  },
  {
    id: 'RT8',
    title: 'capturing a long session holds no more than a piece of it',
    run: async ({ runtime, long, memory }) => {
      const bytes = 64 * 1024 * 1024;
      const place = long(bytes);
      const before = memory();
      let seen = 0;
      let looked = 0;
      let most = 0;
      for await (const record of (await runtime.capture(place)).records) {
        seen += record.length;
        if (seen - looked < bytes / 6) continue;
        looked = seen;
        most = Math.max(most, memory() - before);
      }
      check(seen >= bytes / 2, `only ${seen} bytes came`);
      check(most <= bytes / 2, `${most} bytes were held of a session of ${bytes}`);
    },
  },
  {
    id: 'RT14',
    title: 'what is told of a session is what its steps say',
    run: async ({ runtime, sessions, grow }) => {
      grow();
      for (const place of sessions) {
        const { steps } = await transcriptOf(runtime, place);
        const told = await runtime.tell?.(place);
        if (told !== undefined) same(told, toldOf(steps), `what is told of ${place.id}`);
      }
    },
  },
];

/** Of a refusal, its code; of anything else that is thrown, that it was no refusal. */
export async function refusalCode(act: () => Promise<unknown>): Promise<string | null> {
  try {
    await act();
    return null;
  } catch (error) {
    check(isStaffettaError(error), `it failed with ${String(error)}`);
    return error.code;
  }
}
