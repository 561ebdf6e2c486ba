/** One of a crew that is asked for words and nothing else, on this machine: which agent a task is for, or what a plan should be. */
import { permissionsOf, type Crew, type CrewAgent } from '../../core/plan/crew.ts';
import type { RunDocument } from '../../core/plan/run-document.ts';
import { StaffettaError } from '../../core/base/error.ts';
import type { RunnersHere } from '../../compose/runners.ts';
import { AgentTalk } from '../../crew/steering/agent-talk.ts';
import { routerPrompt, type RouteRequest } from '../../crew/steering/front-door.ts';
import type { Home } from '../../home/home.ts';
import type { Clock } from '../../ports/clock.ts';
import { noteRun } from '../../process/orphans.ts';
import { environmentWith, storeSetting } from '../launch/leg-environment.ts';

/** A router chooses among a few names. */
const routerMsMax = 120_000;

export interface AskedHere {
  readonly folder: string;
  readonly home: Home | undefined;
  readonly env: NodeJS.ProcessEnv;
  readonly runners: RunnersHere;
  /** A folder that programs are looked for in first. */
  readonly commands: string;
  readonly clock: Clock;
}

export interface TalkWith {
  readonly crew: Crew;
  readonly agent: CrewAgent;
  /** What it is asked for. */
  readonly what: string;
  readonly msMax: number;
  readonly signal?: AbortSignal;
  readonly who?: string;
}

/** It holds nothing, and speaks for nobody. */
export function talkWith(here: AskedHere, asked: TalkWith): AgentTalk {
  const { folder, home, env, runners, commands, clock } = here;
  const { crew, agent, what, msMax, signal, who } = asked;
  // It only looks, whatever its lane.
  const looking: CrewAgent = { ...agent, lane: 'plan' };
  return new AgentTalk({
    runner: runners.runnerOf(looking, agent.runtime?.[0], permissionsOf(crew, agent)),
    order: {
      folder,
      env: environmentWith(env, { STAFFETTA_LEG: null, ...storeSetting(home) }, commands),
      mode: agent.mode,
      note: (mark) => noteRun(home?.runs, { what, folder, leg: null }, mark),
    },
    clock,
    msMax,
    signal,
    who,
  });
}

/** The answer of the crew's router, as it gave it. */
export async function routeHere(
  here: AskedHere,
  { crew }: Pick<RunDocument, 'crew'>,
  request: RouteRequest,
  signal: AbortSignal,
): Promise<unknown> {
  const { router } = crew;
  const agent: CrewAgent | undefined =
    router?.command === undefined
      ? crew.agents[router?.agent ?? '']
      : { lane: 'plan', command: router.command };
  if (agent === undefined)
    throw new StaffettaError('invalid-input', 'The router is a function of another program.', {
      hint: 'Name an agent or a command as the router.',
    });
  const talk = talkWith(here, { crew, agent, what: `router of ${request.task}`, msMax: routerMsMax, signal });
  try {
    return await talk.ask(routerPrompt(request));
  } finally {
    await talk.close();
  }
}
