/** A contract and claims for a session that left none: quotations of its users, and what its record says (`core/reasoning/draft.ts`). */
import type { Contract } from '../../core/contract/contract.ts';
import { limits } from '../../core/base/limits.ts';
import type { Claims } from '../../core/packet/packet.ts';
import {
  draftClaims,
  draftContract,
  isDrafted,
  quotedWords,
  type Draft,
} from '../../core/reasoning/draft.ts';
import { statedFields, type StatedField } from '../../core/reasoning/headings.ts';
import { runFrom } from '../../core/tree/work-folder.ts';
import type { Story } from '../../core/transcript/story.ts';
import type { ContractInput } from '../verbs/open.ts';
import { isSameSessionRule, sameSessionRule, type Earlier } from './same-session.ts';

export interface SessionDraft {
  /** Words of users are quoted in it, each with the step that says them. */
  readonly contract: ContractInput;
  /** By field: the steps it rests on. */
  readonly evidence: Draft['evidence'];
  readonly claims: Claims;
}

export interface DraftSources {
  /** Where the session gave work away before, and the story is what came after. */
  readonly earlier?: Earlier;
  /** The folder of the workspace that it worked in, where that is not the root. */
  readonly within?: string;
}

export function sessionDraft(story: Story, around: DraftSources = {}): SessionDraft {
  return { ...draftedContract(story, around), claims: draftClaims(story) };
}

export function draftedContract(
  story: Story,
  { earlier, within }: DraftSources = {},
): Omit<SessionDraft, 'claims'> {
  if (earlier === undefined) return drafted(draftContract(story), within);
  // What was asked for since is the goal; rules of users hold for the session, whenever they were stated.
  const later = drafted(draftContract(earlier.whole, story), within);
  if (isDrafted(earlier.contract))
    return { contract: besideOthers(later.contract, earlier), evidence: later.evidence };
  const agreed = withAgreed(later.contract, earlier, later.isNew);
  // What people wrote rests on no step.
  const { goal: _goal, title: _title, ...others } = later.evidence;
  return { contract: besideOthers(agreed, earlier), evidence: later.isNew ? later.evidence : others };
}

function drafted(
  { contract, evidence, isNew }: Draft,
  within: string | undefined,
): Omit<SessionDraft, 'claims'> & { readonly isNew: boolean } {
  const { validation } = contract;
  return {
    contract: {
      ...contract,
      ...(validation === undefined ? {} : { validation: validation.map((one) => runFrom(within, one)) }),
    },
    evidence,
    isNew,
  };
}

/** What people agreed on for the work before holds beside what was asked for since. */
function withAgreed(found: ContractInput, { contract }: Earlier, isNew: boolean): ContractInput {
  const { title, goal, kind, protectedPaths, validation, review, skills } = contract;
  const agreed = Object.fromEntries(
    statedFields.flatMap((field) => {
      const own = ownLines(contract, field);
      const lines = [
        ...new Set([...own, ...(own.length > 0 && field === 'acceptance' ? [] : (found[field] ?? []))]),
      ];
      return lines.length === 0 ? [] : [[field, lines.slice(0, limits.listItemsMax)]];
    }),
  );
  const given = { kind, protectedPaths, validation, review, skills };
  const said = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  const aim = isNew ? { goal: `${found.goal}\nAgreed for the work before it: ${goal}` } : { title, goal };
  return { ...found, ...agreed, ...said, ...aim };
}

function ownLines(contract: Contract, field: StatedField): string[] {
  return (contract[field] ?? []).filter((line) => quotedWords(line) === line && !isSameSessionRule(line));
}

/** The receiver must know who else is at it. */
function besideOthers(found: ContractInput, { tasks }: Earlier): ContractInput {
  if (tasks.length === 0) return found;
  const others = tasks.slice(-othersMax).map(sameSessionRule);
  const own = (found.constraints ?? []).slice(-(limits.listItemsMax - others.length));
  return { ...found, constraints: [...others, ...own] };
}

const othersMax = 5;
