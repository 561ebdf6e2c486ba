/**
 * A story as one document of ATIF v1.7, Harbor's trajectory format. The same story gives the same bytes.
 *
 *   root                     all sessions but those of subagents, their steps in the order of the story
 *   subagent_trajectories    a session that another one of the story started, within the trajectory of that one
 *   tool_calls, observation  the calls of a step and their results; a result of a call that started an embedded session refers to it
 *   metrics                  what the program counted; tokens from the cache are among `prompt_tokens`, as the format wants it
 *   extra.staffetta          what the format has no field for. Of the root: `v`, `sessions` (facts, omissions, unanswered calls)
 *                            and `unread`. Of a step: `name` (s42), `session` (its place in `sessions`), `runtime`, `aside`,
 *                            `mark`, `summary`. Of a call: `raw`, `subagent`, `within`. Of a result: `failed`, `passed`, `exit`,
 *                            `other`, `task`
 *
 * Only an agent's step may have a model, reasoning, calls or metrics; if another one has them, they are in `held`. A
 * trajectory has at least one step: a story without any gets one that says so, marked `empty`.
 */
import { defined, filled } from '../base/defined.ts';
import type { JsonObject, Json, Result, SessionFacts, Step, Transcript, Usage } from '../transcript/step.ts';
import type { Story, StorySession, StoryStep } from '../transcript/story.ts';

const atifVersion = 'ATIF-v1.7';

export interface AtifOptions {
  /** Names the run: a task, for one. */
  readonly id?: string;
  /** Where the trajectory goes on, if it does so in another document. */
  readonly continuedIn?: string;
}

export function toAtif(story: Story, options: AtifOptions = {}): JsonObject {
  const tree = treeOf(story.sessions);
  return trajectory(story, tree, {
    members: story.sessions.flatMap((_, i) => (tree.parents[i] === null ? [i] : [])),
    ids: options.id === undefined ? {} : { session_id: options.id, trajectory_id: options.id },
    ...defined({ continuedIn: options.continuedIn }),
    unread: story.unread,
  });
}

export function transcriptToAtif(transcript: Transcript, options: AtifOptions = {}): JsonObject {
  const { facts, omissions, unanswered, steps } = transcript;
  return toAtif(
    {
      sessions: [{ facts, omissions, unanswered, rewritten: false }],
      steps: steps.map((step) => ({ ...step, ref: step.id, session: 0 })),
      unread: [],
    },
    { ...(facts.session === '' ? {} : { id: facts.session }), ...options },
  );
}

interface Tree {
  readonly parents: readonly (number | null)[];
  /** Unique in the document, one for each session. */
  readonly ids: readonly string[];
}

/** Which session of the story started which. Where parents go round in a circle, nobody is anybody's. */
function treeOf(sessions: readonly StorySession[]): Tree {
  const places = new Map(sessions.map(({ facts }, i) => [keyOf(facts.runtime, facts.session), i] as const));
  const started = sessions.map(({ facts }, i) => {
    const at = facts.parent === null ? undefined : places.get(keyOf(facts.runtime, facts.parent));
    return at === undefined || at === i ? null : at;
  });
  const parents = started.map((parent, i) => (parent !== null && goesRound(started, i) ? null : parent));
  const seen = new Map<string, number>();
  const ids = sessions.map(({ facts }) => {
    const id = `${facts.runtime}/${facts.session}`;
    const count = (seen.get(id) ?? 0) + 1;
    seen.set(id, count);
    return count === 1 ? id : `${id}#${count}`;
  });
  return { parents, ids };
}

function keyOf(runtime: string, session: string): string {
  return JSON.stringify([runtime, session]);
}

function goesRound(started: readonly (number | null)[], from: number): boolean {
  const seen = new Set<number>();
  for (let at: number | null = from; at !== null; at = started[at] ?? null) {
    if (seen.has(at)) return true;
    seen.add(at);
  }
  return false;
}

interface Piece {
  /** Places of its sessions in the story. */
  readonly members: readonly number[];
  readonly ids: JsonObject;
  readonly continuedIn?: string;
  readonly unread: Story['unread'];
}

function trajectory(story: Story, tree: Tree, piece: Piece): JsonObject {
  const sessions = piece.members.flatMap((i) => story.sessions[i] ?? []);
  const local = new Map(piece.members.map((i, place) => [i, place]));
  const children = tree.parents.flatMap((parent, i) => (parent !== null && local.has(parent) ? [i] : []));
  const embedded = new Map(
    children.map((i) => [story.sessions[i]?.facts.session ?? '', tree.ids[i] ?? ''] as const),
  );
  const own = story.steps.filter(({ session }) => local.has(session));
  const steps = own.map((step, i) =>
    stepOf(step, {
      id: i + 1,
      session: local.get(step.session) ?? 0,
      runtime: story.sessions[step.session]?.facts.runtime ?? '',
      embedded,
    }),
  );
  return {
    schema_version: atifVersion,
    ...piece.ids,
    agent: agentOf(sessions.map(({ facts }) => facts)),
    steps: steps.length === 0 ? [emptyStep] : steps,
    ...(sessions.length > 1 ? { notes: severalSessions } : {}),
    final_metrics: totals(own),
    ...defined({ continued_trajectory_ref: piece.continuedIn }),
    extra: { staffetta: { v: 1, sessions: sessions.map(sessionOf), ...unreadOf(piece.unread) } },
    ...(children.length === 0
      ? {}
      : {
          subagent_trajectories: children.map((i) =>
            trajectory(story, tree, {
              members: [i],
              ids: { session_id: story.sessions[i]?.facts.session ?? '', trajectory_id: tree.ids[i] ?? '' },
              unread: [],
            }),
          ),
        }),
  };
}

const severalSessions =
  'Steps of several sessions, in the order in which they were captured. extra.staffetta.sessions describes the sessions; extra.staffetta.session of a step says which is its own.';

const emptyStep: JsonObject = {
  step_id: 1,
  source: 'system',
  message: 'No steps were captured.',
  extra: { staffetta: { empty: true } },
};

/** One program, or the relay of several. */
function agentOf(sessions: readonly SessionFacts[]): JsonObject {
  const agents = new Map<string, SessionFacts>();
  for (const facts of sessions) {
    const before = agents.get(facts.runtime);
    agents.set(facts.runtime, {
      ...facts,
      version: facts.version ?? before?.version ?? null,
      model: facts.model ?? before?.model ?? null,
    });
  }
  const described = [...agents.values()].map(({ runtime, version, model }) => ({
    name: runtime,
    version: version ?? 'unknown',
    ...filled({ model_name: model }),
  }));
  const [only] = described;
  if (described.length === 1 && only !== undefined) return only;
  return { name: 'staffetta', version: '1', ...(only === undefined ? {} : { extra: { agents: described } }) };
}

function sessionOf({ facts, rewritten, repeats, omissions, unanswered }: StorySession): JsonObject {
  return {
    ...facts,
    rewritten,
    ...defined({ repeats }),
    omissions: omissions.map(({ kind, count, why }) => ({ kind, count, why })),
    unanswered: unanswered.map(({ id }) => id),
  };
}

function unreadOf(unread: Story['unread']): JsonObject {
  if (unread.length === 0) return {};
  return { unread: unread.map(({ runtime, session, why }) => ({ runtime, session, why })) };
}

interface Around {
  readonly id: number;
  readonly session: number;
  readonly runtime: string;
  /** From the sessions of subagents to their trajectories here. */
  readonly embedded: ReadonlyMap<string, string>;
}

function stepOf(step: StoryStep, around: Around): JsonObject {
  const { source, at, text, model, reasoning, mark, summary, aside } = step;
  const timestamp = at === null ? null : isoOf(at);
  const isAgent = source === 'agent';
  const held = isAgent ? {} : heldOf(step);
  return {
    step_id: around.id,
    ...filled({ timestamp }),
    source,
    ...(isAgent && model !== undefined ? { model_name: model } : {}),
    message: text,
    ...(isAgent && reasoning !== undefined ? { reasoning_content: reasoning } : {}),
    ...(isAgent ? actionsOf(step, around) : {}),
    ...(isAgent && step.usage !== undefined ? { metrics: metricsOf(step.usage) } : {}),
    extra: {
      staffetta: {
        name: `s${step.ref}`,
        session: around.session,
        runtime: around.runtime,
        ...defined({ mark, summary, aside }),
        ...(at !== null && timestamp === null ? { at } : {}),
        ...(Object.keys(held).length === 0 ? {} : { held }),
      },
      ...(mark === 'compaction' ? { context_management: { type: 'compaction' } } : {}),
    },
  };
}

/** Years of four digits and whole milliseconds; any other time has no form that every reader takes. */
function isoOf(at: number): string | null {
  const year = new Date(at).getUTCFullYear();
  return Number.isInteger(at) && year >= 1 && year <= 9999 ? new Date(at).toISOString() : null;
}

function heldOf({ model, reasoning, calls, results, usage }: Step): JsonObject {
  return {
    ...defined({ model, reasoning }),
    ...(calls === undefined ? {} : { calls: calls.map((call): JsonObject => ({ ...call })) }),
    ...(results === undefined
      ? {}
      : { results: results.map(({ said: _words, ...result }): JsonObject => result) }),
    ...(usage === undefined ? {} : { usage: { ...usage } }),
  };
}

function actionsOf({ calls = [], results = [] }: Step, { embedded }: Around): JsonObject {
  const ids = new Set(calls.map(({ id }) => id));
  const refs = new Map(
    calls.flatMap(({ id, subagent }) => {
      const trajectoryId = subagent === undefined ? undefined : embedded.get(subagent);
      return trajectoryId === undefined
        ? []
        : [[id, { trajectory_id: trajectoryId, session_id: subagent ?? '' }]];
    }),
  );
  const observed = results.map((result): JsonObject => {
    const ref = refs.get(result.call);
    refs.delete(result.call);
    return resultOf(result, ids.has(result.call), ref);
  });
  // A subagent whose call has no result yet is there all the same.
  for (const [id, ref] of refs) observed.push({ source_call_id: id, subagent_trajectory_ref: [ref] });
  return {
    ...(calls.length === 0
      ? {}
      : {
          tool_calls: calls.map(({ id, tool, args, raw, subagent, within, folder }): JsonObject => {
            const more = {
              ...defined({ raw, subagent, within, folder }),
            };
            return { tool_call_id: id, function_name: tool, arguments: args, ...extraOf(more) };
          }),
        }),
    ...(observed.length === 0 ? {} : { observation: { results: observed } }),
  };
}

function resultOf(result: Result, known: boolean, ref: JsonObject | undefined): JsonObject {
  const { call, text, failed, passed, exit, other, task } = result;
  const more = {
    ...(known ? {} : { call }),
    ...filled({ failed }),
    ...defined({ passed, exit, other, task }),
  };
  return {
    ...(known ? { source_call_id: call } : {}),
    content: text,
    ...(ref === undefined ? {} : { subagent_trajectory_ref: [ref] }),
    ...extraOf(more),
  };
}

function extraOf(more: JsonObject): JsonObject {
  return Object.keys(more).length === 0 ? {} : { extra: { staffetta: more } };
}

function metricsOf(usage: Usage): JsonObject {
  const more: Record<string, Json> = {};
  if (usage.reasoning !== undefined) more['reasoning_tokens'] = usage.reasoning;
  if (usage.window !== undefined) more['window_tokens'] = usage.window;
  if (usage.windowMax !== undefined) more['window_tokens_max'] = usage.windowMax;
  const prompt = promptOf(usage);
  return {
    ...defined({ prompt_tokens: prompt }),
    ...(isWhole(usage.output) ? { completion_tokens: usage.output } : {}),
    ...(isWhole(usage.cached) ? { cached_tokens: usage.cached } : {}),
    ...(Object.keys(more).length === 0 ? {} : { extra: more }),
  };
}

/** More from the cache than went in: the program counts the two apart. */
function promptOf({ input, cached }: Usage): number | undefined {
  if (!isWhole(input)) return undefined;
  return isWhole(cached) && cached > input ? input + cached : input;
}

function isWhole(count: number | undefined): count is number {
  return count !== undefined && Number.isSafeInteger(count) && count >= 0;
}

/** What was rewritten was captured again, and is counted there. */
function totals(steps: readonly Step[]): JsonObject {
  const counted = steps
    .filter(({ aside, source }) => aside !== 'rewritten' && source === 'agent')
    .flatMap(({ usage }) => usage ?? []);
  const prompt = sum(counted.map(promptOf));
  const completion = sum(counted.map(({ output }) => output));
  const cached = sum(counted.map((usage) => usage.cached));
  return {
    ...defined({
      total_prompt_tokens: prompt,
      total_completion_tokens: completion,
      total_cached_tokens: cached,
    }),
    total_steps: Math.max(1, steps.length),
  };
}

function sum(counts: readonly (number | undefined)[]): number | undefined {
  const told = counts.filter(isWhole);
  return told.length === 0 ? undefined : told.reduce((total, count) => total + count, 0);
}
