/**
 * What a whole run may use: legs, tokens, money, and time with a supervisor at it. All of it is counted from the journals, over the life of the
 * run. Once it is reached nothing more starts, and a person is asked on the run's own task; what is worked on goes on to its end.
 *
 *   asked      the question and a `run-step` that says so are one entry
 *   answered   `more`: as much again, which the supervisor writes down as steering; any other answer pauses the run
 *   steered    other caps, or a run that was paused and goes on, are looked at anew
 */
import { counted } from '../../core/base/counted.ts';
import { openEntry } from '../../core/journal/sealed.ts';
import type { TaskState } from '../../core/task/state.ts';
import type { Money, TaskBudget } from '../../core/contract/terms.ts';
import type { Context } from '../../handoff/record/context.ts';
import { pageSize } from '../../handoff/record/load.ts';
import { answer, steer } from '../../handoff/verbs/outside.ts';
import type { Leg } from '../../handoff/verbs/leg.ts';
import { crewActor } from '../run-names.ts';

export interface RunSpent {
  readonly legs: number;
  readonly tokens: number;
  readonly costs: readonly Money[];
  readonly ms: number;
}

const more = 'more';

interface Reached {
  readonly words: string;
  /** The same cap with as much again. */
  readonly again: TaskBudget;
}

function reachedCaps(caps: TaskBudget, spent: RunSpent): Reached[] {
  const reached: Reached[] = [];
  const { tokens, legs, ms, cost } = caps;
  if (tokens !== undefined && spent.tokens >= tokens)
    reached.push({
      words: `${spent.tokens} of ${counted(tokens, 'token')}`,
      again: { tokens: spent.tokens + tokens },
    });
  if (legs !== undefined && spent.legs >= legs)
    reached.push({ words: `${spent.legs} of ${counted(legs, 'leg')}`, again: { legs: spent.legs + legs } });
  if (ms !== undefined && spent.ms >= ms)
    reached.push({ words: `${seconds(spent.ms)} of ${seconds(ms)} s`, again: { ms: spent.ms + ms } });
  const paid = spent.costs.find(({ unit }) => unit === cost?.unit)?.amount ?? 0;
  if (cost !== undefined && paid >= cost.amount)
    reached.push({
      words: `${paid} of ${cost.amount} ${cost.unit}`,
      again: { cost: { unit: cost.unit, amount: paid + cost.amount } },
    });
  return reached;
}

function seconds(ms: number): number {
  return Math.round(ms / 1000);
}

export interface CapsNow {
  readonly leg: Leg;
  readonly runState: TaskState;
  readonly spent: RunSpent;
}

/** Why nothing starts; null while something is left. */
export async function holdToCaps(
  context: Context,
  { leg, runState, spent }: CapsNow,
): Promise<string | null> {
  const { steering, raised, task } = runState;
  const { caps } = steering ?? {};
  if (caps === undefined || caps === null || steering?.paused === true) return null;
  const reached = reachedCaps(caps, spent);
  if (reached.length === 0 && raised.length === 0) return null;
  const asked = await lastAsked(context, leg);
  const isOpen = raised.some(({ decision }) => decision === asked?.decision);
  if (reached.length === 0) {
    const words = 'The caps are others now.';
    if (asked !== null && isOpen)
      await answer(context, task, { decision: asked.decision, answer: words }, { by: leg.holder });
    return null;
  }
  const used = `The run has used ${reached.map(({ words }) => words).join(', ')}.`;
  if (asked === null || (!isOpen && asked.isSteered)) return await ask(leg, used);
  if (isOpen) return wordsFor(used, leg, asked.decision);
  const again = asked.answer === more;
  const raisedCaps = Object.assign({}, caps, ...reached.map((one) => one.again)) as TaskBudget;
  await steer(
    context,
    task,
    again
      ? { caps: raisedCaps, why: `Question ${asked.decision} was answered: as much again.` }
      : { paused: true, why: used },
    { by: crewActor },
  );
  return used;
}

async function ask(leg: Leg, used: string): Promise<string> {
  const question = `${used} Go on with as much again?`;
  const { state } = await leg.carry([
    { type: 'decision-raised', question, options: [more, 'stop'] },
    { type: 'run-step', what: 'capped', why: used },
  ]);
  return wordsFor(used, leg, state.decisions);
}

function wordsFor(used: string, { task }: Leg, decision: number): string {
  return `${used} Go on with as much again: staffetta decide ${task} ${more} --answer ${decision}`;
}

interface AskedBefore {
  readonly decision: number;
  /** In small letters; undefined while nobody has answered. */
  readonly answer: string | undefined;
  /** The run was told something since the answer. */
  readonly isSteered: boolean;
}

async function lastAsked({ store }: Context, { task }: Leg): Promise<AskedBefore | null> {
  let asked: AskedBefore | null = null;
  for (let from = 0; ;) {
    const page = await store.journal.read(task, from, pageSize);
    for (const stored of page) {
      const { events } = openEntry(stored);
      from = stored.seq + 1;
      const raised = events.find((event) => event.type === 'decision-raised');
      if (
        raised !== undefined &&
        events.some((event) => event.type === 'run-step' && event.what === 'capped')
      )
        asked = { decision: raised.decision, answer: undefined, isSteered: false };
      for (const event of events) {
        if (asked === null) continue;
        if (event.type === 'decision-answered' && event.decision === asked.decision)
          asked = { ...asked, answer: event.answer.trim().toLowerCase() };
        if (event.type === 'run-steered' && asked.answer !== undefined) asked = { ...asked, isSteered: true };
      }
    }
    if (page.length < pageSize) return asked;
  }
}
