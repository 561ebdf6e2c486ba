import { defined } from '../../../core/base/defined.ts';
import type { Validation } from '../../../core/contract/contract.ts';
import { joinCommand } from '../../../core/base/command-line.ts';
import { isTaskId } from '../../../core/journal/id.ts';
import {
  phases,
  rollBackPhase,
  startPhase,
  verifyPhase,
  type PhaseOutcome,
  type PhaseView,
} from '../../../handoff/verbs/phase.ts';
import { approvePhase } from '../../../handoff/verbs/outside.ts';
import { exits } from '../../frame/fail.ts';
import { interruptible } from '../../frame/interrupt.ts';
import { phasesText, phaseData, phaseSteps } from '../../pages/phase-page.ts';
import { requiredWhy } from '../../call/reason.ts';
import { line } from '../../frame/output.ts';
import { Running } from '../../frame/running.ts';
import { namedCommandWords, ranData, ranText } from '../../pages/runs-page.ts';
import type { Session } from '../../call/session.ts';
import type { Invocation } from '../../frame/spec.ts';
import { UsageError } from '../../frame/usage.ts';
import { refuseStray, text } from '../../frame/values.ts';
import { next, report } from '../../pages/words.ts';

export async function run({ positionals, values }: Invocation, session: Session): Promise<number> {
  const [asked = '', ...words] = positionals;
  const action = asked === '' ? 'status' : asked;
  if (action !== 'rollback' && action !== 'approve') refuseStray(values, ['why'], 'rollback or approve');
  if (action !== 'verify') refuseStray(values, ['because'], 'verify');
  if (action === 'status') return await showStatus(words, session);
  const { given, name } = placed(action, words);
  if (action === 'approve') return await approve({ given, name, why: text(values, 'why') }, session);
  const { task, generation } = await session.held(given);
  const held = { task, generation };
  const context = await session.context();
  if (action === 'start') {
    const recorded = await startPhase(context, held, name, session.call());
    report(session, recorded, `Phase ${name} of ${task} is started.`, { phase: name });
    await sayNext(session, task);
    return exits.ok;
  }
  const why = action === 'rollback' ? requiredWhy(values, 'phase rollback', joinCommand([name])) : '';
  const running = new Running(session.output);
  const planned: Validation[] = [];
  const starting = (validation: Validation): void => {
    planned.push(validation);
    if (!session.dryRun) running.starting(validation);
  };
  const { result, interrupted } = await interruptible(async (signal) => {
    const asked = { phase: name, signal, starting };
    if (action === 'rollback') return await rollBackPhase(context, held, { ...asked, why }, session.call());
    const because = text(values, 'because');
    return await verifyPhase(context, held, { ...asked, ...defined({ because }) }, session.call());
  }).finally(() => running.end());
  const isUndoing = action === 'rollback';
  tell(result, { name, isUndoing, planned, all: values['output'] === true }, session);
  if (interrupted) return exits.interrupted;
  await sayNext(session, task);
  return result.moved === 'failed' ? exits.findings : exits.ok;
}

/** From outside the leg. */
async function approve(
  { given, name, why }: { readonly given: string; readonly name: string; readonly why: string | undefined },
  session: Session,
): Promise<number> {
  const task = await session.task(given);
  const input = { phase: name, ...defined({ why }) };
  const recorded = await approvePhase(await session.context(), task, input, session.call());
  report(session, recorded, `Phase ${name} of ${task} is approved.`, { phase: name });
  return exits.ok;
}

/** One word is the phase; with two the first names the task. */
function placed(action: string, words: readonly string[]): { readonly given: string; readonly name: string } {
  const [first = '', second] = words;
  if (second !== undefined) return { given: first, name: second };
  if (first === '' || isTaskId(first))
    throw new UsageError(
      `phase ${action} needs the NAME of a phase.`,
      `They are listed by: staffetta phase status${first === '' ? '' : ` ${first}`}`,
    );
  return { given: '', name: first };
}

const outcomes = {
  verified: 'verified',
  failed: 'not done',
  'rolled-back': 'rolled back',
  started: 'started',
};

interface Told {
  readonly name: string;
  readonly isUndoing: boolean;
  readonly planned: readonly Validation[];
  readonly all: boolean;
}

function tell(result: PhaseOutcome, { name, isUndoing, planned, all }: Told, session: Session): void {
  const runs = result.ran.map((one) => ranData(one, all));
  if (session.dryRun) for (const one of planned) session.output.say(`Would run: ${namedCommandWords(one)}`);
  const lines = result.ran.map((one) => ranText(one, all, session.output));
  const phase = `${name} of ${result.state.task}`;
  const sentence =
    isUndoing && result.moved === 'failed'
      ? `The rollback of phase ${phase} failed.`
      : `Phase ${phase} is ${outcomes[result.moved]}.`;
  const shaken = (result.entry?.events ?? []).flatMap((event) =>
    event.type === 'phase-failed' && event.phase !== name
      ? [`Phase ${line(event.phase)} comes after it and has to be verified again.`]
      : [],
  );
  report(session, result, [...lines, sentence, ...shaken].join('\n'), {
    phase: name,
    moved: result.moved,
    runs,
  });
}

async function showStatus(words: readonly string[], session: Session): Promise<number> {
  if (words.length > 1)
    throw new UsageError(
      'phase status takes a task, and shows all its phases.',
      'See: staffetta phase --help',
    );
  const task = await session.task(words[0]);
  const views = await phases(await session.context(), task);
  session.output.data({ task, phases: views.map(phaseData), next: phaseSteps(views, task)[0] ?? null }, () =>
    views.length === 0 ? `The contract of ${task} has no phases.` : phasesText(views, session.output),
  );
  if (views.length === 0)
    next(session.output, `staffetta amend ${task} --phase "NAME: what it is for" --why "…"`);
  await sayNext(session, task, views);
  return exits.ok;
}

async function sayNext(session: Session, task: `t${string}`, known?: readonly PhaseView[]): Promise<void> {
  if (session.dryRun || session.output.json) return;
  const views = known ?? (await phases(await session.context(), task));
  const [step, other] = phaseSteps(views, task);
  if (step !== undefined) next(session.output, step);
  if (other !== undefined) next(session.output, `or: ${other}`);
}
