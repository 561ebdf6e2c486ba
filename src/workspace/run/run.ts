/** One command in the workspace: no shell, no input, bounded time and output, and nobody left behind. */
import { setImmediate as lookOnce, setTimeout as wait } from 'node:timers/promises';
import { StaffettaError } from '../../core/base/error.ts';
import { limits } from '../../core/base/limits.ts';
import type { NotedRun } from '../../ports/orphans.ts';
import { startProgram, type ProgramStart, type StartedProgram } from '../../process/start.ts';
import type { RunEnd, RunOptions, RunReport } from '../../ports/workspace.ts';
import { openJoinedPipe, type JoinedPipe } from './joined-pipe.ts';
import { BoundedOutput } from './output.ts';
import { environment, folderInside, notStartedReason } from './program.ts';

/** Told of a command before it starts, by its mark. */
export type NoteRun = (command: readonly string[], mark: string) => NotedRun;

export type RanProgram = Omit<RunReport, 'content' | 'before' | 'after'>;

export async function runCommand(
  root: string,
  command: readonly string[],
  options: RunOptions & {
    readonly base: Readonly<Record<string, string | undefined>>;
    readonly note?: NoteRun | undefined;
  },
): Promise<RanProgram> {
  const [program, ...args] = command;
  if (program === undefined || program === '' || command.some((word) => word.includes('\0')))
    throw new StaffettaError('invalid-input', 'A command needs a program, and no word of it may hold a NUL.');
  const cwd = folderInside(root, options.cwd ?? '.');
  const env = environment(options.base, options.env);
  const output = new BoundedOutput(options.outputBytesMax ?? limits.runOutputBytesMax);
  const { note } = options;
  const pipe = openJoinedPipe();
  const began = performance.now();
  const start = {
    program,
    args,
    cwd,
    env,
    stdio: pipe === undefined ? ['ignore', 'pipe', 'pipe'] : ['ignore', pipe.writer, pipe.writer],
    note: note === undefined ? undefined : (mark: string) => note(command, mark),
  } satisfies ProgramStart;
  const started = startOrClose(start, pipe);
  const attended = await attend(started, { pipe, output, options, program, env, cwd });
  return {
    command,
    end: attended.end,
    durationMs: Math.round(performance.now() - began),
    output: output.bytes(),
    outputBytes: output.total,
    droppedBytes: output.dropped,
    leftovers: attended.leftovers,
    unended: attended.unended,
  };
}

/** What could not be noted is not started; the reading end, left open, would keep our own process alive for ever. */
function startOrClose(start: ProgramStart, pipe: JoinedPipe | undefined): StartedProgram {
  try {
    return startProgram(start);
  } catch (error) {
    pipe?.release();
    pipe?.reader.destroy();
    throw error;
  }
}

interface Attended {
  readonly pipe: JoinedPipe | undefined;
  readonly output: BoundedOutput;
  readonly options: RunOptions;
  readonly program: string;
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
}

async function attend(
  started: StartedProgram,
  about: Attended,
): Promise<Pick<RanProgram, 'end' | 'leftovers' | 'unended'>> {
  const { child } = started;
  const { pipe, output, options } = about;
  const sources = pipe === undefined ? [child.stdout, child.stderr] : [pipe.reader];
  for (const source of sources) source?.on('data', (bytes: Buffer) => output.push(bytes));
  const closed = Promise.all(sources.map(async (source) => await whenClosed(source)));
  pipe?.release();
  const cut = cutOff(options);
  const end = await Promise.race([whenOver(started, about), cut.happened]);
  cut.cancel();
  // It may have said that it was done, and left something running that would go on changing the workspace.
  const rest = await started.end();
  const isClosed = await drain(closed, output);
  // A process that still holds the pipe was started by it, whatever became of its environment.
  const holders = isClosed ? nobody : await started.end({ pipe: pipe?.listedAs });
  if (holders.found) await drain(closed, output);
  for (const source of sources) source?.destroy();
  const isOver = end.how === 'exited' || end.how === 'signalled';
  return {
    end,
    leftovers: isOver && (rest.found || holders.found),
    unended: rest.left || holders.left,
  };
}

const nobody = { found: false, left: false };

const quietMs = 100;
const quietTimesMax = 50;

/**
 * Reads what is already written, and says whether the stream ended. A process that left the group may hold the stream open for ever, so its
 * end cannot be waited for. A while without anything new is the end, as long as there was time to look.
 */
async function drain(closed: Promise<unknown>, output: BoundedOutput): Promise<boolean> {
  const ended = closed.then(() => true);
  for (let i = 0, before = -1; i < quietTimesMax && before !== output.total; i++) {
    before = output.total;
    if (await Promise.race([ended, wait(quietMs, false)])) return true;
    // On a busy machine the timer may come before the bytes that wait to be read.
    await lookOnce();
  }
  return false;
}

async function whenClosed(source: NodeJS.ReadableStream | null | undefined): Promise<void> {
  if (source === null || source === undefined) return;
  await new Promise<void>((done) => {
    source.once('end', done);
    source.once('close', done);
  });
}

async function whenOver({ exited }: StartedProgram, about: Attended): Promise<RunEnd> {
  const { exit, signal, failed } = await exited;
  if (failed !== null) return { how: 'not-started', reason: notStartedReason(failed, about) };
  return exit === null ? { how: 'signalled', signal: signal ?? 'unknown' } : { how: 'exited', code: exit };
}

function cutOff(options: RunOptions): { readonly happened: Promise<RunEnd>; cancel(): void } {
  const { promise, resolve: happen } = Promise.withResolvers<RunEnd>();
  const timer = setTimeout(() => happen({ how: 'timed-out' }), options.timeoutMs ?? limits.runMsDefault);
  const interrupt = (): void => happen({ how: 'interrupted' });
  options.signal?.addEventListener('abort', interrupt, { once: true });
  if (options.signal?.aborted === true) interrupt();
  return {
    happened: promise,
    cancel() {
      clearTimeout(timer);
      options.signal?.removeEventListener('abort', interrupt);
    },
  };
}
