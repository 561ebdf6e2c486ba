import { defined, filled } from '../../../core/base/defined.ts';
import { mayDirect } from '../../../core/task/actor.ts';
import type { Contract } from '../../../core/contract/contract.ts';
import type { TaskId } from '../../../core/journal/id.ts';
import { amend } from '../../../handoff/verbs/amend.ts';
import type { Context } from '../../../handoff/record/context.ts';
import { resolveTask } from '../../../handoff/record/load.ts';
import { resolvedNeeds } from '../../contract/contract-needs.ts';
import { grownPhases, namesPhases, phaseWords } from '../../contract/contract-phases.ts';
import { contractFrom } from '../../contract/contract-values.ts';
import { grownContract, type ContractGiven } from '../../../desk/agree-first.ts';
import { exits } from '../../frame/fail.ts';
import { requiredWhy } from '../../call/reason.ts';
import type { Session } from '../../call/session.ts';
import type { Invocation } from '../../frame/spec.ts';
import { UsageError } from '../../frame/usage.ts';
import { text, texts } from '../../frame/values.ts';
import { report } from '../../pages/words.ts';

export async function run({ positionals, values }: Invocation, session: Session): Promise<number> {
  const why = requiredWhy(values, 'amend');
  const goal = text(values, 'goal');
  const file = text(values, 'file');
  const read =
    file === undefined
      ? undefined
      : await (await import('../../contract/contract-file.ts')).readContractFile(file);
  const part: ContractGiven = {
    ...read?.contract,
    ...contractFrom(values),
    ...defined({ goal }),
  };
  const unwanted = texts(values, 'drop-need') ?? [];
  const wanted = [...(read?.needs ?? []), ...(texts(values, 'need') ?? [])];
  const phased = namesPhases(values) || part.phases !== undefined;
  const isChanged = Object.keys(part).length + wanted.length + unwanted.length > 0 || phased;
  const confirm = values['confirm'] === true;
  if (confirm && isChanged)
    throw new UsageError(
      '--confirm takes the contract as it stands.',
      'Change it by a call of its own, before or after.',
    );
  if (!isChanged && !confirm) {
    throw new UsageError('amend needs something to change.', 'See: staffetta amend --help');
  }
  // A caller who may direct amends what nobody holds, too.
  const { task, state, generation } = mayDirect(session.actor)
    ? await session.standing(positionals[0])
    : await session.held(positionals[0]);
  const context = await session.context();
  const needs = await resolvedNeeds(context, wanted);
  const dropped: TaskId[] = [];
  for (const need of unwanted)
    dropped.push(await namedNeed(context, { task, needs: state.terms.needs }, need));
  const replace = values['replace'] === true || file !== undefined;
  const holds = state.leg?.holder.name === session.actor.name;
  const recorded = await amend(
    context,
    task,
    {
      change: (contract) => {
        const amended = without(grownContract(contract, part, { needs, replace }), dropped);
        if (!phased) return amended;
        // Phases given by their names only make sense on top of those that are there.
        const there = part.phases ?? (values['replace'] === true ? [] : (contract.phases ?? []));
        return { ...amended, phases: grownPhases(there, values) };
      },
      asked: {
        part,
        needs,
        replace,
        ...filled({ dropped }),
        ...(phased ? { phases: phaseWords(values) } : {}),
        ...filled({ confirm }),
      },
      why,
      ...filled({ confirm }),
      ...(holds ? { generation } : {}),
    },
    session.call(),
  );
  report(
    session,
    recorded,
    confirm
      ? `What holders added to the contract of ${task} is confirmed.`
      : `The contract of ${task} is amended.`,
  );
  return exits.ok;
}

function neededWords(needs: readonly TaskId[]): string {
  return needs.length === 0 ? 'It needs no other task.' : `It needs: ${needs.join(', ')}`;
}

function without({ needs, ...rest }: Contract, dropped: readonly TaskId[]): Contract {
  const left = needs?.filter((need) => !dropped.includes(need)) ?? [];
  return left.length === 0 ? rest : { ...rest, needs: left };
}

/** One of the needs by the beginning of its id; it may be swept, so the store is asked only where that is not enough. */
async function namedNeed(
  context: Context,
  { task, needs }: { readonly task: TaskId; readonly needs: readonly TaskId[] },
  given: string,
): Promise<TaskId> {
  const found = needs.filter((need) => need.startsWith(given.toLowerCase()));
  const [only] = found;
  if (only !== undefined && found.length === 1) return only;
  const need = await resolveTask(context, given);
  if (needs.includes(need)) return need;
  throw new UsageError(`Task ${task} does not need ${need}.`, neededWords(needs));
}
