/** What does not come along when work goes on in another program: of the history, of its tools, and of what it was allowed (P12). */
import { programTitle } from './runtime-names.ts';
import { sameServer, type Provisions } from './provisions.ts';
import { merged, oneHistory } from '../transcript/one-history.ts';
import type { Omission } from '../transcript/step.ts';
import type { Story } from '../transcript/story.ts';
import { subagentsLeft, withoutSubagents } from '../transcript/subagents.ts';
import { foreignNames, missingTools, type MissingTool, type Toolbox } from '../transcript/tools.ts';

export interface LossReport {
  /** In capturing, reading and writing. */
  readonly omissions: readonly Omission[];
  readonly tools: readonly MissingTool[];
  /** MCP servers whose tools were used and that are not set up in the target. */
  readonly servers: readonly string[];
  /** What the last session was allowed without asking, where it says so: permissions do not travel. */
  readonly permissions: {
    readonly runtime: string;
    readonly said: string;
    /** What the settings of the target allow, in its own words; null where they do not say. */
    readonly there: string | null;
  } | null;
  /** Settings of the target that could not be understood: more may be there than is known. */
  readonly unread: readonly string[];
}

export interface LossInput {
  readonly story: Story;
  readonly target: { readonly name: string; readonly tools: Toolbox; readonly provisions: Provisions };
  readonly toolboxOf: (runtime: string) => Toolbox | undefined;
  /** What writing left out; null where nothing was written. */
  readonly written: readonly Omission[] | null;
}

export function lossReport({ story, target, toolboxOf, written }: LossInput): LossReport {
  const { provisions } = target;
  const missing = missingTools(story, toolboxOf, { ...target, denied: provisions.denied });
  const isSetUp = (server: string): boolean => provisions.servers.some((one) => sameServer(one, server));
  const last = withoutSubagents(story).sessions.at(-1)?.facts;
  const unread = story.unread.map(({ runtime, session, why }) => ({
    kind: 'unread-session',
    count: 1,
    why: `${runtime} ${session}: ${why}`,
  }));
  return {
    omissions: merged([
      ...story.sessions.flatMap(({ omissions }) => omissions),
      ...unread,
      ...(written === null
        ? []
        : [...subagentsLeft(story), ...written, ...namesKept(story, target, missing)]),
    ]),
    tools: missing.filter(({ server }) => server === null),
    servers: [
      ...new Set(missing.flatMap(({ server }) => (server === null || isSetUp(server) ? [] : [server]))),
    ],
    permissions:
      last?.permissions === undefined
        ? null
        : { runtime: last.runtime, said: last.permissions, there: provisions.permissions },
    unread: provisions.unread,
  };
}

/** Of calls that were written. What the target has nothing for is named as a tool that it lacks. */
function namesKept(
  story: Story,
  target: LossInput['target'],
  missing: readonly MissingTool[],
): readonly Omission[] {
  return foreignNames(oneHistory(story), target)
    .filter(({ tool }) => !missing.some((one) => one.tool === tool))
    .map(({ tool, calls }) => ({
      kind: 'tool-name',
      count: calls,
      why: `calls are written as ${tool}, which ${target.name} does not offer; other tools of it do the same`,
    }));
}

/** As the packet keeps them. */
export function lossReportWords({ omissions, tools, servers, permissions, unread }: LossReport): {
  readonly what: string;
  readonly why: string;
}[] {
  return [
    ...omissions.map(({ kind, count, why }) => ({ what: `${count} × ${kind}`, why })),
    ...tools.map(({ tool, runtime, calls, denied }) => ({
      what: `tool ${tool}`,
      why: `used ${calls === 1 ? 'once' : `${calls} times`} in ${runtime}; ${
        denied === true ? 'the settings here take the tool for it away' : 'no tool for it is known here'
      }`,
    })),
    ...servers.map((server) => ({
      what: `MCP server ${server}`,
      why: 'its tools were used, and it is not set up here; set it up if they are needed',
    })),
    ...(permissions === null
      ? []
      : [
          {
            what: `permissions of ${programTitle(permissions.runtime)}`,
            why: `they were ${permissions.said}, and do not travel; ${
              permissions.there === null ? 'the settings here say nothing' : `here: ${permissions.there}`
            }`,
          },
        ]),
    ...unread.map((path) => ({
      what: `settings in ${path}`,
      why: 'they could not be understood; more may be set up than is known',
    })),
  ];
}
