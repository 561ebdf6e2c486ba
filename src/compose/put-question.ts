/** Starts a program with a question on its standard input, and reads its answer: for a bounded time, so much of it, and nobody left behind. */
import { setTimeout as wait } from 'node:timers/promises';
import { limits } from '../core/base/limits.ts';
import { sanitizeLine } from '../core/base/sanitize.ts';
import type { AgentAnswer } from '../handoff/sessions/ask-agent.ts';
import type { Launch } from '../ports/runtime.ts';
import { startProgram, type ProgramStart, type StartedProgram } from '../process/start.ts';

export interface QuestionOptions extends Pick<ProgramStart, 'env' | 'note'> {
  readonly msMax: number;
  /** Ends it. */
  readonly stop: AbortSignal;
}

const answerBytesMax = 256 * 1024;
const errorBytesMax = 64 * 1024;
const reasonCharsMax = 300;
/** A timer of Node that is set for longer goes off at once. */
const timerMsMax = 2 ** 31 - 1;

export async function putQuestion(launch: Launch, options: QuestionOptions): Promise<AgentAnswer> {
  const { env, msMax, stop, note } = options;
  const { program, args, cwd, stdin } = launch;
  const started = startProgram({ program, args, cwd, env, stdio: 'pipe', note });
  const { child } = started;
  const said = gathered(child.stdout, answerBytesMax);
  const complained = gathered(child.stderr, errorBytesMax);
  // A program that ends before it has read its question says why by its exit code.
  child.stdin?.on('error', () => {});
  child.stdin?.end(stdin ?? '');
  const cut = cutOff(msMax, stop);
  const failed = await Promise.race([whenClosed(started), cut.happened]);
  cut.cancel();
  await started.end();
  child.stdout?.destroy();
  child.stderr?.destroy();
  if (failed === null) return { said: said() };
  const why = lastLine(complained()) || lastLine(said());
  return { failed: `${failed}${why === '' ? '.' : `: ${why}`}` };
}

/** Null, or how it failed. */
async function whenClosed({ child, exited }: StartedProgram): Promise<string | null> {
  const isClosed = new Promise<void>((resolve) => {
    child.once('close', () => resolve());
  });
  const { exit, signal, failed } = await exited;
  if (failed !== null) return `It could not be started: ${failed.message}`;
  // A process that it left behind may hold its output open for ever.
  await Promise.race([isClosed, wait(limits.runGraceMs, undefined, { ref: false })]);
  return exit === 0 ? null : `It ended with ${exit === null ? (signal ?? 'nothing') : `exit code ${exit}`}`;
}

/** The beginning of a stream; the rest is read and dropped, so that the program does not wait. */
function gathered(source: NodeJS.ReadableStream | null, bytesMax: number): () => string {
  const kept: Buffer[] = [];
  let bytes = 0;
  source?.on('data', (chunk: Buffer) => {
    if (bytes >= bytesMax) return;
    const part = chunk.subarray(0, bytesMax - bytes);
    kept.push(part);
    bytes += part.length;
  });
  return () => Buffer.concat(kept).toString('utf8');
}

function cutOff(msMax: number, stop: AbortSignal): { readonly happened: Promise<string>; cancel(): void } {
  const { promise, resolve } = Promise.withResolvers<string>();
  const timer = setTimeout(
    () => resolve(`It had not answered after ${Math.round(msMax / 1000)} s and was ended`),
    Math.min(msMax, timerMsMax),
  );
  const stopped = (): void => resolve('It was interrupted');
  stop.addEventListener('abort', stopped, { once: true });
  if (stop.aborted) stopped();
  return {
    happened: promise,
    cancel() {
      clearTimeout(timer);
      stop.removeEventListener('abort', stopped);
    },
  };
}

function lastLine(text: string): string {
  const line = text
    .split('\n')
    .map((each) => sanitizeLine(each).trim())
    .findLast((each) => each !== '');
  return (line ?? '').slice(0, reasonCharsMax);
}
