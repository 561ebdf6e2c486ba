/**
 * A run speaks for the content it was seen on: paths, modes and bytes, whatever of it was staged or committed since. Packets and
 * rules compare digests of workspaces, which cover HEAD and the index as well; so what was seen on the content of a workspace is
 * told there as seen on that workspace. Earlier versions recorded the digest of the workspace, which stands for itself.
 */
import type { Digest } from '../../core/journal/digest.ts';
import type { Packet } from '../../core/packet/packet.ts';
import type { TaskState } from '../../core/task/state.ts';
import type { WorkspaceFacts } from '../../core/tree/workspace.ts';
import type { WorkspaceContent } from '../../ports/workspace.ts';
import type { Context } from '../record/context.ts';

type Ran = Pick<TaskState, 'runs' | 'phases'>;

export function boundTo<T extends Ran>(state: T, { facts, content }: WorkspaceContent): T {
  return translated(state, (seen) => (seen === content ? facts.digest : seen));
}

/** Where nothing was ever run there is nothing to ask the workspace. */
export function isBound({ runs, phases }: Ran): boolean {
  return runs.length > 0 || phases.some(({ workspace }) => workspace !== null);
}

/** Tells runs as seen on a workspace, if they were. */
export type Bind = <T extends Ran>(state: T) => Promise<T>;

/** By the content that was taken with the facts; else the workspace is asked, once, if it is still the one meant. */
export function bindingTo(context: Context, meant: WorkspaceFacts | null | undefined, taken?: Digest): Bind {
  if (meant === null || meant === undefined) return async (state) => state;
  let asked: Promise<WorkspaceContent | undefined> | undefined;
  const here = async (): Promise<WorkspaceContent | undefined> =>
    taken === undefined ? await (await context.workspace?.())?.content() : { facts: meant, content: taken };
  return async (state) => {
    if (!isBound(state)) return state;
    const now = await (asked ??= here());
    return now?.facts.digest === meant.digest ? boundTo(state, now) : state;
  };
}

/** What a packet told of a run, it told of the workspace it was sealed on. */
export function boundAsTold<T extends Ran>(state: T, { facts }: Packet): T {
  const told = new Map<number, Digest | null>();
  for (const { passed, failed } of facts?.runs ?? [])
    for (const one of [passed, failed]) if (one !== undefined) told.set(one.entry, one.workspace);
  return translated(state, (seen, seq) => (seq === null ? seen : (told.get(seq) ?? seen)));
}

function translated<T extends Ran>(
  state: T,
  translate: (seen: Digest | null, seq: number | null) => Digest | null,
): T {
  const outcome = (one: TaskState['runs'][number]['passed']): typeof one =>
    one === null ? null : { ...one, workspace: translate(one.workspace, one.seq) };
  return {
    ...state,
    runs: state.runs.map((run) => ({ ...run, passed: outcome(run.passed), failed: outcome(run.failed) })),
    phases: state.phases.map((phase) => ({ ...phase, workspace: translate(phase.workspace, null) })),
  };
}
