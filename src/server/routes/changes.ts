/** Every change. Who may make it, and what becomes of it, is decided by the verb that the command calls too. */
import { outcomeOf } from '../../desk/outcome.ts';
import { pausedMs } from '../../core/task/lapse.ts';
import { finishFor } from '../../desk/finish-for.ts';
import { agreedAgain, letBe } from '../../desk/after-failure.ts';
import { continueTask, pauseTask } from '../../desk/pause.ts';
import { openHere } from '../../desk/take.ts';
import { defined, filled } from '../../core/base/defined.ts';
import type { Address } from '../../core/task/address.ts';
import { addressMeant } from '../../core/task/address-words.ts';
import { StaffettaError } from '../../core/base/error.ts';
import { isAmended } from '../../handoff/views/amended.ts';
import { judge } from '../../handoff/verbs/verdict.ts';
import type { Verdict } from '../../handoff/verbs/finish.ts';
import { load } from '../../handoff/record/load.ts';
import { settle } from '../../handoff/verbs/effect.ts';
import { redrive } from '../../handoff/verbs/offer.ts';
import { open } from '../../handoff/verbs/open.ts';
import { answer, approvePhase, escalate, tell } from '../../handoff/verbs/outside.ts';
import { cancelWhole, steerRun } from '../../crew/steering/steer-run.ts';
import { extend, reassign } from '../../handoff/verbs/direct.ts';
import type { Call, Recorded } from '../../handoff/record/record.ts';
import type * as z from 'zod/mini';
import * as bodies from '../contract/change-bodies.ts';
import * as contract from '../contract/contract.ts';
import { route, type RouteCall, type Route } from '../route.ts';
import { twinOf, type ChangeName, type ChangeBodies } from '../contract/twins.ts';
import type { Verb } from '../contract/verbs.ts';

function change<C extends ChangeName, B extends z.ZodMiniType<ChangeBodies[C]>>(given: {
  readonly name: C;
  readonly summary: string;
  readonly verb: Verb;
  readonly body: B;
  /** It takes several steps, and cannot be decided without doing it. */
  readonly unrehearsed?: true;
  /** What its twin says besides the body. */
  readonly besides?: (asked: RouteCall<unknown, z.infer<B>>) => Promise<Partial<ChangeBodies[C]>>;
  readonly record: (asked: RouteCall<unknown, z.infer<B>>) => Promise<Recorded>;
}): Route {
  return route({
    id: given.name,
    method: 'post',
    path: `/api/tasks/:task/${given.name}`,
    summary: given.summary,
    verb: given.verb,
    query: given.unrehearsed === true ? contract.Nothing : contract.ChangeQuery,
    body: given.body,
    answer: contract.Outcome,
    async handle(asked) {
      const twin = twinOf(given.name, asked.task, { ...asked.body, ...(await given.besides?.(asked)) });
      return told(await given.record(asked), asked.call, twin);
    },
  });
}

function told(recorded: Recorded, { dryRun }: Call, twin: string): contract.Outcome {
  const notBefore = recorded.state.offer?.notBefore ?? null;
  return { ...outcomeOf(recorded), notBefore, dryRun: dryRun === true, twin };
}

function verdictFrom(body: bodies.VerdictBody): Verdict {
  const { packet } = body.binds;
  if (body.approve) return { approve: true, packet, ...defined({ why: body.why }) };
  const { findings, to } = body;
  return { approve: false, packet, findings, ...(to === undefined ? {} : { to: addressFrom(to) }) };
}

function addressFrom(given: string): Address {
  const meant = addressMeant(given);
  if (meant.address !== null) return meant.address;
  throw new StaffettaError('invalid-input', meant.message, { hint: meant.hint });
}

export const changeRoutes: readonly Route[] = [
  route({
    id: 'open',
    method: 'post',
    path: '/api/tasks',
    summary: 'Open a task and offer it',
    verb: 'direct',
    query: contract.ChangeQuery,
    body: bodies.OpenBody,
    answer: contract.Outcome,
    async handle({ context, body, call }) {
      const { goal, acceptance = [], to, human } = body;
      const recorded = await open(
        context,
        {
          goal,
          ...filled({ acceptance }),
          ...(human === true ? { review: { human: true as const } } : {}),
        },
        to === undefined ? {} : { to: addressFrom(to) },
        call,
      );
      return told(recorded, call, twinOf('open', '', body));
    },
  }),
  change({
    name: 'verdict',
    summary: 'Approve, or send back, exactly what was looked at',
    verb: 'review',
    body: bodies.VerdictBody,
    async besides({ context, task, body }) {
      const { submission } = (await load(context, task)).state;
      return { amended: isAmended({ submission, contract: body.binds.contract }) };
    },
    record: async ({ context, task, body, call }) =>
      await judge(context, task, { looked: body.binds, verdict: verdictFrom(body) }, call),
  }),
  change({
    name: 'tell',
    summary: 'Leave a message with the task',
    verb: 'tell',
    body: bodies.TellBody,
    record: async ({ context, task, body, call }) => await tell(context, task, body.text, call),
  }),
  change({
    name: 'answer',
    summary: 'Answer a question of a holder',
    verb: 'tell',
    body: bodies.AnswerBody,
    record: async ({ context, task, body, call }) => await answer(context, task, body, call),
  }),
  change({
    name: 'redrive',
    summary: 'Offer dead, escalated or declined work again, its attempts forgiven',
    verb: 'direct',
    body: bodies.RedriveBody,
    record: async ({ context, task, body: { why, to }, call }) =>
      await redrive(context, task, { why, ...(to === undefined ? {} : { to: addressFrom(to) }) }, call),
  }),
  change({
    name: 'reassign',
    summary: 'Offer the work to somebody else, no matter who holds it',
    verb: 'direct',
    body: bodies.ReassignBody,
    record: async ({ context, task, body: { why, to }, call }) =>
      await reassign(context, task, { why, to: addressFrom(to) }, call),
  }),
  change({
    name: 'extend',
    summary: 'Give the holder more time',
    verb: 'direct',
    body: bodies.ExtendBody,
    record: async ({ context, task, body, call }) => await extend(context, task, body, call),
  }),
  change({
    name: 'escalate',
    summary: 'Stop, and put the work before a person',
    verb: 'direct',
    body: bodies.WhyBody,
    record: async ({ context, task, body, call }) => await escalate(context, task, { text: body.why }, call),
  }),
  change({
    name: 'again',
    summary: 'Try anew what failed: a new task with the contract of this one',
    verb: 'direct',
    body: bodies.AgainBody,
    async record({ context, task, body: { to }, call }) {
      const { contract: agreed, options } = await agreedAgain(context, task);
      const whom = to === undefined ? options : { to: addressFrom(to) };
      return await openHere(context, agreed, { ...whom, again: task }, call);
    },
  }),
  change({
    name: 'let-be',
    summary: 'Take what failed off the list of what waits for a person, on this machine',
    verb: 'direct',
    body: contract.Nothing,
    unrehearsed: true,
    record: async ({ context, task }) => await letBe(context, task),
  }),
  change({
    name: 'complete',
    summary: 'Say that work is done which somebody left: what proves it runs first',
    verb: 'direct',
    body: bodies.CompleteBody,
    unrehearsed: true,
    record: async ({ context, task, body: { accept }, call: { by } }) =>
      await finishFor(context, task, {
        person: by,
        input: {},
        part: accept === undefined ? {} : { acceptance: [accept] },
      }),
  }),
  change({
    name: 'pause',
    summary: 'Seal what is held, give it back, and offer it not before then',
    verb: 'direct',
    body: bodies.PauseBody,
    unrehearsed: true,
    record: async ({ context, task, body: { why, forMs = pausedMs }, call: { by } }) =>
      await pauseTask(context, task, { by, why, until: context.clock.now() + forMs }),
  }),
  change({
    name: 'continue',
    summary: 'Offer paused work at once, to those it was for',
    verb: 'direct',
    body: bodies.ContinueBody,
    unrehearsed: true,
    record: async ({ context, task, body: { why }, call: { by } }) =>
      await continueTask(context, task, { by, why }),
  }),
  change({
    name: 'phase',
    summary: 'Approve a phase that waits for a person',
    verb: 'direct',
    body: bodies.PhaseBody,
    record: async ({ context, task, body: { phase, why }, call }) =>
      await approvePhase(context, task, { phase, ...defined({ why }) }, call),
  }),
  change({
    name: 'settle',
    summary: 'Say what became of an effect that nobody knows the outcome of',
    verb: 'direct',
    body: bodies.SettleBody,
    record: async ({ context, task, body: { effect, outcome, receipt }, call }) =>
      await settle(context, { task }, { name: effect, outcome, ...defined({ receipt }) }, call),
  }),
  change({
    name: 'steer',
    summary: 'Tell a run how to go on: paused or not, how many at once, and what it may use',
    verb: 'direct',
    body: bodies.SteerBody,
    besides: async ({ runs, task }) => ({ run: (await runs.at(task)).run }),
    record: async ({ context, task, body, call }) =>
      await steerRun(context, (await load(context, task)).state, body, call),
  }),
  change({
    name: 'cancel',
    summary: 'Stop a task for good; of a run also what is left of it',
    verb: 'direct',
    body: bodies.WhyBody,
    record: async ({ context, task, body, call }) => await cancelWhole(context, task, body.why, call),
  }),
];
