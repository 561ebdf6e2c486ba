/** A run on this machine: worktrees of the repository here, programs that are installed, and what their own sessions say. */
import { defined } from '../../core/base/defined.ts';
import { isStaffettaError } from '../../core/base/error.ts';
import { permissionsOf, type Crew } from '../../core/plan/crew.ts';
import type { Trigger } from '../../core/journal/event.ts';
import { draftClaims } from '../../core/reasoning/draft.ts';
import type { RunnersHere } from '../../compose/runners.ts';
import { openCrewGround } from '../../compose/workspace.ts';
import {
  doingOf,
  type CrewSite,
  type Employment,
  type Post,
  type Recalled,
  type WorkPost,
} from '../../crew/site.ts';
import type { Context } from '../../handoff/record/context.ts';
import { claimsOfLeg, sessionsThere } from '../../handoff/sessions/capture-leg.ts';
import { sessionCardOf } from '../../handoff/sessions/resumability.ts';
import {
  lookAtSession,
  seenSession,
  triggerOf,
  type SessionLook,
} from '../../handoff/sessions/session-look.ts';
import { readersOf } from '../../handoff/history/story.ts';
import { briefTask } from '../../handoff/views/brief.ts';
import { adviseOn } from '../../handoff/views/advise.ts';
import { readPacket } from '../../handoff/history/history.ts';
import { load } from '../../handoff/record/load.ts';
import { exhaustedHere } from '../../home/exhausted-here.ts';
import type { Home } from '../../home/home.ts';
import type { OpenLeg, TurnEnd } from '../../ports/runner.ts';
import type { Tree } from '../../ports/trees.ts';
import type { Runtime, SessionCard, SessionPlace } from '../../ports/runtime.ts';
import { noteRun, orphansOf } from '../../process/orphans.ts';
import { isProcessGone, ownProcess } from '../../process/own-process.ts';
import { contextOf } from '../context.ts';
import { environmentWith, legSetting, storeSetting, type LegSetting } from '../launch/leg-environment.ts';
import { routeHere } from './talk-with.ts';
import { reviewPrompt, workWords } from './prompts.ts';

export interface SiteHere {
  readonly context: Context;
  /** Of the repository whose trees are made; null for a run that makes none. */
  readonly folder: string | null;
  readonly home: Home | undefined;
  readonly env: NodeJS.ProcessEnv;
  readonly crew: () => Crew;
  readonly runners: RunnersHere;
  readonly runtimes: readonly Runtime[];
  /** A folder that programs are looked for in first. */
  readonly commands: string;
  readonly ask?: CrewSite['ask'];
}

/** For all whom the router of a run is asked about. No task's name begins so. */
const routerTree = '_router';

export async function crewSite(here: SiteHere): Promise<CrewSite> {
  const { context, folder, env } = here;
  const ground = folder === null ? null : await openCrewGround(folder, context.store, env);
  let looking: Promise<Tree> | undefined;
  return {
    context,
    ground,
    contextIn: (place) => contextOf(context.store, { workspace: place, env }),
    session: ownProcess(),
    isGone: async (session, { task, generation }) => {
      if (!isProcessGone(session)) return false;
      const orphans = orphansOf(here.home?.runs, folder ?? process.cwd());
      for (const orphan of orphans.find())
        if (orphan.leg?.task === task && orphan.leg.generation === generation) await orphans.end(orphan);
      return !orphans.find().some(({ leg }) => leg?.task === task && leg.generation === generation);
    },
    employ: async (post) => await employ(here, post),
    exhausted: exhaustedHere(context.store),
    installed: here.runners.installed,
    route: async (document, request, told) => {
      const { name: run, base } = document;
      // One for all that are asked at once: while somebody is in a tree, another call for it makes another.
      if (base !== undefined) looking ??= ground?.trees.make({ run, task: routerTree, base });
      const tree = await looking;
      const at = { ...here, folder: tree?.path ?? folder ?? process.cwd(), clock: context.clock };
      return await routeHere(at, document, request, told);
    },
    ...defined({ ask: here.ask }),
  };
}

async function employ(here: SiteHere, post: Post): Promise<Employment> {
  const { runners, runtimes, home } = here;
  const permissions = permissionsOf(here.crew(), post.agent);
  const runner = runners.runnerOf(doingOf(post), post.runtime ?? undefined, permissions);
  const runtime = runtimes.find(({ name }) => name === post.runtime);
  const leg = post.for === 'work' ? { task: post.leg.task, generation: post.leg.generation } : null;
  const what = `${post.agent.name} on ${post.task}`;
  const order = {
    env: environmentWith(here.env, { ...settingOf(here, post), ...storeSetting(home) }, here.commands),
    note: (mark: string) => noteRun(home?.runs, { what, folder: post.folder ?? process.cwd(), leg }, mark),
  };
  if (post.for === 'review') return { runner, order, prompt: await reviewPrompt(post) };
  const resumed = runtime === undefined ? null : await resumable(here, post, runtime);
  const { prompt } = await briefTask(post.context, post.leg.task, {
    readerOf: readersOf(runtimes),
    target: post.runtime ?? post.agent.name,
  });
  return {
    runner,
    order: { ...order, ...(resumed?.session === undefined ? {} : { session: resumed.session }) },
    prompt: `${await workWords(post)}${prompt}`,
    ...(resumed === null ? {} : { advice: resumed.why }),
    ...(runtime === undefined ? {} : { recall: await recaller(here, post, runtime) }),
  };
}

function settingOf({ context }: SiteHere, post: Post): LegSetting {
  const { store } = context;
  const { name, lane } = post.agent;
  const runtime = post.runtime === null ? {} : { runtime: post.runtime };
  if (post.for === 'work') {
    const { task, generation, lane: held } = post.leg;
    const agent = { name, kind: 'agent', lane: held, ...runtime } as const;
    return legSetting({ task, generation, agent, lane: held, store: store.address });
  }
  const agent = { name, kind: 'agent', lane, ...runtime } as const;
  const task = post.state.task;
  // It looks, and holds nothing.
  return {
    ...legSetting({ task, generation: 0, agent, lane: 'audit', store: store.address }),
    STAFFETTA_LEG: null,
  };
}

/** Between legs it is asked whether to go on in the same session; where there was none there is no choice. */
async function resumable(
  { runtimes }: SiteHere,
  { context, leg }: WorkPost,
  runtime: Runtime,
): Promise<{ readonly session?: SessionPlace; readonly why: string } | null> {
  const { state } = await load(context, leg.task);
  if (state.packet === null) return null;
  const fact = (await readPacket(context, state.packet)).facts?.session;
  if (fact === undefined) return null;
  const advice = await adviseOn(
    context,
    leg.task,
    { runtime: runtime.name, lane: leg.lane, runtimes },
    { by: leg.holder },
  );
  const why = `${advice.answer}: ${advice.reasons.map(({ text }) => text).join(' ')}`;
  if (advice.answer !== 'resume' || fact.runtime !== runtime.name || advice.session !== 'fresh')
    return { why };
  const card = await sessionCardOf(runtime, fact);
  return card === null || card.liveness === 'alive' ? { why } : { session: card, why };
}

/** What the program's own session says, once a turn is over. */
async function recaller(
  { runtimes }: SiteHere,
  { context, folder, leg }: WorkPost,
  runtime: Runtime,
): Promise<(open: OpenLeg, end: TurnEnd) => Promise<Recalled>> {
  const place = folder ?? process.cwd();
  const before = await sessionsThere(runtime, place);
  return async (open) => {
    const nothing: Recalled = { packet: {}, limit: undefined };
    const card = await sessionOf(runtime, place, { before, named: open.session });
    if (card === null) return nothing;
    try {
      const look = await lookAtSession(context, { runtime, card }, runtimes);
      const { state } = await load(context, leg.task);
      const claims = (await claimsOfLeg(context, leg, state)) ?? draftClaims(look.work);
      const used = look.condition.window?.used;
      return {
        packet: { claims, session: seenSession(look) },
        limit: limitOf(look),
        ...(used === undefined ? {} : { usage: { tokens: used, source: runtime.name } }),
      };
    } catch (error) {
      if (!isStaffettaError(error)) throw error;
      return nothing;
    }
  };
}

async function sessionOf(
  runtime: Runtime,
  folder: string,
  { before, named }: { readonly before: ReadonlySet<string>; readonly named: SessionPlace | null },
): Promise<SessionCard | null> {
  if (named !== null) return await sessionCardOf(runtime, named);
  for await (const card of runtime.sessions({ folder }))
    if (!before.has(card.id) && card.parent === null) return card;
  return null;
}

function limitOf({ card, condition }: SessionLook): TurnEnd['limit'] {
  const trigger: Trigger | null = triggerOf(card, condition);
  if (trigger === 'usage-limit') return { kind: 'usage', until: null };
  return trigger === 'context-limit' ? { kind: 'context', until: null } : undefined;
}
