/** What does not come along when work goes on in another program: of the history, of its tools, and of what it was allowed (P12). */
import { merged } from './transcript/one-history.ts';
import type { Omission } from './transcript/step.ts';
import type { Story } from './transcript/story.ts';
import { missingTools, type MissingTool, type Toolbox } from './transcript/tools.ts';

export interface LossReport {
  /** In capturing, reading and writing. */
  readonly omissions: readonly Omission[];
  readonly tools: readonly MissingTool[];
  /** MCP servers whose tools were used: they would have to be set up in the target. */
  readonly servers: readonly string[];
  /** What the last session was allowed without asking, where it says so: permissions do not travel. */
  readonly permissions: { readonly runtime: string; readonly said: string } | null;
}

export interface LossInput {
  readonly story: Story;
  readonly target: { readonly name: string; readonly tools: Toolbox };
  readonly toolboxOf: (runtime: string) => Toolbox | undefined;
  /** What writing left out; null where nothing was written. */
  readonly written: readonly Omission[] | null;
}

export function lossReport({ story, target, toolboxOf, written }: LossInput): LossReport {
  const missing = missingTools(story, toolboxOf, target);
  const last = story.sessions.at(-1)?.facts;
  const unread = story.unread.map(({ runtime, session, why }) => ({
    kind: 'unread-session',
    count: 1,
    why: `${runtime} ${session}: ${why}`,
  }));
  return {
    omissions: merged([
      ...story.sessions.flatMap(({ omissions }) => omissions),
      ...unread,
      ...(written ?? []),
    ]),
    tools: missing.filter(({ server }) => server === null),
    servers: [...new Set(missing.flatMap(({ server }) => (server === null ? [] : [server])))],
    permissions: last?.permissions === undefined ? null : { runtime: last.runtime, said: last.permissions },
  };
}

/** As the packet keeps them. */
export function lossWords({ omissions, tools, servers, permissions }: LossReport): {
  readonly what: string;
  readonly why: string;
}[] {
  return [
    ...omissions.map(({ kind, count, why }) => ({ what: `${count} × ${kind}`, why })),
    ...tools.map(({ tool, runtime, calls }) => ({
      what: `tool ${tool}`,
      why: `used ${calls === 1 ? 'once' : `${calls} times`} in ${runtime}; no tool for it is known here`,
    })),
    ...servers.map((server) => ({
      what: `MCP server ${server}`,
      why: 'its tools were used; set it up here if they are needed',
    })),
    ...(permissions === null
      ? []
      : [
          {
            what: `permissions of ${permissions.runtime}`,
            why: `they were ${permissions.said}, and do not travel`,
          },
        ]),
  ];
}
