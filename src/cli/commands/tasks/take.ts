import { relative } from 'node:path';
import { line } from '../../frame/output.ts';
import { isPausedForGood } from '../../../core/task/lapse.ts';
import { defined } from '../../../core/base/defined.ts';
import { askFirst, missingIn } from '../../../core/packet/missing.ts';
import { isStaffettaError, type ErrorCode } from '../../../core/base/error.ts';
import type { Context } from '../../../handoff/record/context.ts';
import type { DamagedTask } from '../../../handoff/record/damage.ts';
import type { Beside } from '../../../desk/beside.ts';
import { take, type Taken, type TakeRequest } from '../../../desk/take.ts';
import { howFor } from '../../../handoff/verbs/take-restored.ts';
import type { Recorded } from '../../../handoff/record/record.ts';
import { formatDuration, parseDuration, timeWords } from '../../frame/duration.ts';
import { exits } from '../../frame/fail.ts';
import { leaseFrom } from '../../call/lease.ts';
import { folderBeside, restoreFrom } from '../../call/restore-options.ts';
import { restorePart } from '../../pages/restore-page.ts';
import type { Session } from '../../call/session.ts';
import { placedPart, programFor } from '../../pages/skills-page.ts';
import type { Invocation, Values } from '../../frame/spec.ts';
import { joinCommand } from '../../../core/base/command-line.ts';
import { restingOffers } from '../../../handoff/views/offers.ts';
import { taskPage } from '../../pages/task-page.ts';
import { viewOf } from '../../../handoff/views/task-view.ts';
import { cap, refuseBoth, refuseStray, text } from '../../frame/values.ts';
import { damagedText, heldUntil, legExport, next, outcome } from '../../pages/words.ts';

const pollMs = 250;
/** What rests longer was paused without a time. */

export async function run({ positionals, values }: Invocation, session: Session): Promise<number> {
  const [given = ''] = positionals;
  if (given === '') refuseStray(values, ['offer', 'generation'], 'a named task');
  const restore = wantedRestore(values);
  const program = values['with-skills'] === true ? programFor(session.actor) : undefined;
  const offer = cap(values, 'offer', Number.MAX_SAFE_INTEGER);
  const leaseMs = leaseFrom(values);
  const wait = text(values, 'wait');
  const waitMs = wait === undefined ? 0 : parseDuration(wait, 'wait');
  const context = await session.context();
  const named = given === '' ? undefined : await session.task(given);
  const damaged = new Map<string, DamagedTask>();
  const onDamaged = (found: DamagedTask): unknown => damaged.set(found.task, found);
  const request: TakeRequest = {
    task: named,
    restore,
    shown: true,
    leaseMs,
    onDamaged,
    skillsFor: program,
    ...defined({ offer }),
  };
  const attempt = async (): Promise<Taken | undefined> => {
    damaged.clear();
    return await take(context, request, session.call());
  };
  const taken = await waitFor(context, attempt, waitMs, () =>
    session.output.say(`Waiting up to ${formatDuration(waitMs)} for an offer.`),
  );
  if (taken === undefined) return await nothing(context, session, [...damaged.values()]);
  await show(context, taken, session);
  return exits.ok;
}

/** How to restore, if that is asked for. */
function wantedRestore(values: Values): ReturnType<typeof restoreFrom> | undefined {
  refuseBoth(values, 'restore', 'worktree');
  const wanted = values['restore'] === true || values['worktree'] !== undefined;
  if (!wanted) refuseStray(values, ['allow'], '--restore or --worktree');
  return wanted ? restoreFrom(values) : undefined;
}

/** Reasons that time may take away. */
const passing: ReadonlySet<ErrorCode> = new Set(['held', 'too-early', 'needs-unmet']);

async function waitFor<T>(
  context: Context,
  attempt: () => Promise<T | undefined>,
  ms: number,
  begins: () => void,
): Promise<T | undefined> {
  const until = context.clock.now() + ms;
  for (let tries = 1; ; tries += 1) {
    const over = context.clock.now() >= until;
    try {
      const found = await attempt();
      if (found !== undefined || over) return found;
    } catch (error) {
      if (over || !isStaffettaError(error) || !passing.has(error.code)) throw error;
    }
    if (tries === 1) begins();
    await context.clock.sleep(Math.min(pollMs, Math.max(1, until - context.clock.now())));
  }
}

async function nothing(context: Context, session: Session, damaged: readonly DamagedTask[]): Promise<number> {
  const { name, lane } = session.actor;
  const data = { task: null, ...(session.dryRun ? { dryRun: true } : {}) };
  session.output.data(damaged.length === 0 ? data : { ...data, damaged }, () => '');
  session.output.say(`Nothing is on offer to ${name}${lane === undefined ? '' : ` in the ${lane} lane`}.`);
  const { cards } = session.dryRun
    ? await context.store.catalog.list({ leaseBefore: context.clock.now(), limit: 10 })
    : { cards: [] };
  if (cards.length > 0)
    session.output.say(
      `Leases that are over would be ended first: ${cards.map((card) => card.task).join(', ')}.`,
    );
  for (const found of damaged) session.output.say(damagedText(found));
  const [rests] = (await restingOffers(context)).toSorted((a, b) => (a.notBefore ?? 0) - (b.notBefore ?? 0));
  if (rests !== undefined) {
    const [until, now] = [rests.notBefore ?? 0, context.clock.now()];
    const how = isPausedForGood(until, now) ? 'is paused' : `rests until ${timeWords(until, now)}`;
    session.output.say(`${rests.task} ${how}. A person lets it go on: staffetta continue ${rests.task}`);
  }
  const submitted =
    lane === 'audit' ? await context.store.catalog.list({ statuses: ['submitted'], limit: 1 }) : null;
  const [review] = submitted?.cards ?? [];
  next(
    session.output,
    ...(review === undefined
      ? []
      : [`what was handed in is not taken, but judged: staffetta review ${review.task}`]),
    'staffetta ls',
    ...(damaged.length === 0 ? [] : ['staffetta verify']),
  );
  return exits.pending;
}

async function show(
  context: Context,
  { recorded, granted, restored, there, placed, ...taken }: Taken,
  session: Session,
): Promise<void> {
  const { state } = recorded;
  const made = there === context ? undefined : restored;
  const left = there === context && placed === undefined ? recorded.left : undefined;
  const view = await viewOf(there, state, { leaseUntil: recorded.leaseUntil, left });
  const { contract, packet, messages, findings, gateFindings, questions, remarks, pickup } = view;
  const missing = packet === null ? [] : missingIn(packet, contract);
  const beside = await taken.beside();
  const data = {
    ...outcome(recorded, session.dryRun),
    leg: `${state.task}/${granted}`,
    contract,
    received: packet,
    messages,
    findings,
    gateFindings,
    questions,
    remarks,
    ...pickup,
    missing,
    beside,
    ...defined({ restored, placed }),
  };
  session.output.data(data, () =>
    [
      taskPage(view, session.output, context.clock.now()),
      ...restoredPart(restored, recorded, session),
      ...(placed === undefined ? [] : [placedPart(placed, programFor(session.actor), session)]),
    ].join('\n\n'),
  );
  if (session.dryRun) {
    session.output.say('Nothing was taken: this was a dry run.');
    return;
  }
  if (recorded.leaseUntil !== null) session.output.say(heldUntil(state.task, recorded.leaseUntil));
  sayBeside(session, beside);
  next(
    session.output,
    ...(beside.length === 0
      ? []
      : [
          `in a folder of its own: ${joinCommand(['staffetta', 'restore', state.task, '--worktree', relative(process.cwd(), folderBeside(state.task))])}`,
        ]),
    ...(made ? [joinCommand(['cd', made.root])] : []),
    legExport(session, state.task, granted),
    ...(missing.length === 0 ? [] : [askFirst(state.task)]),
    `staffetta ack ${state.task} --goal TEXT --gate TEXT --next TEXT`,
    ...(messages.length === 0 ? [] : [`staffetta read ${state.task}`]),
  );
}

function sayBeside({ output }: Session, beside: readonly Beside[]): void {
  for (const { task, title, holder } of beside)
    output.say(
      `${holder} works on ${task} (${line(title)}) in this folder too: one may overwrite what the other does.`,
      'warn',
    );
}

function restoredPart(
  restored: Taken['restored'],
  { state, repeated }: Recorded,
  session: Session,
): string[] {
  if (restored === undefined) return [];
  const { dryRun, output, values } = session;
  if (restored === null)
    return [
      repeated
        ? 'Nothing was restored: this request was made before.'
        : 'Nothing was restored: nothing was captured for this task yet. For a folder of its own: --worktree',
    ];
  const { worktree } = howFor(restoreFrom(values), state.task);
  // What was held back does not fit into a tree that has changes by now.
  const again = dryRun
    ? ['take', state.task, ...(worktree === undefined ? ['--restore'] : ['--worktree', worktree])]
    : ['restore', state.task, '--worktree', 'NEW-FOLDER'];
  return [restorePart({ report: restored, dryRun, again: ['staffetta', ...again] }, output.paint)];
}
