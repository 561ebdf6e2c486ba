/**
 * One run of git: arguments as a list, no shell, bounded output, bounded time. Nothing here knows what a command means.
 */
import { spawn } from 'node:child_process';
import { StaffettaError } from '../../core/base/error.ts';
import { limits } from '../../core/base/limits.ts';
import { sanitizeLine } from '../../core/base/sanitize.ts';

export interface GitPlace {
  readonly program: string;
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly msMax: number;
}

export interface GitCall {
  readonly input?: Uint8Array | string;
  /** Added to the place's environment. */
  readonly env?: NodeJS.ProcessEnv;
  readonly bytesMax?: number;
  /** Over `bytesMax`: keep what came so far instead of failing. */
  readonly cut?: boolean;
  /** Takes the output as it comes, and nothing of it is kept. */
  readonly take?: (bytes: Buffer) => void;
  readonly msMax?: number;
  /** Exit codes that are answers and no failures. */
  readonly accept?: readonly number[];
}

export interface GitAnswer {
  readonly code: number;
  readonly stdout: Buffer;
  readonly stderr: string;
  readonly cut: boolean;
}

const stderrBytesMax = 64 * 1024;

/** Runs git and returns whatever it answered. Throws only if it could not be run to its end. */
export async function askGit(
  place: GitPlace,
  args: readonly string[],
  call: GitCall = {},
): Promise<GitAnswer> {
  const bytesMax = call.bytesMax ?? limits.gitOutputBytesMax;
  const msMax = call.msMax ?? place.msMax;
  return await new Promise((resolve, reject) => {
    const child = spawn(place.program, args, {
      cwd: place.cwd,
      env: { ...place.env, ...call.env },
      stdio: [call.input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
      windowsHide: true,
    });
    const out: Buffer[] = [];
    const err: Buffer[] = [];
    let outBytes = 0;
    let errBytes = 0;
    let over = false;
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      child.kill('SIGKILL');
    }, msMax);
    child.stdout?.on('data', (bytes: Buffer) => {
      if (call.take !== undefined) {
        call.take(bytes);
        return;
      }
      if (outBytes >= bytesMax) return;
      out.push(bytes);
      outBytes += bytes.length;
      over = outBytes > bytesMax;
      if (over) child.kill('SIGKILL');
    });
    child.stderr?.on('data', (bytes: Buffer) => {
      if (errBytes < stderrBytesMax) err.push(bytes);
      errBytes += bytes.length;
    });
    child.on('error', (cause) => {
      clearTimeout(timer);
      reject(new StaffettaError('git-failed', `git could not be started: ${cause.message}`, { cause }));
    });
    child.on('close', (code, signal) => {
      clearTimeout(timer);
      const stderr = Buffer.concat(err).toString('utf8');
      if (late) reject(failed(args, `it took longer than ${msMax} ms`, stderr));
      else if (over && call.cut !== true)
        reject(failed(args, `it answered more than ${bytesMax} bytes`, stderr));
      else if (over)
        resolve({ code: 0, stdout: Buffer.concat(out).subarray(0, bytesMax), stderr, cut: true });
      else if (code === null) reject(failed(args, `it was ended by ${signal ?? 'a signal'}`, stderr));
      else resolve({ code, stdout: Buffer.concat(out), stderr, cut: false });
    });
    // Git may end without reading everything; what it answers says why.
    child.stdin?.on('error', () => {});
    if (call.input !== undefined) child.stdin?.end(call.input);
  });
}

/** Runs git and returns its output; any exit code that was not announced as an answer is a failure. */
export async function git(place: GitPlace, args: readonly string[], call: GitCall = {}): Promise<GitAnswer> {
  const answer = await askGit(place, args, call);
  if (answer.code === 0 || call.accept?.includes(answer.code) === true) return answer;
  throw failed(args, firstLine(answer.stderr) || `it exited with ${answer.code}`, answer.stderr);
}

function failed(args: readonly string[], why: string, stderr: string): StaffettaError {
  return new StaffettaError('git-failed', `git ${args[0] ?? ''} failed: ${sanitizeLine(why)}`, {
    details: { command: ['git', ...args.slice(0, 20)], stderr: stderr.slice(0, 2000) },
  });
}

function firstLine(text: string): string {
  return text.split('\n').find((line) => line.trim() !== '') ?? '';
}

/** Cuts a stream at its NULs, wherever the pieces end. */
export class RecordStream {
  readonly #see: (record: Buffer) => void;
  #rest: Buffer = Buffer.alloc(0);

  constructor(see: (record: Buffer) => void) {
    this.#see = see;
  }

  push(bytes: Buffer): void {
    const whole = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes]);
    let at = 0;
    for (let end = whole.indexOf(0); end !== -1; end = whole.indexOf(0, at)) {
      this.#see(whole.subarray(at, end));
      at = end + 1;
    }
    this.#rest = whole.subarray(at);
  }
}

/** What stands between NULs. */
export function* records(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length;) {
    const end = bytes.indexOf(0, at);
    if (end === -1) {
      yield bytes.subarray(at);
      return;
    }
    yield bytes.subarray(at, end);
    at = end + 1;
  }
}
