/** What is worked out for a reader from what is stored: timelines, drift, briefings, what waits for a person, and how tasks hang together. */
import { runtimeNames } from '../../core/resume/runtime-names.ts';
import { defined } from '../../core/base/defined.ts';
import { limits } from '../../core/base/limits.ts';
import { StaffettaError } from '../../core/base/error.ts';
import type { TaskId } from '../../core/journal/id.ts';
import { cardOf } from '../../core/task/card.ts';
import { shownCard } from '../../core/task/state.ts';
import { loadCounter } from '../../core/tokens/count.ts';
import { unpushedWords } from '../../core/tree/unpushed.ts';
import { wholeInbox } from '../../desk/crew/run-inbox.ts';
import { usablePrograms } from '../../desk/sessions/installed-programs.ts';
import { briefTask } from '../../handoff/views/brief.ts';
import { expandEvidence } from '../../handoff/history/evidence.ts';
import { readCheckedPacket } from '../../handoff/history/history.ts';
import { readStanding } from '../../handoff/views/standing-contract.ts';
import type { Context } from '../../handoff/record/context.ts';
import { findState, load } from '../../handoff/record/load.ts';
import { pickupOf } from '../../handoff/views/pickup.ts';
import { readersOf } from '../../handoff/history/story.ts';
import { storeFigures } from '../../handoff/views/figures.ts';
import { timeline } from '../../handoff/history/timeline.ts';
import { timelineMarks } from '../../handoff/history/timeline-marks.ts';
import * as looks from '../contract/contract-looks.ts';
import { route, type Plain, type Route } from '../route.ts';
import { historyFile } from './exports.ts';
import { packetAt } from './packets.ts';

export const lookRoutes: readonly Route[] = [
  route({
    id: 'showTimeline',
    method: 'get',
    path: '/api/tasks/:task/timeline',
    summary: 'The legs of a task, and what changed hands or was judged when',
    verb: 'read',
    answer: looks.TimelineAnswer,
    handle: async ({ context, task }) => ({
      task,
      legs: await timeline(context, task),
      marks: await timelineMarks(context, task),
      now: context.clock.now(),
    }),
  }),
  route({
    id: 'probeDrift',
    method: 'get',
    path: '/api/tasks/:task/packets/:packet/drift',
    summary: 'Facts of a packet held against the workspace as it is now: the same, changed, or gone',
    verb: 'read',
    answer: looks.DriftAnswer,
    async handle(asked): Promise<looks.DriftAnswer> {
      const { context, task } = asked;
      const digest = await packetAt(asked);
      const { state } = await load(context, task);
      const packet = await readCheckedPacket(context, digest);
      const contract = await readStanding(context, state, packet.contract);
      const { drift, unpushed, validation, skills, ...rest } = await asked.surveys.run(
        `${state.head} ${digest}`,
        async () => await pickupOf(context, state, { contract, packet }),
      );
      return {
        task,
        packet: digest,
        drift: drift === null ? null : [...drift],
        validation: validation.map(({ run, ...one }) => ({ ...one, run: [...run] })),
        skills: [...skills],
        ...rest,
        unpushed: unpushed === null ? null : unpushedWords(unpushed),
        at: context.clock.now(),
      };
    },
  }),
  route({
    id: 'readBriefing',
    method: 'get',
    path: '/api/tasks/:task/briefing',
    summary: 'What the successor will see, byte for byte, with its count of tokens',
    verb: 'read',
    query: looks.BriefingQuery,
    answer: looks.BriefingAnswer,
    async handle({ context, task, runtimes, query }): Promise<looks.BriefingAnswer> {
      const { budget = limits.briefingTokensDefault, goal, for: target } = query;
      const known = await runtimes();
      const { packet, prompt, tokens, cut } = await briefTask(context, task, {
        readerOf: readersOf(known),
        count: await loadCounter(target),
        budget,
        alone: !known.some(({ name }) => name === target),
        ...defined({ goal, target }),
      });
      return { task, packet, briefing: prompt, tokens, budget, cut: [...cut], readers: [...runtimeNames] };
    },
  }),
  route({
    id: 'readRunOutput',
    method: 'get',
    path: '/api/tasks/:task/runs/:run/output',
    summary: 'What a command printed that was run to prove the result; :run is r and the number of its entry',
    verb: 'read',
    answer: { media: 'text/plain; charset=utf-8' },
    async handle({ context, task, params }): Promise<Plain> {
      const id = params['run'] ?? '';
      if (!/^r\d{1,9}$/.test(id))
        throw new StaffettaError('invalid-input', 'A run is named by r and the number of its entry.');
      const evidence = await expandEvidence(context, task, id, () => undefined);
      const output = evidence.kind === 'run' ? evidence.output : null;
      return { media: 'text/plain; charset=utf-8', text: output ?? new Uint8Array() };
    },
  }),
  route({
    id: 'readHistoryJson',
    method: 'get',
    path: '/api/tasks/:task/history.json',
    summary: 'The reasoning of all legs, step by step, as one file',
    verb: 'read',
    answer: { media: 'application/json' },
    handle: async (asked) => await historyFile(asked, 'json', 'application/json'),
  }),
  route({
    id: 'readInbox',
    method: 'get',
    path: '/api/inbox',
    summary: 'What waits for a person, each with what it takes to answer it',
    verb: 'read',
    answer: looks.InboxAnswer,
    async handle({ context, runs, runtimes }): Promise<looks.InboxAnswer> {
      const programs = await usablePrograms(context, await runtimes());
      const { items: found, needing } = await wholeInbox(context, runs.now, programs);
      const items = found.map(({ options, others, ...item }) => ({
        ...item,
        others: [...others],
        ...(options === undefined ? {} : { options: [...options] }),
      }));
      return { items, needing: [...needing], now: context.clock.now() };
    },
  }),
  route({
    id: 'readFigures',
    method: 'get',
    path: '/api/figures',
    summary: 'The store in numbers: what waits and for how long, what is stuck, and how runs stand',
    verb: 'read',
    answer: looks.FiguresAnswer,
    async handle({ context, runs }): Promise<looks.FiguresAnswer> {
      const found = await runs.going();
      return {
        ...(await storeFigures(context)),
        runs: found.map(({ run, task, parallel, working, ready, queue, needing, isStalled, spent }) => ({
          run,
          task,
          parallel,
          working,
          ready,
          queue,
          needing,
          isStalled,
          spent: { tokens: spent.tokens, costs: [...spent.costs] },
        })),
      };
    },
  }),
  route({
    id: 'readOverview',
    method: 'get',
    path: '/api/overview',
    summary: 'What happened by the hour: opened, done, stopped, sent back, lapsed, tokens, and time by lane',
    verb: 'read',
    answer: looks.OverviewAnswer,
    handle: async ({ pulse }) => await pulse.look(),
  }),
  route({
    id: 'readGraph',
    method: 'get',
    path: '/api/graph',
    summary: 'Tasks that need others or go on from them, with those',
    verb: 'read',
    answer: looks.GraphAnswer,
    handle: async ({ context }) => await graphOf(context),
  }),
];

type Node = looks.GraphAnswer['nodes'][number];

async function graphOf(context: Context): Promise<looks.GraphAnswer> {
  const { cards, next } = await context.store.catalog.list({ limit: limits.pageMax, onDamaged: () => {} });
  const nodes = new Map<TaskId, Node>();
  const pointed = new Set<TaskId>();
  for (const card of cards) {
    const state = await findState(context, card.task);
    const needs = [...(state?.terms.needs ?? [])];
    const fork = state?.fork?.task ?? null;
    nodes.set(card.task, { card: shownCard(card), needs, fork });
    for (const other of fork === null ? needs : [...needs, fork]) pointed.add(other);
  }
  for (const task of pointed) {
    if (nodes.has(task)) continue;
    const state = await findState(context, task);
    if (state !== undefined)
      nodes.set(task, { card: { ...cardOf(state), leaseUntil: null }, needs: [], fork: null });
  }
  const joined = [...nodes.values()].filter(
    ({ card, needs, fork }) => needs.length > 0 || fork !== null || pointed.has(card.task),
  );
  return { nodes: joined, more: next !== undefined, now: context.clock.now() };
}
