/** What is made for a program before it starts: who works there, under which leg, what it is told, and its commands; and all of it told in a dry run. */
import { defined } from '../../../core/base/defined.ts';
import { basename, resolve } from 'node:path';
import { joinCommand } from '../../../core/base/command-line.ts';
import type { Actor } from '../../../core/task/actor.ts';
import type { TaskState } from '../../../core/task/state.ts';
import { withLegLine } from '../../../core/transcript/leg-line.ts';
import { oneHistory } from '../../../core/transcript/one-history.ts';
import type { Story } from '../../../core/transcript/story.ts';
import type { Context } from '../../../handoff/record/context.ts';
import {
  rehearse,
  rehearseHistory,
  type Begin,
  type Begun,
  type ResumePlan,
  type ResumeRequest,
} from '../../../handoff/sessions/resume-in.ts';
import { placeSkills } from '../../../handoff/sealing/skills.ts';
import type { Launch, Prompt, RuntimeName, SessionPlace, Start } from '../../../ports/runtime.ts';
import { speakerAt } from '../../../desk/speaker.ts';
import { usageError } from '../../frame/usage.ts';
import { exits } from '../../frame/fail.ts';
import { commandsFolder, promptFolder, promptPath } from '../../../desk/launch/launch-files.ts';
import { legSetting } from '../../../desk/launch/leg-environment.ts';
import { shellLine } from '../../pages/launch-words.ts';
import { leaseFrom } from '../../call/lease.ts';
import { redirecting, sayRedirected } from '../../call/redirect.ts';
import { resumePage, type ResumeAnswer } from '../../pages/resume-page.ts';
import type { Session } from '../../call/session.ts';
import type { Values } from '../../frame/spec.ts';
import { count, text, texts } from '../../frame/values.ts';
import { counted } from '../../pages/words.ts';

export function grownIn({ grown }: ResumePlan, { runtime }: ResumeRequest): ResumeAnswer['grown'] {
  if (grown === null) return undefined;
  const command = `staffetta handoff --from ${grown.runtime}:${grown.session} --to ${runtime.name}`;
  return { ...grown, command };
}

export interface Resuming {
  readonly plan: ResumePlan;
  readonly request: ResumeRequest;
  readonly begin: Begin;
}

export function beginFrom(
  session: Session,
  { state, folder }: ResumePlan,
  { runtime }: ResumeRequest,
): Begin {
  const { values } = session;
  const by = agentFor(session, state, runtime.name);
  const key = text(values, 'idempotency-key');
  const asked = count(values, 'generation');
  const redirects = redirecting(session, state, by);
  return {
    by,
    ...defined({ redirects }),
    leaseMs: leaseFrom(values),
    folder: resolve(folder),
    into: promptFolder(session.home),
    // That this generation holds the task was looked at when the task was named.
    ...(asked !== undefined && state.leg?.holder.name === by.name ? { generation: asked } : {}),
    ...defined({ key }),
  };
}

/** The agent that will work there: as it is called, as the offer calls it, or by its program. The caller that starts it is its parent. */
function agentFor(session: Session, { offer, leg }: TaskState, runtime: RuntimeName): Actor {
  const caller = speakerAt({ env: session.env, refuse: usageError });
  const offered = offer?.to.startsWith('agent:') === true ? offer.to.slice('agent:'.length) : undefined;
  const again = ['generation', 'idempotency-key'].some((option) => session.values[option] !== undefined);
  const holder = again ? leg?.holder.name : undefined;
  const name = text(session.values, 'as') ?? holder ?? offered ?? runtime;
  const lane = text(session.values, 'lane') as Actor['lane'];
  const spawned = caller.kind === 'agent' && caller.name !== name;
  return {
    name,
    kind: 'agent',
    runtime,
    ...defined({ lane }),
    ...(spawned ? { lineage: [caller.name, ...(caller.lineage ?? [])] } : {}),
  };
}

export interface Made {
  readonly generation: number;
  readonly prompt: string;
  readonly promptFile: string;
  /** The folder with the command for the agent. */
  readonly commands: string;
  readonly terminal: Launch;
  readonly headless: Launch;
  readonly setting: ReturnType<typeof legSetting>;
  readonly lines: ResumeAnswer['commands'];
}

/** Both commands, for somebody at a terminal and for nobody. */
export function make(
  session: Session,
  { plan, request, begin, begun }: Resuming & { readonly begun: Pick<Begun, 'generation' | 'start'> },
): Made {
  const { runtime, model } = request;
  const { generation } = begun;
  const prompt = withLegLine(plan.prompt, { task: plan.task, generation });
  const promptFile = promptPath(session.home, plan.task, generation);
  const commands = commandsFolder(session.home);
  const launched = (start: Start, prompt: Prompt): Launch =>
    runtime.launch(start, prompt, {
      folder: begin.folder,
      program: plan.installation?.program ?? null,
      extra: texts(session.values, 'arg') ?? [],
      ...defined({ model }),
    });
  const terminal = launched(begun.start, { kind: 'terminal', file: promptFile });
  const headless = launched(begun.start, { kind: 'headless', text: prompt });
  const setting = legSetting({
    task: plan.task,
    generation,
    agent: begin.by,
    lane: plan.state.offer?.lane ?? plan.state.leg?.lane ?? 'execute',
    store: session.store,
  });
  const line = (launch: Launch): string =>
    shellLine(launch, { ...setting, ...launch.env }, { env: session.env, promptFile, commands });
  return {
    generation,
    prompt,
    promptFile,
    commands,
    terminal,
    headless,
    setting,
    lines: { terminal: line(terminal), headless: line(headless) },
  };
}

/** The same call, with the task named. */
export function startCommand({ plan: { task }, request }: Resuming, values: Values): string {
  const said = Object.entries(values).flatMap(([name, value]) => {
    const option = carried.has(name) ? [value].flat() : [];
    return option.flatMap((one) =>
      one === true ? [`--${name}`] : typeof one === 'string' ? [`--${name}`, one] : [],
    );
  });
  return joinCommand(['staffetta', 'resume', task, '--in', request.runtime.name, ...said]);
}

/** Options that say how it goes on; those about this call are its own. */
const carried: ReadonlySet<string> = new Set([
  'history',
  'goal',
  'budget',
  'model',
  'arg',
  'lease',
  'with-skills',
  'unproven',
  'as',
  'lane',
  'store',
]);

/** Undefined where nobody agreed to it. */
export async function placeSkillsIn(
  context: Context,
  { values, dryRun }: Session,
  { plan, request }: Pick<Resuming, 'plan' | 'request'>,
): Promise<ResumeAnswer['placed']> {
  if (values['with-skills'] !== true) return undefined;
  return await placeSkills(context, plan.latest?.packet ?? null, { runtime: request.runtime.name, dryRun });
}

export async function launchAnswer(
  made: Pick<Made, 'generation' | 'lines'>,
  { plan, request, begin, losses, placed }: Resuming & Pick<Begun, 'losses'> & Pick<ResumeAnswer, 'placed'>,
): Promise<ResumeAnswer> {
  return {
    task: plan.task,
    runtime: request.runtime.name,
    leg: `${plan.task}/${made.generation}`,
    way: request.way,
    agent: begin.by.name,
    checks: plan.checks,
    losses,
    ...defined({ placed }),
    ...(plan.grown === null ? {} : { grown: grownIn(plan, request) }),
    ...(begin.redirects === undefined ? {} : { redirectedFrom: plan.state.offer?.to }),
    hazards: {
      terminal: await request.runtime.hazards('terminal'),
      headless: await request.runtime.hazards('headless'),
    },
    commands: made.lines,
  };
}

/** What would be taken, told and started; nothing is. A session that would be written has no name yet. */
export async function showOnly(context: Context, session: Session, resuming: Resuming): Promise<number> {
  const { plan, request, begin } = resuming;
  const taken = await rehearse(context, plan, begin);
  sayRedirected(session, plan, begin);
  const expected = plan.state.generation + (begin.redirects === undefined ? 0 : 1);
  const generation = taken?.state.generation ?? begin.generation ?? expected;
  const history = await rehearseHistory(context, plan, request, begin);
  const place = history?.written.place ?? null;
  const made = make(session, { ...resuming, begun: { generation, start: startShown(plan, place) } });
  const placed = await placeSkillsIn(context, session, resuming);
  const answer = await launchAnswer(made, { ...resuming, losses: history?.losses ?? plan.losses, placed });
  const shown = place === null ? answer : { ...answer, commands: unnamed(answer.commands, place) };
  const would =
    place === null
      ? null
      : { steps: carriedIn(plan.story), path: unnamedIn(place.path, place), id: newSession };
  session.output.data(
    { ...shown, prompt: made.prompt, dryRun: true, ...(would === null ? {} : { wouldWrite: would }) },
    () => [resumePage(shown, session), '', made.prompt].join('\n'),
  );
  if (would !== null)
    session.output.say(
      `Would write a new session of ${request.runtime.name} with ${counted(would.steps, 'step')} to ${would.path}, read it back and compare. ${newSession} stands for its id, which is made then.`,
    );
  session.output.say('Nothing was taken, written or started: this was a dry run.');
  return exits.ok;
}

/** What a program added is not written, and neither is what was left behind. */
function carriedIn(story: Story): number {
  return oneHistory(story).steps.filter(
    ({ source, aside, mark }) => aside === undefined && (source !== 'system' || mark === 'compaction'),
  ).length;
}

/** Stands for the id of a session that is not there yet. */
const newSession = 'NEW-SESSION-ID';

function startShown({ session }: ResumePlan, written: SessionPlace | null): Start {
  const goesOn = written ?? session;
  return goesOn === null
    ? { kind: 'new', id: '00000000-0000-4000-8000-000000000000' }
    : { kind: 'continue', session: goesOn };
}

function unnamed(
  { terminal, headless }: ResumeAnswer['commands'],
  place: SessionPlace,
): ResumeAnswer['commands'] {
  return { terminal: unnamedIn(terminal, place), headless: unnamedIn(headless, place) };
}

/** A file may be named after the whole id, or after its beginning and the time. */
function unnamedIn(text: string, { id, path }: SessionPlace): string {
  const name = basename(path);
  const named = name.includes(id)
    ? name.replaceAll(id, newSession)
    : name.replaceAll(id.slice(0, 8), newSession);
  return text.replaceAll(name, named).replaceAll(id, newSession);
}
