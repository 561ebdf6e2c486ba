import { defined } from '../../../core/base/defined.ts';
import { settle } from '../../../handoff/verbs/effect.ts';
import { exits } from '../../frame/fail.ts';
import { line } from '../../frame/output.ts';
import type { Session } from '../../call/session.ts';
import type { Invocation } from '../../frame/spec.ts';
import { UsageError } from '../../frame/usage.ts';
import { refuseBoth, text } from '../../frame/values.ts';
import { report } from '../../pages/words.ts';

export async function run({ positionals, values }: Invocation, session: Session): Promise<number> {
  refuseBoth(values, 'done', 'failed');
  const done = values['done'] === true;
  if (!done && values['failed'] !== true)
    throw new UsageError(
      'settle needs --done or --failed: did it take place or not?',
      'Find out first; the next holder will rely on it.',
    );
  const name = positionals[1] ?? '';
  const receipt = text(values, 'receipt');
  const { task, generation } = await session.held(positionals[0]);
  const input = {
    name,
    outcome: done ? ('done' as const) : ('failed' as const),
    ...defined({ receipt }),
  };
  const recorded = await settle(await session.context(), { task, generation }, input, session.call());
  report(session, recorded, `${line(name)} is settled as ${input.outcome}.`);
  return exits.ok;
}
