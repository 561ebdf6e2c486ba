/** What the receiver of a task, or a user who looks at it, has to know of the workspace around them: facts are probed again (P6). */
import type { Contract } from '../../core/contract/contract.ts';
import type { Digest } from '../../core/journal/digest.ts';
import { isStaffettaError } from '../../core/base/error.ts';
import type { Packet } from '../../core/packet/packet.ts';
import type { TaskState } from '../../core/task/state.ts';
import { afterProof } from '../../core/tree/unwatched-words.ts';
import { unpushedIn, type Unpushed } from '../../core/tree/unpushed.ts';
import { validationResults, type ValidationResult } from '../../core/contract/validation-standing.ts';
import type { Drift } from '../../core/tree/workspace-drift.ts';
import type { WorkspaceFacts } from '../../core/tree/workspace.ts';
import type { Workspace } from '../../ports/workspace.ts';
import { boundTo } from '../sealing/bound.ts';
import type { Context } from '../record/context.ts';
import { driftIn } from '../sealing/drift.ts';
import { changedSince, provenAt } from '../sealing/unwatched.ts';

export interface Pickup {
  /** Null where the packet has no facts of a workspace, or it cannot be looked at. */
  readonly drift: readonly Drift[] | null;
  /** Why the workspace could not be looked at. */
  readonly unseen: string | null;
  readonly validation: readonly ValidationResult[];
  /** What git ignores and was changed after the last run that speaks for the workspace, in words; null where nothing was. */
  readonly unwatched: string | null;
  readonly skills: readonly Skill[];
  /** A commit that is, or may be, missing here. Null where the repository has it. */
  readonly unpushed: Unpushed | null;
}

export interface Skill {
  readonly skill: string;
  readonly by: 'contract' | 'packet';
  /** Where it is in the workspace; null if nothing like it is there. */
  readonly path: string | null;
  /** How many files of it came with the packet; null where none did. */
  readonly carried: number | null;
}

/** Looks at the workspace when it is first asked to, and not again. */
export type LookHere = () => Promise<SeenHere>;

interface Given {
  readonly contract: Contract;
  readonly packet: Packet | null;
}

export function lookOnce(context: Context, state: TaskState, { contract, packet }: Given): LookHere {
  const isAsked =
    packet?.facts?.workspace !== undefined ||
    skillsOf(contract, packet).length > 0 ||
    (contract.validation ?? []).length > 0 ||
    state.runs.length > 0;
  let seen: Promise<SeenHere> | undefined;
  return async () => await (seen ??= isAsked ? look(context, state) : Promise.resolve(nothingSeen));
}

export async function pickupOf(
  context: Context,
  state: TaskState,
  given: Given & { readonly look?: LookHere },
): Promise<Pickup> {
  const { contract, packet, look: lookHere = lookOnce(context, state, given) } = given;
  const then = packet?.facts?.workspace;
  const named = skillsOf(contract, packet);
  const { workspace, now, content, unseen } = await lookHere();
  const runs = runsOn(state, now, content);
  const seen = then !== undefined && now !== null && workspace !== null;
  const drift = seen ? await driftIn(workspace, then, now) : null;
  return {
    drift,
    unseen,
    validation: validationResults(contract, runs, now?.digest ?? null),
    unwatched: await unwatchedAfter(context, runs, now),
    skills: await Promise.all(
      named.map(async ({ skill, by }) => ({
        skill,
        by,
        path: workspace === null ? null : await placeOf(context, workspace, skill),
        carried: packet?.facts?.skills?.find((one) => one.skill === skill)?.files.length ?? null,
      })),
    ),
    unpushed: unpushedIn(then, seen ? await isHere(workspace, then, now) : null),
  };
}

/** Whether the commit that the packet was sealed on is in the repository here; null where nobody knows. */
async function isHere(
  workspace: Workspace,
  { git }: WorkspaceFacts,
  now: WorkspaceFacts,
): Promise<boolean | null> {
  if (!git?.head) return null;
  return git.head === now.git?.head || (await workspace.hasCommit(git.head));
}

async function unwatchedAfter(
  context: Context,
  runs: TaskState['runs'],
  now: WorkspaceFacts | null,
): Promise<string | null> {
  const proven = now === null ? null : provenAt({ runs }, now);
  const names = proven === null ? '' : await changedSince(context, proven);
  return names === '' ? null : afterProof(names);
}

function runsOn(state: TaskState, facts: WorkspaceFacts | null, content: Digest | null): TaskState['runs'] {
  return facts === null || content === null ? state.runs : boundTo(state, { facts, content }).runs;
}

export interface SeenHere {
  readonly workspace: Workspace | null;
  readonly now: WorkspaceFacts | null;
  /** Only where something was run. */
  readonly content: Digest | null;
  readonly unseen: string | null;
}

const nothingSeen: SeenHere = { workspace: null, now: null, content: null, unseen: null };

/** A workspace that cannot be looked at must not keep anybody from the task. */
async function look(context: Context, { runs }: TaskState): Promise<SeenHere> {
  if (context.workspace === undefined) return nothingSeen;
  try {
    const workspace = await context.workspace();
    if (runs.length === 0) return { workspace, now: await workspace.probe(), content: null, unseen: null };
    const { facts, content } = await workspace.content();
    return { workspace, now: facts, content, unseen: null };
  } catch (error) {
    if (isStaffettaError(error)) return { ...nothingSeen, unseen: error.message };
    throw error;
  }
}

function skillsOf(contract: Contract, packet: Packet | null): Pick<Skill, 'skill' | 'by'>[] {
  const given = [
    ...(contract.skills ?? []).map((skill) => ({ skill, by: 'contract' as const })),
    ...(packet?.skills ?? []).map((skill) => ({ skill, by: 'packet' as const })),
  ];
  return given.filter(({ skill }, i) => given.findIndex((one) => one.skill === skill) === i);
}

async function placeOf({ skills }: Context, workspace: Workspace, skill: string): Promise<string | null> {
  if (skills !== undefined) return await skills.pathOf(skill);
  return workspace.exists(skill) ? skill : null;
}
