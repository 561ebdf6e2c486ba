/** The program of an agent: started with pipes, read line by line, and ended with all that it started. */
import { StaffettaError } from '../core/base/error.ts';
import { limits } from '../core/base/limits.ts';
import type { LegOrder } from '../ports/runner.ts';
import { startProgram, type ProgramExit } from '../process/start.ts';
import { boundedLines } from './bounded-lines.ts';
import { settlesWithin } from './turns.ts';

export interface AgentStart {
  readonly program: string;
  readonly args: readonly string[];
  /** Over the environment of the order; null takes a variable out. */
  readonly env?: Readonly<Record<string, string | null>> | undefined;
  readonly cwd?: string;
  /** How long it has from being asked to being killed. */
  readonly graceMs: number;
}

export interface AgentProgram {
  write(text: string): void;
  /** Nothing more will be said to it. */
  hangUp(): void;
  readonly lines: AsyncGenerator<string>;
  /** Once its first process is gone, with all that it left, and it was read to the end. */
  readonly over: Promise<ProgramExit>;
  /** The end of what it said on its error output. */
  complaint(): string;
  /** Ends it and whatever it started. Those who could not be ended. */
  end(): Promise<readonly number[]>;
}

const complaintCharsMax = 2000;

/** Rejects, and leaves nothing, where it cannot be started. */
export async function startAgent(
  { folder, env, note, seen }: Pick<LegOrder, 'folder' | 'env' | 'note' | 'seen'>,
  { program, args, env: more = {}, cwd = folder, graceMs }: AgentStart,
): Promise<AgentProgram> {
  const started = startProgram({
    program,
    args,
    cwd,
    env: environment(env, { PWD: cwd, ...more }),
    stdio: ['pipe', 'pipe', 'pipe'],
    note,
  });
  const { child, exited } = started;
  const { stdin, stdout, stderr } = child;
  if (stdin === null || stdout === null || stderr === null) throw new Error('it has no pipes');
  // One that ends before it has read everything says why by its exit code.
  stdin.on('error', () => {});
  let complaint = '';
  stderr.setEncoding('utf8');
  stderr.on('data', (text: string) => (complaint = (complaint + text).slice(-complaintCharsMax)));
  const spawned = Promise.withResolvers<void>();
  child.once('spawn', () => spawned.resolve());
  const failed = await Promise.race([spawned.promise.then(() => null), exited.then((exit) => exit.failed)]);
  if (failed !== null) {
    await started.end({ graceMs });
    throw new StaffettaError('runtime-missing', `${program} could not be started: ${failed.message}`, {
      hint: 'See whether it is installed, and whether the folder that it works in is there.',
      cause: failed,
    });
  }
  const read = Promise.withResolvers<void>();
  return {
    write: (text) => void stdin.write(text),
    hangUp: () => void stdin.end(),
    lines: untilEnd(stdout, { seen, done: read.resolve }),
    over: (async () => {
      // One that closed its output will say nothing more: it is gone, whether it knows it or not.
      await Promise.race([exited, read.promise.then(async () => await settlesWithin(exited, graceMs))]);
      // A process that it left holds the pipe open: it would be read for ever.
      await started.end({ graceMs });
      await settlesWithin(read.promise, graceMs);
      return await exited;
    })(),
    complaint: () => complaint.trim(),
    async end() {
      await started.end({ graceMs });
      return started.leave();
    },
  };
}

async function* untilEnd(
  stdout: AsyncIterable<Buffer>,
  { seen, done }: Pick<LegOrder, 'seen'> & { readonly done: () => void },
): AsyncGenerator<string> {
  try {
    yield* boundedLines(stdout, {
      bytesMax: limits.agentLineBytesMax,
      tooLong: () => seen({ kind: 'noise', why: 'too-long' }),
    });
  } catch {
    // The pipe was closed on us: it has ended.
  } finally {
    done();
  }
}

function environment(env: LegOrder['env'], more: Readonly<Record<string, string | null>>): NodeJS.ProcessEnv {
  const set = { ...env };
  for (const [name, value] of Object.entries(more)) {
    if (value === null) delete set[name];
    else set[name] = value;
  }
  return set;
}
