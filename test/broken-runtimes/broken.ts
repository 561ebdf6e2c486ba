import { appendFileSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { StaffettaError } from '../../src/core/base/error.ts';
import { toldOf } from '../../src/core/transcript/told.ts';
import type { RuntimeScratch } from '../../src/conformance/index.ts';
import type { Captured, CapturedEnd, Cursor, Runtime, SessionPlace } from '../../src/ports/index.ts';
import type { Step, Transcript } from '../../src/ports/runtime.ts';

/** A runtime that breaks one sentence of its contract, and how. Cases of that sentence must catch it. */
export interface BrokenRuntime {
  readonly breaks: string;
  readonly how: string;
  readonly spoil: (runtime: Runtime, scratch: RuntimeScratch) => Partial<Runtime>;
}

let count = 0;

interface Spoiling {
  readonly records?: (records: readonly Uint8Array[]) => readonly Uint8Array[];
  readonly end?: (end: CapturedEnd) => CapturedEnd;
  readonly from?: (from: Cursor | undefined) => Cursor | undefined;
}

/** Reads all of it first, then gives it spoiled. */
function capturing(runtime: Runtime, { records, end, from }: Spoiling): Partial<Runtime> {
  return {
    capture: async (place, given): Promise<Captured> => {
      const cursor = from === undefined ? given : from(given);
      const captured = await runtime.capture(place, cursor);
      const all: Uint8Array[] = [];
      for await (const record of captured.records) all.push(record);
      const told = records?.(all) ?? all;
      return {
        records: (async function* give() {
          await Promise.resolve();
          yield* told;
        })(),
        end: () => end?.(captured.end()) ?? captured.end(),
      };
    },
  };
}

function reading(runtime: Runtime, spoil: (read: Transcript) => Transcript): Partial<Runtime> {
  return { read: (records) => spoil(runtime.read(records)) };
}

function steps(read: Transcript, change: (step: Step) => Step): Transcript {
  return { ...read, steps: read.steps.map(change) };
}

function touch({ path }: SessionPlace): void {
  utimesSync(path, 1, count++);
}

export const brokenRuntimes: readonly BrokenRuntime[] = [
  {
    breaks: 'RT1',
    how: 'capturing leaves a time stamp',
    spoil: (runtime) => ({
      capture: async (place, from) => {
        touch(place);
        return await runtime.capture(place, from);
      },
    }),
  },
  {
    breaks: 'RT1',
    how: 'listing leaves a lock behind',
    spoil: (runtime, { sessions }) => ({
      sessions: (query) => {
        writeFileSync(`${sessions[0]?.path}.lock`, '');
        return runtime.sessions(query);
      },
    }),
  },
  {
    breaks: 'RT2',
    how: 'the oldest come first',
    spoil: (runtime) => ({
      sessions: async function* oldest(query) {
        const all = [];
        for await (const card of runtime.sessions(query)) all.push(card);
        yield* all.toReversed();
      },
    }),
  },
  {
    breaks: 'RT2',
    how: 'what cannot be understood is left out',
    spoil: (runtime) => ({
      sessions: async function* understood(query) {
        for await (const card of runtime.sessions(query)) if (card.pointerOnly === null) yield card;
      },
    }),
  },
  {
    breaks: 'RT2',
    how: 'the folder is not asked for',
    spoil: (runtime) => ({
      sessions: (query) => runtime.sessions(query?.limit === undefined ? {} : { limit: query.limit }),
    }),
  },
  {
    breaks: 'RT3',
    how: 'records are written anew',
    spoil: (runtime) =>
      capturing(runtime, {
        records: (all) => all.map((record) => Buffer.from(` ${Buffer.from(record).toString()}`)),
      }),
  },
  {
    breaks: 'RT3',
    how: 'a record is left out without a word',
    spoil: (runtime) => capturing(runtime, { records: (all) => all.slice(0, -1) }),
  },
  {
    breaks: 'RT3',
    how: 'a torn line is taken for a record',
    spoil: (runtime) => ({
      capture: async (place, from) => {
        const text = readFileSync(place.path, 'utf8');
        if (!text.endsWith('\n')) appendFileSync(place.path, '\n');
        return await runtime.capture(place, from);
      },
    }),
  },
  {
    breaks: 'RT3',
    how: 'a torn line is not counted',
    spoil: (runtime) =>
      capturing(runtime, {
        end: ({ omissions, ...end }) => ({
          ...end,
          omissions: omissions.filter(({ kind }) => kind !== 'record-cut'),
        }),
      }),
  },
  {
    breaks: 'RT4',
    how: 'the cursor is not looked at',
    spoil: (runtime) => capturing(runtime, { from: () => undefined }),
  },
  {
    breaks: 'RT4',
    how: 'it does not say that it began anew',
    spoil: (runtime) => capturing(runtime, { end: (end) => ({ ...end, fromStart: false }) }),
  },
  {
    breaks: 'RT5',
    how: 'the transcript depends on when it is read',
    spoil: (runtime) => reading(runtime, (read) => steps(read, (step) => ({ ...step, at: count++ }))),
  },
  {
    breaks: 'RT5',
    how: 'a record that is no JSON makes it throw',
    spoil: (runtime) => ({
      read: (records) => {
        const all = [...records];
        for (const record of all) JSON.parse(Buffer.from(record).toString());
        return runtime.read(all);
      },
    }),
  },
  {
    breaks: 'RT5',
    how: 'what is unknown is dropped in silence',
    spoil: (runtime) => reading(runtime, (read) => ({ ...read, omissions: [] })),
  },
  {
    breaks: 'RT6',
    how: 'steps are numbered from the end',
    spoil: (runtime) =>
      reading(runtime, (read) => steps(read, (step) => ({ ...step, id: read.steps.length + 1 - step.id }))),
  },
  {
    breaks: 'RT7',
    how: 'a result stands in a step of its own',
    spoil: (runtime) =>
      reading(runtime, (read) => ({
        ...read,
        steps: read.steps.flatMap((step) => {
          const { results, ...rest } = step;
          return results === undefined ? [step] : [rest, { ...step, calls: [], results }];
        }),
      })),
  },
  {
    breaks: 'RT7',
    how: 'a result without its call is forgotten',
    spoil: (runtime) => reading(runtime, (read) => ({ ...read, omissions: [] })),
  },
  {
    breaks: 'RT8',
    how: 'the whole session is read first',
    spoil: (runtime) =>
      capturing(runtime, { records: (all) => all.map((record) => Uint8Array.from(record)) }),
  },
  {
    breaks: 'RT9',
    how: 'another session is touched',
    spoil: (runtime, { sessions }) => ({
      write: async (transcript, options) => {
        appendFileSync(sessions[0]?.path ?? '', '{"id":"x","type":"user","content":"evil"}\n');
        return await runtime.write(transcript, options);
      },
    }),
  },
  {
    breaks: 'RT9',
    how: 'what was written is not compared',
    spoil: (runtime) => ({
      write: async (transcript, options) => {
        const written = await runtime.write(transcript, options);
        writeFileSync(
          written.place.path,
          readFileSync(written.place.path, 'utf8').split('\n').slice(0, -2).join('\n'),
        );
        return written;
      },
    }),
  },
  {
    breaks: 'RT9',
    how: 'what was refused is left behind',
    spoil: (runtime) => ({
      write: async (transcript, options) => {
        await runtime.write(transcript, options);
        throw new StaffettaError('unavailable', 'It differs.');
      },
    }),
  },
  {
    breaks: 'RT10',
    how: 'losses are not listed',
    spoil: (runtime) => ({
      write: async (transcript, options) => ({
        ...(await runtime.write(transcript, options)),
        omissions: [],
      }),
    }),
  },
  {
    breaks: 'RT10',
    how: 'reasoning is written as text',
    spoil: (runtime) => ({
      write: async (transcript, options) =>
        await runtime.write(
          steps(transcript, (step) => ({ ...step, text: `${step.reasoning ?? ''}${step.text}` })),
          options,
        ),
    }),
  },
  {
    breaks: 'RT17',
    how: 'words go nowhere',
    spoil: () => ({ addWords: async () => await Promise.resolve() }),
  },
  {
    breaks: 'RT17',
    how: 'words are added to another session as well',
    spoil: (_, { sessions }) => ({
      addWords: async (_place, text) => {
        for (const { path } of sessions.slice(0, 2))
          appendFileSync(path, `${JSON.stringify({ id: 'w', type: 'user', content: [{ text }] })}\n`);
        await Promise.resolve();
      },
    }),
  },
  {
    breaks: 'RT16',
    how: 'looking at settings leaves a mark',
    spoil: (runtime, { sessions }) => ({
      provisions: async (folder) => {
        writeFileSync(`${sessions[0]?.path}.seen`, '');
        return await runtime.provisions(folder);
      },
    }),
  },
  {
    breaks: 'RT16',
    how: 'a folder that is not there is an error',
    spoil: (runtime) => ({
      provisions: async (folder) => {
        readFileSync(`${folder}/settings.json`);
        return await runtime.provisions(folder);
      },
    }),
  },
  {
    breaks: 'RT15',
    how: 'a rehearsal writes',
    spoil: (runtime) => ({
      write: async (transcript, options) => await runtime.write(transcript, { ...options, rehearse: false }),
    }),
  },
  {
    breaks: 'RT15',
    how: 'a rehearsal knows of no losses',
    spoil: (runtime) => ({
      write: async (transcript, options) => {
        const written = await runtime.write(transcript, options);
        return options.rehearse === true ? { ...written, omissions: [] } : written;
      },
    }),
  },
  {
    breaks: 'RT11',
    how: 'the prompt is an argument',
    spoil: (runtime) => ({
      launch: (start, prompt, options) => {
        const launch = runtime.launch(start, prompt, options);
        return { ...launch, args: [...launch.args, ...(launch.stdin === null ? [] : [launch.stdin])] };
      },
    }),
  },
  {
    breaks: 'RT11',
    how: 'the prompt is in the environment',
    spoil: (runtime) => ({
      launch: (start, prompt, options) => {
        const launch = runtime.launch(start, prompt, options);
        return { ...launch, env: { ...launch.env, PROMPT: launch.stdin } };
      },
    }),
  },
  {
    breaks: 'RT12',
    how: 'nobody looks who holds the session',
    spoil: (runtime) => ({
      launch: (start, prompt, options) =>
        runtime.launch(
          start.kind === 'new' ? start : { ...start, session: { ...start.session, liveness: 'unknown' } },
          prompt,
          options,
        ),
    }),
  },
  {
    breaks: 'RT12',
    how: 'the process is not named',
    spoil: (runtime) => ({
      launch: (start, prompt, options) => {
        if (start.kind === 'continue' && start.session.liveness === 'alive')
          throw new StaffettaError('held', 'Somebody has it.');
        return runtime.launch(start, prompt, options);
      },
    }),
  },
  {
    breaks: 'RT13',
    how: 'the version is the one that is known here',
    spoil: (runtime) => ({
      version: async () => await Promise.resolve(runtime.provenVersions[0] ?? null),
    }),
  },
  {
    breaks: 'RT13',
    how: 'a program that is missing makes it throw',
    spoil: (runtime) => ({
      version: async () => {
        const version = await runtime.version();
        if (version === null) throw new Error('no program');
        return version;
      },
    }),
  },
  {
    breaks: 'RT14',
    how: 'what the program said counts as a turn',
    spoil: (runtime) => ({
      tell: async (place) => {
        const records: Uint8Array[] = [];
        for await (const record of (await runtime.capture(place)).records) records.push(record);
        const told = toldOf(runtime.read(records).steps);
        return { ...told, turns: told.turns + 1 };
      },
    }),
  },
];
