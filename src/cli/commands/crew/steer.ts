import { StaffettaError } from '../../../core/base/error.ts';
import { runState } from '../../../crew/open-run.ts';
import { steer } from '../../../handoff/verbs/outside.ts';
import type { Session } from '../../call/session.ts';
import { exits } from '../../frame/fail.ts';
import type { Invocation } from '../../frame/spec.ts';
import { UsageError } from '../../frame/usage.ts';
import { count, text } from '../../frame/values.ts';
import { report } from '../../pages/words.ts';

export async function run({ positionals, values }: Invocation, session: Session): Promise<number> {
  const name = positionals[0] ?? '';
  const [pause, resume] = [values['pause'] === true, values['resume'] === true];
  const parallel = count(values, 'parallel');
  if (pause && resume) throw new UsageError('Pause it or resume it?', 'Give one of --pause and --resume.');
  if (!pause && !resume && parallel === undefined)
    throw new UsageError('Nothing would change.', 'Give --pause, --resume or --parallel N.');
  const context = await session.context();
  const known = await runState(context, name);
  if (known === undefined)
    throw new StaffettaError('unknown-task', `There is no run ${name} in this store.`, {
      hint: 'Runs are the tasks in the supervise lane: staffetta ls --lane supervise --all',
    });
  const words = [
    ...(pause ? ['paused'] : resume ? ['resumed'] : []),
    ...(parallel === undefined ? [] : [`${parallel} at once`]),
  ];
  const recorded = await steer(
    context,
    known.task,
    {
      ...(pause ? { paused: true } : resume ? { paused: false } : {}),
      ...(parallel === undefined ? {} : { parallel }),
      why: text(values, 'why') ?? `${words.join(', ')}.`,
    },
    session.call(),
  );
  const { steering = null } = recorded.state;
  report(session, recorded, `Run ${name}: ${words.join(', ')}.`, { run: name, steering });
  return exits.ok;
}
