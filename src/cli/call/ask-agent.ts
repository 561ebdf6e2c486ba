/**
 * `--ask-agent`: the outgoing agent is asked for a summary of its own before its session is handed over. It costs a call of a model on the
 * user's account, so only the user switches it on: with the option, or for good with a variable of the environment. No file of a
 * repository can.
 */
import type { NotedRun } from '../../ports/orphans.ts';
import { noteRun } from '../../process/orphans.ts';
import { StaffettaError } from '../../core/base/error.ts';
import type { AskedAgent, AskedSession, PutQuestion } from '../../handoff/sessions/ask-agent.ts';
import { formatDuration, parsePositiveDuration } from '../frame/duration.ts';
import { interruptible } from '../frame/interrupt.ts';
import { line } from '../frame/output.ts';
import type { Session } from './session.ts';
import type { Values } from '../frame/spec.ts';
import { refuseStray, text } from '../frame/values.ts';
import { counted } from '../pages/words.ts';

const setting = 'STAFFETTA_ASK_AGENT';

const copyWords =
  ' It keeps the copy of the session that was asked: name the session by its id from now on, since "latest" is the copy.';

export type AskForSummary = (session: AskedSession, summary?: string) => Promise<AskedAgent>;

/** Undefined where nobody wants it. A variable of the environment asks for it at every handoff. */
export function askFrom(
  session: Session,
  values: Values,
  always = session.env[setting] === '1',
): AskForSummary | undefined {
  if (values['ask-agent'] !== true && !always) {
    refuseStray(values, ['ask-within'], '--ask-agent');
    return undefined;
  }
  const msMax = parsePositiveDuration(text(values, 'ask-within') ?? '3m', 'ask-within');
  return async (asked, summary) => {
    const { askAgent } = await import('../../handoff/sessions/ask-agent.ts');
    const { name, asking } = asked.runtime;
    session.output.say(`Asking ${name} for a summary of its own, for at most ${formatDuration(msMax)}.`);
    const answer = await askAgent(asked, { summary, put: putBy(session, name, msMax) });
    const { outcome } = answer;
    if ('none' in outcome)
      session.output.say(`${name} gave no summary, and it goes on without. ${line(outcome.none)}`, 'warn');
    else
      session.output.say(
        `${name} gave ${counted(outcome.statements, 'statement')}; the citations of ${outcome.held} hold.${asking.keepsCopy ? copyWords : ''}`,
      );
    return answer;
  };
}

function putBy(session: Session, what: string, msMax: number): PutQuestion {
  return async (launch) => {
    const { putQuestion } = await import('../../compose/put-question.ts');
    // Without a store nobody would look for it.
    const runs = session.storeExists ? session.home?.runs : undefined;
    const note = (mark: string): NotedRun => noteRun(runs, { what, folder: launch.cwd, leg: null }, mark);
    const { result, interrupted } = await interruptible(
      async (stop) => await putQuestion(launch, { env: envOf(session.env, launch.env), msMax, stop, note }),
    );
    if (!interrupted) return result;
    throw new StaffettaError('interrupted', `Interrupted while ${what} was asked.`);
  };
}

/** It answers, and does nothing else: no hook of ours takes the copy for a session, and it speaks for no leg. */
function envOf(env: NodeJS.ProcessEnv, launched: Readonly<Record<string, string | null>>): NodeJS.ProcessEnv {
  const set: NodeJS.ProcessEnv = { ...env };
  const own = { [setting]: null, STAFFETTA_LEG: null, STAFFETTA_HOOKS: 'off' };
  for (const [name, value] of Object.entries({ ...launched, ...own })) {
    if (value === null) delete set[name];
    else set[name] = value;
  }
  return set;
}
