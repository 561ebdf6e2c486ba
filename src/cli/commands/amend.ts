import type { Contract } from '../../core/contract.ts';
import type { TaskId } from '../../core/id.ts';
import { amend } from '../../handoff/amend.ts';
import { resolveTask } from '../../handoff/load.ts';
import { contractFrom, type ContractPart } from '../contract-values.ts';
import { exits } from '../fail.ts';
import { requiredWhy } from '../reason.ts';
import type { Session } from '../session.ts';
import type { Invocation } from '../spec.ts';
import { UsageError } from '../usage.ts';
import { text, texts } from '../values.ts';
import { report } from '../words.ts';

const lists = ['acceptance', 'constraints', 'nonGoals', 'protectedPaths', 'validation'] as const;

export async function run({ positionals, values }: Invocation, session: Session): Promise<number> {
  const why = requiredWhy(values, 'amend');
  const goal = text(values, 'goal');
  const file = text(values, 'file');
  const read =
    file === undefined ? undefined : await (await import('../contract-file.ts')).readContractFile(file);
  const part: ContractPart = {
    ...read?.contract,
    ...contractFrom(values),
    ...(goal === undefined ? {} : { goal }),
  };
  const wanted = [...(read?.needs ?? []), ...(texts(values, 'need') ?? [])];
  if (Object.keys(part).length === 0 && wanted.length === 0) {
    throw new UsageError('amend needs something to change.', 'See: staffetta amend --help');
  }
  const { task, state, generation } = await session.held(positionals[0]);
  const context = await session.context();
  const needs: TaskId[] = [];
  for (const need of wanted) needs.push(await resolveTask(context, need));
  const replace = values['replace'] === true || file !== undefined;
  const holds = state.leg?.holder.name === session.actor.name;
  const recorded = await amend(
    context,
    task,
    {
      change: (contract) => changed(contract, part, needs, replace),
      asked: { part, needs, replace },
      why,
      ...(holds ? { generation } : {}),
    },
    session.call(),
  );
  report(session, recorded, `The contract of ${task} is amended.`);
  return exits.ok;
}

/** Lists grow, unless they are to be replaced; everything else is set. */
function changed(
  contract: Contract,
  part: ContractPart,
  needs: readonly TaskId[],
  replace: boolean,
): Contract {
  const grown = Object.fromEntries(
    lists
      .filter((list) => part[list] !== undefined)
      .map((list) => [list, replace ? part[list] : grownList(contract[list], part[list])]),
  );
  const needed =
    needs.length === 0
      ? {}
      : { needs: replace ? [...needs] : [...new Set([...(contract.needs ?? []), ...needs])] };
  const review = part.review === undefined ? {} : { review: { ...contract.review, ...part.review } };
  const caps = part.caps === undefined ? {} : { caps: { ...contract.caps, ...part.caps } };
  return { ...contract, ...part, ...grown, ...needed, ...review, ...caps };
}

/** With what is new at the end; what stands there already is not added again. */
function grownList(there: readonly unknown[] = [], added: readonly unknown[] = []): unknown[] {
  const known = new Set(there.map((item) => JSON.stringify(item)));
  return [...there, ...added.filter((item) => !known.has(JSON.stringify(item)))];
}
