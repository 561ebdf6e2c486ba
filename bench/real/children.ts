/** Work for a few processes, each with a limit of time: one that is over it is ended, counted, and replaced. */
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Answer, Job } from './child.ts';

export interface Limits {
  readonly processes: number;
  readonly msMax: number;
}

/** The answers, in the order of the jobs. */
export async function answersTo(
  jobs: readonly Job[],
  { processes, msMax }: Limits,
  progress: (done: number) => void,
): Promise<Answer[]> {
  const answers: Answer[] = [];
  let next = 0;
  let done = 0;
  const work = async (): Promise<void> => {
    let child: ChildProcess | null = null;
    for (let at = next++; at < jobs.length; at = next++) {
      const job = jobs[at];
      if (job === undefined) break;
      child ??= await started();
      const answer = await answerOf(child, job, msMax);
      if (answer === null) child = null;
      answers[at] = answer ?? { refused: `not done within ${msMax / 1000} s, or ended by itself` };
      progress(++done);
    }
    child?.disconnect();
  };
  await Promise.all(Array.from({ length: processes }, work));
  return answers;
}

async function started(): Promise<ChildProcess> {
  const child = fork(join(import.meta.dirname, 'child.ts'));
  await once(child, 'message');
  return child;
}

/** Null where the process is gone. */
async function answerOf(child: ChildProcess, job: Job, msMax: number): Promise<Answer | null> {
  const over = setTimeout(() => child.kill('SIGKILL'), msMax);
  const gone = new AbortController();
  child.once('exit', () => gone.abort());
  child.send(job);
  try {
    const [answer] = (await once(child, 'message', { signal: gone.signal })) as [Answer];
    return answer;
  } catch {
    return null;
  } finally {
    clearTimeout(over);
    child.removeAllListeners('exit');
  }
}
