import { StaffettaError } from '../../core/base/error.ts';
import { refuseUnacknowledged } from '../../core/decide/guard.ts';
import type { Standing } from '../../desk/standing.ts';
import { validate } from '../../handoff/verbs/validate.ts';
import { interruptible } from '../frame/interrupt.ts';
import { Running } from '../frame/running.ts';
import { ranText } from '../pages/runs-page.ts';
import type { Session } from './session.ts';

/** With `--prove` what proves the work runs first, as `validate` runs it. Whether it is enough is for the gate to say. */
export async function proveFirst(session: Session, { task, generation, state }: Standing): Promise<void> {
  const { output, values, dryRun } = session;
  if (values['prove'] !== true) return;
  // What may take long does not run for what is refused afterwards.
  const refusal = state.leg?.generation === generation ? refuseUnacknowledged(state) : undefined;
  if (refusal !== undefined) throw refusal;
  if (dryRun) return output.say('Would run first what proves it.');
  const context = await session.context();
  const running = new Running(output);
  const { result: ran, interrupted } = await interruptible(
    async (signal) =>
      await validate(
        context,
        task,
        { generation, signal, starting: (validation) => running.starting(validation) },
        { by: session.actor },
      ),
  ).finally(() => running.end());
  for (const one of ran) output.say(ranText(one, false, output));
  if (interrupted) throw new StaffettaError('interrupted', 'Interrupted; nothing was handed in.');
}
