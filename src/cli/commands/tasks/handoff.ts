import { defined } from '../../../core/base/defined.ts';
import { isStaffettaError, StaffettaError } from '../../../core/base/error.ts';
import type { Held } from '../../../handoff/verbs/carry.ts';
import { handoff } from '../../../handoff/verbs/handoff.ts';
import { eventIn } from '../../../handoff/record/record.ts';
import { agreeAndSay } from '../../contract/agree-first.ts';
import { address } from '../../call/address.ts';
import { parsePositiveDuration } from '../../frame/duration.ts';
import { exits } from '../../frame/fail.ts';
import { offerLane } from '../../call/offer-lane.ts';
import { line } from '../../frame/output.ts';
import { packetInput, packetInputOf } from '../../call/packet-input.ts';
import { sayFound, sealedData } from '../../pages/sealed-words.ts';
import type { Session } from '../../call/session.ts';
import type { TaskState } from '../../../core/task/state.ts';
import { refuseStray, text } from '../../frame/values.ts';
import type { SealedRecord } from '../../../handoff/sealing/sealing.ts';
import type { HandedFrom } from '../../call/from-session.ts';
import { triggerFrom } from '../../call/trigger.ts';
import type { Invocation } from '../../frame/spec.ts';
import { askOptions } from '../../specs/tasks.ts';
import { UsageError } from '../../frame/usage.ts';
import { counted, next, report, takeCommand, shortly } from '../../pages/words.ts';

export async function run({ positionals, values }: Invocation, session: Session): Promise<number> {
  const to = text(values, 'to') ?? 'anyone';
  const trigger = triggerFrom(values);
  const why = text(values, 'why');
  const expires = text(values, 'expires');
  const recipient = address(to);
  const lane = offerLane(values, recipient);
  const aim = {
    to: recipient,
    ...defined({ lane, why }),
    ...(expires === undefined ? {} : { expiresMs: parsePositiveDuration(expires, 'expires') }),
  };
  if (text(values, 'from') !== undefined) {
    const words = await packetInput(values, session.output);
    const { handoffFrom } = await import('../../call/from-session.ts');
    const handed = await handoffFrom(session, { values, words, task: positionals[0], aim });
    if (handed === undefined) return exits.ok;
    const { recorded, ...source } = handed;
    return answer(session, recorded, { recipient, ...source });
  }
  refuseStray(values, Object.keys(askOptions), '--from');
  const held = await heldOr(session, positionals[0], to);
  const { task, generation } = held;
  const context = await agreeAndSay(session, held, values);
  const words = await packetInputOf(session, { task, generation });
  const input = { ...words, ...aim, ...defined({ trigger }) };
  const recorded = await handoff(context, { task, generation }, input, session.call());
  return answer(session, recorded, { recipient });
}

/** A caller that names no task and holds none may mean the session it works in: that needs no task. */
async function heldOr(
  session: Session,
  given: string | undefined,
  to: string,
): Promise<Held & { readonly state: TaskState }> {
  try {
    return await session.held(given);
  } catch (error) {
    const way = `To hand over what a session of a coding agent is at, without a task: staffetta handoff --from latest --to ${line(to)}`;
    if ((given ?? '') !== '') throw error;
    if (error instanceof UsageError)
      throw new UsageError(error.message, `${error.hint ?? ''}\n${way}`.trim());
    if (!isStaffettaError(error, 'store-missing')) throw error;
    const { code, message, details } = error;
    throw new StaffettaError(code, message, { details, hint: way, cause: error });
  }
}

function answer(
  session: Session,
  recorded: SealedRecord,
  { recipient, ...source }: { readonly recipient: string } & Partial<Omit<HandedFrom, 'recorded'>>,
): number {
  const data = { ...sealedData(recorded), ...defined(source) };
  const { task } = recorded.state;
  const escalated = eventIn(recorded.entry, 'escalated');
  if (escalated !== undefined) {
    report(session, recorded, `${task} was not handed over but escalated: ${line(escalated.text)}`, data);
    next(session.output, `why, and the ways out: staffetta show ${task}`);
    return exits.review;
  }
  const packet = eventIn(recorded.entry, 'checkpoint-sealed')?.packet;
  const back = eventIn(recorded.entry, 'review-sent-back');
  const asked = recorded.repeated ? undefined : recorded.state.offer?.lane;
  report(
    session,
    recorded,
    `${task} is on offer to ${recipient}${asked === undefined ? '' : ` in the ${asked} lane`} (packet ${shortly(packet)}).`,
    data,
  );
  if (back !== undefined)
    session.output.say(`It goes back from an audit leg, with ${counted(back.findings.length, 'finding')}.`);
  sayFound(session, recorded);
  if (session.dryRun || recorded.repeated) return exits.ok;
  const refused = refusedReceiver(recorded.state);
  if (refused === null) next(session.output, takeCommand(recorded.state));
  else {
    session.output.say(
      `${refused} will be refused: it gave this task away, and nothing has changed since. A person can decide that it goes on there all the same.`,
      'warn',
    );
    next(session.output, `as a person: staffetta resume ${task} --in ${programOf(recipient)}`);
  }
  return exits.ok;
}

/** The one that it is for, where taking it would only bring back what it gave away unchanged. */
function refusedReceiver({ offer }: TaskState): string | null {
  if (offer === null || offer.notTo === null) return null;
  return [`agent:${offer.notTo}`, `runtime:${offer.notTo}`].includes(offer.to) ? offer.notTo : null;
}

function programOf(recipient: string): string {
  return recipient.startsWith('runtime:') ? recipient.slice('runtime:'.length) : 'PROGRAM';
}
