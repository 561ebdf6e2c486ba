import { defined } from '../../../core/base/defined.ts';
import { fork } from '../../../handoff/verbs/fork.ts';
import { resolvedNeeds } from '../../contract/contract-needs.ts';
import { grownPhases, namesPhases, phaseWords } from '../../contract/contract-phases.ts';
import { contractFrom } from '../../contract/contract-values.ts';
import { exits } from '../../frame/fail.ts';
import { line } from '../../frame/output.ts';
import { requiredWhy } from '../../call/reason.ts';
import type { Session } from '../../call/session.ts';
import type { Invocation } from '../../frame/spec.ts';
import { UsageError } from '../../frame/usage.ts';
import { text, texts } from '../../frame/values.ts';
import { legExport, next, report } from '../../pages/words.ts';
import { grownContract } from '../../../desk/agree-first.ts';
import { openOptions, refuseMixture, standingSentence } from './open.ts';

export async function run({ positionals, values }: Invocation, session: Session): Promise<number> {
  refuseMixture(values);
  const at = text(values, 'at');
  const why = requiredWhy(values, 'fork');
  const origin = await session.task(positionals[0]);
  if (at === undefined) {
    throw new UsageError(
      'fork needs --at: the packet to go on from.',
      `Give its digest, or "latest". They are listed by: staffetta log ${origin}`,
    );
  }
  const context = await session.context();
  const part = contractFrom(values);
  const goal = text(values, 'goal');
  const needs = await resolvedNeeds(context, texts(values, 'need') ?? []);
  const phased = namesPhases(values);
  const recorded = await fork(
    context,
    origin,
    {
      ...openOptions(values, session),
      at,
      why,
      ...defined({ goal }),
      change: (contract) => ({
        ...grownContract(contract, part, { needs }),
        ...(phased ? { phases: grownPhases(contract.phases ?? [], values) } : {}),
      }),
      asked: { part, needs, ...(phased ? { phases: phaseWords(values) } : {}) },
    },
    session.call(),
  );
  const { state } = recorded;
  // A dry run without a key would have another id each time: there is none to remember.
  const invented = session.dryRun && values['idempotency-key'] === undefined;
  const from = state.fork;
  report(
    session,
    recorded,
    `${invented ? '' : `${state.task}  `}${line(state.terms.title)}  (forked from ${from?.task ?? origin} at ${from?.packet.slice(0, 19) ?? at}; ${standingSentence(state)})`,
    { ...(invented ? { task: null, head: null } : {}), fork: from ?? null },
  );
  if (session.dryRun) return exits.ok;
  if (state.leg !== null) next(session.output, legExport(session, state.task, state.generation));
  next(session.output, `staffetta show ${state.task} --history`);
  return exits.ok;
}
