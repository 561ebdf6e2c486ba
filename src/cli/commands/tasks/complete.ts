import { StaffettaError } from '../../../core/base/error.ts';
import { isLeftOver } from '../../../core/task/state.ts';
import type { TaskId } from '../../../core/journal/id.ts';
import { finishFor, rehearseFinish, type Finishing } from '../../../desk/finish-for.ts';
import type { Standing } from '../../../desk/standing.ts';
import { complete } from '../../../handoff/verbs/finish.ts';
import { agreeAndSay, saidOfContract } from '../../contract/agree-first.ts';
import { proveFirst } from '../../call/prove-first.ts';
import { exits } from '../../frame/fail.ts';
import { packetInput, packetInputOf } from '../../call/packet-input.ts';
import { sayFound, sealedData } from '../../pages/sealed-words.ts';
import type { Session } from '../../call/session.ts';
import { interruptible } from '../../frame/interrupt.ts';
import type { Invocation, Values } from '../../frame/spec.ts';
import { Running } from '../../frame/running.ts';
import { namedCommandWords, ranText } from '../../pages/runs-page.ts';
import { report } from '../../pages/words.ts';

export async function run({ positionals, values }: Invocation, session: Session): Promise<number> {
  const standing = await session.standing(positionals[0]);
  if (isLeftToPerson(session, standing)) return await finish(session, standing, values);
  refuseBesideHolder(session, standing);
  const held = await session.held(positionals[0]);
  const { task, generation } = held;
  const context = await agreeAndSay(session, held, values);
  await proveFirst(session, held);
  const recorded = await complete(
    context,
    { task, generation },
    await packetInputOf(session, { task, generation }),
    session.call(),
  );
  report(session, recorded, `${task} is done.`, sealedData(recorded));
  sayFound(session, recorded);
  return exits.ok;
}

/** Nobody works on it, and a person says that it is done. */
function isLeftToPerson({ actor }: Session, { state, isNamed }: Standing): boolean {
  return actor.kind === 'human' && !isNamed && isLeftOver(state);
}

function refuseBesideHolder({ actor }: Session, { task, state, isNamed }: Standing): void {
  const holder = state.leg?.holder.name;
  if (actor.kind !== 'human' || isNamed || holder === undefined || holder === actor.name) return;
  throw new StaffettaError('not-holder', `Task ${task} is held by ${holder}, not by ${actor.name}.`, {
    details: { task, holder },
    hint: `If nobody is at it any more, take it back first: staffetta pause ${task}. Then it is completed as you say.`,
  });
}

async function finish(session: Session, { task }: Standing, values: Values): Promise<number> {
  const input = await packetInput(values, session.output);
  const { by: person } = session.verdictCall();
  const context = await session.context();
  const finishing = { person, input, part: saidOfContract(values) };
  if (session.dryRun) return await rehearse(session, task, finishing);
  const { output } = session;
  const running = new Running(output);
  const told: Pick<Finishing, 'starting' | 'ran'> = {
    starting: (validation) => running.starting(validation),
    ran: (runs) => {
      running.end();
      for (const one of runs) output.say(ranText(one, false, output));
    },
  };
  const { result, interrupted } = await interruptible(
    async (signal) => await finishFor(context, task, { ...finishing, ...told, signal }),
  ).finally(() => running.end());
  report(session, result, `${task} is done, as you say.`, sealedData(result));
  sayFound(session, result);
  return interrupted ? exits.interrupted : exits.ok;
}

async function rehearse(session: Session, task: TaskId, finishing: Finishing): Promise<number> {
  const { proving, sealed } = await rehearseFinish(await session.context(), task, finishing);
  if (sealed !== null) {
    report(session, sealed, `${task} is done, as you say.`, sealedData(sealed));
    sayFound(session, sealed);
    return exits.ok;
  }
  const wouldRun = proving.map(({ run: words }) => words);
  const lines = proving.map((one) => `Would run: ${namedCommandWords(one)}`);
  session.output.data({ task, dryRun: true, wouldRun }, () =>
    [...lines, `If that passes: ${task} is done, as you say.`].join('\n'),
  );
  return exits.ok;
}
