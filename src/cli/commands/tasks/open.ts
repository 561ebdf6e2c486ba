import { defined, filled } from '../../../core/base/defined.ts';
import type { Finding } from '../../../core/gate/finding.ts';
import type { TaskState } from '../../../core/task/state.ts';
import { judgeContract } from '../../../handoff/sealing/judge-contract.ts';
import { agreedAgain } from '../../../desk/after-failure.ts';
import { openHere, type OpenRequest } from '../../../desk/take.ts';
import type { OpenOptions } from '../../../handoff/verbs/open.ts';
import { address } from '../../call/address.ts';
import { resolvedNeeds } from '../../contract/contract-needs.ts';
import { grownPhases } from '../../contract/contract-phases.ts';
import type { ContractFile } from '../../contract/contract-file.ts';
import { contractFrom } from '../../contract/contract-values.ts';
import { parsePositiveDuration } from '../../frame/duration.ts';
import { exits } from '../../frame/fail.ts';
import { amendHints } from '../../pages/findings-page.ts';
import { leaseFrom } from '../../call/lease.ts';
import { offerLane } from '../../call/offer-lane.ts';
import { line } from '../../frame/output.ts';
import type { Session } from '../../call/session.ts';
import type { Invocation, Values } from '../../frame/spec.ts';
import { UsageError } from '../../frame/usage.ts';
import { refuseBoth, refuseStray, text, texts } from '../../frame/values.ts';
import { heldUntil, legExport, next, report, takeCommand } from '../../pages/words.ts';

export async function run({ positionals, values }: Invocation, session: Session): Promise<number> {
  refuseMixture(values);
  refuseBoth(values, 'again', 'file');
  const { store, storeExists } = session;
  const { read, options } = await begunWith(values, session);
  const { goal, said } = await goalFrom(positionals[0], read?.contract.goal, session);
  const phases = grownPhases(read?.contract.phases ?? [], said);
  const part = contractFrom(said);
  const context = await session.context({ create: true });
  const needs = await resolvedNeeds(context, [...(read?.needs ?? []), ...(texts(values, 'need') ?? [])]);
  const contract = {
    ...read?.contract,
    ...part,
    ...(part.review === undefined ? {} : { review: { ...read?.contract.review, ...part.review } }),
    goal,
    ...filled({ phases, needs }),
  };
  const recorded = await openHere(context, contract, options, session.call());
  const { state } = recorded;
  const author = state.leg?.holder ?? null;
  const findings = await judgeContract(context, { v: 1, title: state.terms.title, ...contract }, author);
  // A dry run without a key would have another id each time: there is none to remember.
  const invented = session.dryRun && values['idempotency-key'] === undefined;
  report(
    session,
    recorded,
    `${invented ? '' : `${state.task}  `}${line(state.terms.title)}  (${standingSentence(state)})`,
    {
      ...(invented ? { task: null, head: null } : {}),
      findings,
      ...(storeExists ? {} : { createsStore: store.shown }),
    },
  );
  if (!storeExists)
    session.output.say(`${session.dryRun ? 'Would also create' : 'Created'} the store ${store.shown}.`);
  sayObjections(session, findings, { task: invented ? 'TASK' : state.task, leg: state.leg });
  if (session.dryRun) return exits.ok;
  if (state.leg !== null) {
    session.output.say(heldUntil(state.task, recorded.leaseUntil ?? state.leg.leaseUntil));
    next(
      session.output,
      legExport(session, state.task, state.generation),
      `staffetta note ${state.task} "what you find"`,
    );
  } else if (state.offer === null) next(session.output, `staffetta offer ${state.task} --to WHO`);
  else if (state.unmet.length === 0) next(session.output, takeCommand(state));
  return exits.ok;
}

interface BegunWith {
  readonly read?: ContractFile;
  readonly options: OpenRequest;
}

/** What the contract begins with: a file, or what was agreed on another task. */
async function begunWith(values: Values, session: Session): Promise<BegunWith> {
  const options = openOptions(values, session);
  const file = text(values, 'file');
  if (file !== undefined)
    return { options, read: await (await import('../../contract/contract-file.ts')).readContractFile(file) };
  const given = text(values, 'again');
  if (given === undefined) return { options };
  const again = await session.task(given);
  const { contract, options: first } = await agreedAgain(await session.context(), again);
  const { needs = [], ...rest } = contract;
  const isOffered = options.to === undefined && values['take'] !== true && values['draft'] !== true;
  return { read: { contract: rest, needs }, options: { ...options, ...(isOffered ? first : {}), again } };
}

/** What will hold the task up, while it is easy to mend. */
function sayObjections(
  { output, actor }: Session,
  findings: readonly Finding[],
  opened: Parameters<typeof amendHints>[1],
): void {
  const errors = findings.filter(({ severity }) => severity === 'error');
  if (errors.length === 0) return;
  const why = [...new Set(errors.map(({ text: words }) => words))];
  output.say(`Not ready to be handed over yet: ${why.join(' ')}`);
  next(output, ...amendHints(errors, opened, actor));
}

interface Goal {
  readonly goal: string;
  /** The options, with what was answered at the terminal. */
  readonly said: Values;
}

/** On the command line, or in the file, or asked for at a terminal; the command line wins. */
async function goalFrom(
  given: string | undefined,
  fromFile: string | undefined,
  session: Session,
): Promise<Goal> {
  const { values } = session;
  if (given !== undefined && given !== '') return { goal: await session.words(given), said: values };
  if (fromFile !== undefined) return { goal: fromFile, said: values };
  const { askForContract, mayAsk } = await import('../../contract/dialogue.ts');
  if (mayAsk(session)) {
    const asked = await askForContract(session);
    if (asked.goal !== undefined) return { goal: asked.goal, said: { ...values, ...asked.values } };
  }
  throw new UsageError('open needs a GOAL, or a contract --file that has one.', 'See: staffetta open --help');
}

export function standingSentence(state: TaskState): string {
  if (state.leg !== null) return `held by ${line(state.leg.holder.name)}, generation ${state.generation}`;
  if (state.offer === null) return 'a draft; nobody is asked yet';
  const waits = state.status === 'blocked' ? `waiting for ${state.unmet.join(', ')}, then ` : '';
  return `${waits}offered to ${state.offer.to} in the ${state.offer.lane} lane`;
}

export function refuseMixture(values: Values): void {
  refuseBoth(values, 'take', 'draft');
  refuseBoth(values, 'take', 'to');
  refuseBoth(values, 'draft', 'to');
  if (values['take'] === true) refuseStray(values, ['expires', 'to-lane'], 'an offer, not with --take');
  else refuseStray(values, ['lease'], '--take');
  if (values['draft'] === true) refuseStray(values, ['expires', 'to-lane'], 'an offer, not with --draft');
}

export function openOptions(values: Values, session: Session): OpenOptions {
  const given = text(values, 'to');
  const to = given === undefined ? undefined : address(given);
  const expires = text(values, 'expires');
  const lane = values['take'] === true ? session.actor.lane : offerLane(values, to ?? 'anyone');
  return {
    ...defined({ to, lane }),
    ...(values['take'] === true ? { take: true } : {}),
    ...(values['draft'] === true ? { draft: true } : {}),
    ...(values['take'] === true ? { leaseMs: leaseFrom(values) } : {}),
    ...(expires === undefined ? {} : { expiresMs: parsePositiveDuration(expires, 'expires') }),
  };
}
