/**
 * Contract options and answers of `handoff --from` where the session has a task already: the contract was agreed, so they amend it as
 * `amend` does, in the name of the caller.
 */
import { isEmergency } from '../../core/packet/emergency.ts';
import { isStaffettaError } from '../../core/base/error.ts';
import { amend } from '../../handoff/verbs/amend.ts';
import { amendmentWith, changesIt } from '../../desk/agree-first.ts';
import type { PreparedHandoff } from './from-session.ts';
import { line } from '../frame/output.ts';
import type { Session } from './session.ts';

/**
 * Whether it was amended, or would be in a dry run. In an emergency the packet goes out even if the caller may not amend; then
 * what was not taken over is said.
 */
export async function amendFirst(
  session: Session,
  { look, trigger, agreed, given }: PreparedHandoff,
): Promise<boolean> {
  if (agreed === undefined || !changesIt(agreed, given)) return false;
  const { task, generation, leg } = agreed.state;
  const { actor: by, dryRun } = session;
  const why = `Said when the session ${look.card.id} of ${look.card.runtime} was handed over.`;
  const amendment = {
    ...amendmentWith(given, why),
    ...(leg?.holder.name === by.name ? { generation } : {}),
  };
  const fields = Object.keys(given).join(', ');
  try {
    await amend(await session.context(), task, amendment, { by, dryRun });
  } catch (error) {
    if (!isStaffettaError(error) || !isEmergency(trigger)) throw error;
    session.output.say(`Not taken over into the contract of ${task}: ${fields}. ${line(error.message)}`);
    return false;
  }
  if (!dryRun) session.output.say(`The contract of ${task} is amended: ${fields}.`);
  return true;
}
