import * as z from 'zod/mini';
import { missingIn } from '../../core/packet/missing.ts';
import { fenced } from '../../core/formats/to-markdown.ts';
import { acknowledge } from '../../handoff/verbs/carry.ts';
import type { Context } from '../../handoff/record/context.ts';
import { take as takeTask, type Taken } from '../../desk/take.ts';
import { viewOf, type TaskView } from '../../handoff/views/task-view.ts';
import { resolveTask } from '../../handoff/record/load.ts';
import { quoted, type ToolAnswer } from '../words/answer.ts';
import { findingText } from '../../core/task/finding-words.ts';
import { briefingText } from '../briefing.ts';
import { leaseArgument, leaseOfMinutes } from '../lease.ts';
import { askedFor } from '../words/next-calls.ts';
import { NoOutcome, toolOutcome, sentence } from '../words/outcome.ts';
import { pageOf, type Page } from '../words/page.ts';
import { bindingKey } from '../packet-words.ts';
import { Foreign, keyArgument, taskArgument } from '../schema.ts';
import {
  driftLines,
  PlacedOutput,
  placedOutput,
  placedSkillLines,
  programOfVisit,
  SkillOutput,
  skillLines,
  skillsOf,
} from '../skills.ts';
import { annotations, tool } from '../tool.ts';
import { callOf, visitStanding, type Visit } from '../visit.ts';

const input = z.strictObject({
  task: taskArgument,
  acknowledge: z.optional(
    z
      .strictObject({
        goal: z.string(),
        /** How it will be judged. */
        gate: z.string(),
        next: z.string(),
      })
      .check(z.describe('What you understood, in your words: the goal, how it is judged, what you do first')),
  ),
  restore: z.optional(
    z.boolean().check(z.describe('Bring the captured workspace back into this clean tree')),
  ),
  withSkills: z.optional(
    z
      .boolean()
      .check(
        z.describe('Put skills that came with it where your program loads them; only where your user agreed'),
      ),
  ),
  leaseMinutes: leaseArgument,
  idempotencyKey: keyArgument,
});

const Received = z.strictObject({
  packet: z.nullable(z.string()),
  trigger: z.nullable(z.string()),
  /** In a fence. */
  briefing: z.string(),
  /** Where the briefing goes on. */
  cursor: z.nullable(z.string()),
  messages: z.int(),
  /** What the review demands. */
  sentBack: z.array(Foreign),
  /** What an emergency packet lacks. */
  missing: z.array(z.string()),
  skills: z.array(SkillOutput),
  /** What became of the skills that came with it; null unless asked for. */
  placed: z.nullable(z.array(PlacedOutput)),
  /** Facts of the packet that are no longer so in this workspace. */
  drift: z.array(Foreign),
  restored: z.nullable(
    z.strictObject({ root: z.string(), written: z.int(), deleted: z.int(), held: z.array(Foreign) }),
  ),
});

const output = z.strictObject({
  ...NoOutcome,
  leg: z.nullable(z.string()),
  received: z.nullable(Received),
});

export const take = tool({
  name: 'take',
  title: 'Take a task',
  description:
    'Takes the named task, or the next on offer to you, and gives what was left for you. Read it, then call take again with acknowledge; only then start.',
  annotations: annotations.adds,
  input,
  output,
  run: async (args, visit) =>
    args.acknowledge === undefined ? await takeOne(args, visit) : await acknowledgeTask(args, visit),
});

type Given = z.output<typeof input>;
type Output = z.output<typeof output>;

async function acknowledgeTask(args: Given, visit: Visit): Promise<ToolAnswer<Output>> {
  const { context, state, ...held } = await visitStanding(visit, args);
  const { acknowledge: words } = args;
  if (words === undefined) throw new Error('asked for an acknowledgement');
  const recorded = await acknowledge(context, held, words, callOf(visit, args));
  const { task, generation } = held;
  visit.legs.remember(visit.by, { task, generation });
  const messages = state.unread.length;
  const next = messages === 0 ? ['start working'] : [askedFor('read', { task, what: 'messages' })];
  return {
    data: { ...toolOutcome(recorded, next), leg: `${task}/${generation}`, received: null },
    text: sentence(recorded.repeated, `Acknowledged ${task}, generation ${generation}.`, next),
  };
}

async function takeOne(args: Given, visit: Visit): Promise<ToolAnswer<Output>> {
  const { by, place, legs } = visit;
  const context = await place.context();
  const found = await takeFrom(context, args, visit);
  if (found === undefined) return nothing(by.name, by.lane);
  const { recorded, granted: generation, restored = null } = found;
  const { state, leaseUntil, repeated } = recorded;
  const { task } = state;
  legs.remember(by, { task, generation });
  const placed = found.placed?.map(placedOutput) ?? null;
  const view = await viewOf(context, state, {
    leaseUntil,
    left: placed === null ? recorded.left : undefined,
  });
  const page = pageOf(await briefingText(context, task, visit.env), {});
  const received = await receivedOf(context, { view, page, restored, placed });
  const next = [
    ...(received.missing.length === 0
      ? []
      : [`ask first for what is missing: ${askedFor('decide', { task, text: 'TEXT', ask: true })}`]),
    `read what was left for you, then ${askedFor('take', { task, acknowledge: { goal: 'TEXT', gate: 'TEXT', next: 'TEXT' } })}`,
  ];
  const parts = [
    sentence(repeated, `You hold ${task}, generation ${generation}.`),
    ...(await found.beside()).map(
      ({ task: other, holder }) => `${holder} works on ${other} in this folder too: mind its files.`,
    ),
    ...skillLines(received.skills),
    ...placedSkillLines(received.placed),
    ...driftPart(received.drift),
    quoted('What was left for you', page.text),
    received.cursor === null
      ? ''
      : `It goes on: ${askedFor('read', { task, what: 'briefing', cursor: received.cursor })}`,
    ...next.map((one) => `Next: ${one}`),
  ];
  return {
    data: { ...toolOutcome(recorded, next), leg: `${task}/${generation}`, received },
    text: parts.filter((part) => part !== '').join('\n'),
  };
}

async function takeFrom(context: Context, args: Given, visit: Visit): Promise<Taken | undefined> {
  const { task, leaseMinutes, restore, withSkills, idempotencyKey } = args;
  const skillsFor = withSkills === true ? programOfVisit(visit) : undefined;
  const named = task === undefined || task === '' ? undefined : await resolveTask(context, task);
  const call = { by: visit.by, ...(await bindingKey(context, visit, idempotencyKey)) };
  const how = restore === true ? {} : undefined;
  const request = {
    task: named,
    restore: how,
    shown: true,
    skillsFor,
    leaseMs: leaseOfMinutes(leaseMinutes),
  };
  return await takeTask(context, request, call);
}

function nothing(name: string, lane: string | undefined): ToolAnswer<Output> {
  const next = [askedFor('wait', { for: 'offer' }), askedFor('status', {})];
  const where = lane === undefined ? '' : ` in the ${lane} lane`;
  return {
    data: {
      task: null,
      status: null,
      generation: null,
      holder: null,
      offeredTo: null,
      leaseUntil: null,
      entry: null,
      repeated: false,
      next,
      leg: null,
      received: null,
    },
    text: sentence(false, `Nothing is on offer to ${name}${where}.`, next),
  };
}

interface Left {
  readonly view: TaskView;
  readonly page: Page;
  readonly restored: NonNullable<Taken['restored']> | null;
  readonly placed: z.output<typeof Received>['placed'];
}

async function receivedOf(
  context: Context,
  { view, page, restored, placed }: Left,
): Promise<z.output<typeof Received>> {
  const { state, packet, contract, pickup, messages, findings } = view;
  return {
    packet: state.packet,
    trigger: packet?.trigger ?? null,
    briefing: fenced(page.text),
    cursor: page.cursor ?? null,
    messages: messages.length,
    sentBack: findings.map(findingText),
    missing: packet === null ? [] : missingIn(packet, contract),
    skills: await skillsOf(context, pickup, packet),
    placed,
    drift: driftLines(pickup),
    restored:
      restored === null
        ? null
        : {
            root: restored.root,
            written: restored.written.length,
            deleted: restored.deleted.length,
            held: restored.held.map(({ path }) => path),
          },
  };
}

function driftPart(drift: readonly string[]): string[] {
  return drift.length === 0 ? [] : [quoted('No longer as the packet says', drift.join('\n'))];
}
