import type { AddedTerm } from '../../../core/contract/added-terms.ts';
import { mayDirect } from '../../../core/task/actor.ts';
import type { Validation } from '../../../core/contract/contract.ts';
import { isStaffettaError } from '../../../core/base/error.ts';
import { isTaskId } from '../../../core/journal/id.ts';
import { resolveTask } from '../../../handoff/record/load.ts';
import { validate } from '../../../handoff/verbs/validate.ts';
import { exits } from '../../frame/fail.ts';
import { interruptible } from '../../frame/interrupt.ts';
import { Running } from '../../frame/running.ts';
import { namedCommandWords, ranData, ranText } from '../../pages/runs-page.ts';
import type { Session } from '../../call/session.ts';
import type { Invocation } from '../../frame/spec.ts';
import { counted } from '../../pages/words.ts';

export async function run({ positionals, values }: Invocation, session: Session): Promise<number> {
  const { given, only } = await split(positionals, session);
  // A caller who directs the work may look at it without holding it.
  const directs = mayDirect(session.actor);
  const { task, state, generation } = await (directs ? session.standing(given) : session.held(given));
  const holds = !directs || state.leg?.holder.name === session.actor.name;
  const { output } = session;
  const context = await session.context();
  const all = values['output'] === true;
  const planned: Validation[] = [];
  const running = new Running(output);
  const starting = (validation: Validation): void => {
    planned.push(validation);
    if (!session.dryRun) running.starting(validation);
  };
  const waiting = ({ text, by }: AddedTerm): void =>
    output.say(
      `Not run: ${text}. ${by} added it to the contract, and nobody has confirmed it: staffetta amend ${task} --confirm`,
      'warn',
    );
  // Each result has its own entry, and running again is what is meant: a key would only refuse it.
  const { key: _key, ...call } = session.call();
  const { result: ran, interrupted } = await interruptible(
    async (signal) =>
      await validate(
        context,
        task,
        { only, signal, starting, waiting, ...(holds ? { generation } : {}) },
        call,
      ),
  ).finally(() => running.end());
  const passed = ran.every((one) => one.passed);
  const data = {
    task,
    passed: session.dryRun ? null : passed && !interrupted,
    runs: ran.map((one) => ranData(one, all)),
    ...(session.dryRun ? { dryRun: true, wouldRun: planned.map(({ run: words }) => words) } : {}),
  };
  output.data(data, () =>
    session.dryRun
      ? planned.map((one) => `Would run: ${namedCommandWords(one)}`).join('\n')
      : ran.map((one) => ranText(one, all, output)).join('\n'),
  );
  if (interrupted) {
    output.say('Interrupted; what was running is ended and recorded.');
    return exits.interrupted;
  }
  if (session.dryRun) return exits.ok;
  const failed = ran.filter((one) => !one.passed).length;
  const unbound = ran.filter(({ changedWorkspace }) => changedWorkspace).length;
  const but =
    unbound === 0
      ? ''
      : `, but ${counted(unbound, 'result')} ${unbound === 1 ? 'speaks' : 'speak'} for no state of the workspace`;
  output.say(
    failed === 0
      ? `Everything passed${but}.`
      : `${counted(failed, 'command')} of ${ran.length} did not pass.`,
  );
  return passed ? exits.ok : exits.findings;
}

/** The first word names a task if there is one of that name, and else a command of the task you hold. */
async function split(
  [first = '', ...rest]: readonly string[],
  session: Session,
): Promise<{ readonly given: string; readonly only: readonly string[] }> {
  if (first === '' || isTaskId(first)) return { given: first, only: rest };
  try {
    return { given: await resolveTask(await session.context(), first), only: rest };
  } catch (error) {
    if (!isStaffettaError(error, 'unknown-task')) throw error;
    return { given: '', only: [first, ...rest] };
  }
}
