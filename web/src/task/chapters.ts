/** Where a story begins a new chapter: another leg, or another session. */
import type { TaskHistory } from '../../../src/server/contract/contract-looks.ts';

type Step = Pick<TaskHistory['steps'][number], 'ref' | 'session'>;
type About = Pick<TaskHistory, 'sessions' | 'legs'>;

export interface StepHead {
  readonly leg: TaskHistory['legs'][number] | undefined;
  /** The session in words. */
  readonly session: string;
}

/** What stands above a step; nothing where it goes on with the step before it. `before` is undefined at the beginning. */
export function chapterAt(about: About, before: Step | undefined, step: Step): StepHead | undefined {
  const leg = legOf(about, step);
  if (before !== undefined && before.session === step.session && legOf(about, before) === leg)
    return undefined;
  return { leg, session: sessionWords(about.sessions[step.session]) };
}

function legOf({ legs }: About, { ref }: Step): StepHead['leg'] {
  return legs.findLast((leg) => leg.ref <= ref);
}

function sessionWords(session: TaskHistory['sessions'][number] | undefined): string {
  if (session === undefined) return '';
  const { runtime, session: id, model, title } = session.facts;
  const program = runtime === 'unknown' ? 'a transcript' : runtime;
  const words = [program, id.slice(0, 40), model, title].filter((word) => word !== null && word !== '');
  return `${words.join(', ')}${session.rewritten ? ' (rewritten later)' : ''}`;
}
