import { defined } from '../../core/base/defined.ts';
import { addedLines, agreedPart } from '../../core/contract/added-terms.ts';
import { readStanding } from '../../handoff/views/standing-contract.ts';
import { resultsNow } from '../../handoff/history/results-now.ts';
import { limits } from '../../core/base/limits.ts';
import { openEntry } from '../../core/journal/sealed.ts';
import { shownCard, type TaskState } from '../../core/task/state.ts';
import { stepsCalled, type StoryStep } from '../../core/transcript/story.ts';
import { amendedOf, type Amended } from '../../handoff/views/amended.ts';
import { runOfTask } from '../../crew/run-record.ts';
import type { Context } from '../../handoff/record/context.ts';
import { readFindings } from '../../handoff/sealing/findings.ts';
import { readCheckedPacket } from '../../handoff/history/history.ts';
import {
  sentBackBefore,
  standingFindings,
  standingReasons,
  type SentBack,
} from '../../handoff/record/latest.ts';
import { load } from '../../handoff/record/load.ts';
import { silentPage } from '../../handoff/record/silence.ts';
import { waitingMessages } from '../../handoff/verbs/outside.ts';
import { openQuestions, remarksOf } from '../../handoff/history/remarks.ts';
import { timeline } from '../../handoff/history/timeline.ts';
import { bindingOf } from '../../handoff/verbs/verdict.ts';
import { verifyTask } from '../../handoff/trust/verify.ts';
import type { DamagedCard } from '../../ports/journal.ts';
import * as contract from '../contract/contract.ts';
import { HistoryQuery, TaskHistory } from '../contract/contract-looks.ts';
import { route, type Route } from '../route.ts';
import type { ToldStory } from '../stories.ts';

/** A page of journal entries or steps: each may be long. */
const entriesDefault = 100;

async function pageOf(
  context: Context,
  state: TaskState,
  leaseUntil: number | null,
): Promise<contract.TaskPage> {
  const packet = state.packet === null ? null : await readCheckedPacket(context, state.packet);
  const standing = await readStanding(context, state);
  const contract = agreedPart(standing);
  return {
    state,
    leaseUntil,
    now: context.clock.now(),
    contract: { digest: state.contract, contract, added: addedLines(standing) },
    amended: amendedWords(await amendedOf(context, state)),
    sentBack: backWords(await sentBackBefore(context, state)),
    validation:
      packet === null
        ? []
        : resultsNow(packet, state, contract).map((result) => ({ ...result, run: [...result.run] })),
    packet:
      packet === null || state.packet === null
        ? null
        : {
            digest: state.packet,
            number: state.packets,
            certification: state.sealed?.certification ?? null,
            packet,
            findings: [...(await readFindings(context, state.sealed?.findings ?? null))],
          },
    findings: [...(await standingFindings(context, state))],
    declined: [...(await standingReasons(context, state))],
    demands: [...state.demands],
    questions: (await openQuestions(context, state)).map((one) => ({ ...one, options: [...one.options] })),
    messages: state.unread.length === 0 ? [] : await waitingMessages(context, state.task),
    remarks: await remarksOf(context, state, packet),
    legs: await timeline(context, state.task),
    binds: await bindingOf(context, state),
    run: await runOfTask(context, state),
  };
}

/** As what is sent: lists that nobody else holds. */
function amendedWords(amended: Amended | null): contract.TaskPage['amended'] {
  if (amended === null) return null;
  const changes = amended.changes.map(({ part, added, removed }) => ({
    part,
    added: [...added],
    removed: [...removed],
  }));
  return { from: amended.from, amendments: [...amended.amendments], changes };
}

function backWords(back: SentBack | null): contract.TaskPage['sentBack'] {
  return back === null ? null : { ...back, findings: [...back.findings] };
}

/** The place of the step of that name, or of the one that goes on there. A copy leads to what it repeats. */
function placeOf(told: ToldStory, ref: number | undefined): number | null {
  if (ref === undefined) return null;
  const [named] = stepsCalled(told, ref, told.last);
  if (named === undefined) return null;
  return told.steps.findIndex((step) => step === named || step.ref === named.copyOf);
}

/** Which steps a reader may ask for alone. */
const shown: Readonly<Record<'said' | 'calls' | 'failed', (step: StoryStep) => boolean>> = {
  said: ({ source, text, aside }) => source !== 'system' && text !== '' && aside === undefined,
  calls: ({ calls = [], results = [] }) => calls.length + results.length > 0,
  failed: ({ results = [] }) => results.some(({ failed }) => failed),
};

export const taskRoutes: readonly Route[] = [
  route({
    id: 'listTasks',
    method: 'get',
    path: '/api/tasks',
    summary: 'Tasks, the newest first; next leads to the page after',
    verb: 'read',
    query: contract.TaskQuery,
    answer: contract.TaskList,
    async handle({ context, query }) {
      const { status, lane, holder, dead, lapsed, oldestFirst, cursor } = query;
      const damaged: DamagedCard[] = [];
      const now = context.clock.now();
      const asked = {
        limit: query.limit ?? limits.pageDefault,
        ...defined({ statuses: status, lane, holder, dead, oldestFirst, cursor }),
        onDamaged: (one: DamagedCard) => damaged.push(one),
      };
      const page = await (lapsed === true ? silentPage(context, asked) : context.store.catalog.list(asked));
      return { tasks: page.cards.map(shownCard), next: page.next ?? null, damaged, now };
    },
  }),
  route({
    id: 'showTask',
    method: 'get',
    path: '/api/tasks/:task',
    summary: 'All that there is to know of a task at a glance',
    verb: 'read',
    answer: contract.TaskPage,
    async handle({ context, task }) {
      const { state, lease } = await load(context, task);
      return await pageOf(context, state, lease?.until ?? null);
    },
  }),
  route({
    id: 'listEvents',
    method: 'get',
    path: '/api/tasks/:task/events',
    summary: 'The journal of a task, byte for byte, a page at a time',
    verb: 'read',
    query: contract.EventsQuery,
    answer: contract.TaskEvents,
    async handle({ context, task, query }) {
      const { state } = await load(context, task);
      const { from = 0, limit = entriesDefault } = query;
      const page = await context.store.journal.read(task, from, limit);
      const entries = page
        .filter(({ seq }) => seq <= state.seq)
        .map(({ seq, digest, body }) => ({ seq, digest, body, entry: openEntry({ digest, body }) }));
      const last = entries.at(-1);
      const next = last === undefined || last.seq >= state.seq ? null : last.seq + 1;
      return { task, head: { seq: state.seq, digest: state.head }, entries, next };
    },
  }),
  route({
    id: 'readHistory',
    method: 'get',
    path: '/api/tasks/:task/history',
    summary: 'The reasoning of all legs as one story, a page of steps at a time',
    verb: 'read',
    query: HistoryQuery,
    answer: TaskHistory,
    async handle(asked) {
      const { context, task, query } = asked;
      const { state } = await load(context, task);
      const { limit = entriesDefault } = query;
      const story = await asked.stories.at(state);
      const { sessions, unread, legs } = story;
      const steps = query.show === undefined ? story.steps : story.steps.filter(shown[query.show]);
      const at = placeOf(story, query.at);
      const from = query.from ?? Math.max(0, (at ?? 0) - Math.floor(limit / 2));
      const to = from + limit;
      const total = steps.length;
      const next = to < total ? to : null;
      return { task, total, from, at, steps: steps.slice(from, to), sessions, legs, unread, next };
    },
  }),
  route({
    id: 'verifyTask',
    method: 'get',
    path: '/api/tasks/:task/verify',
    summary: 'Chain, digests and references of a task, checked now',
    verb: 'read',
    answer: contract.Verification,
    handle: async ({ context, task }) => await verifyTask(context, task),
  }),
];
