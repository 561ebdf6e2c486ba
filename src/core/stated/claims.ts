/**
 * What the agent of a session found out, as claims with the step that says it: for a session that ended without a word to its
 * successor. Each is a sentence of the agent, word for word; a question was put to the person there; the last next step, the agent's
 * own list stand for what was about to happen, and a call without a result for what was under way.
 */
import type { Claim, Claims } from '../packet.ts';
import type { Story } from '../transcript/story.ts';
import { statementsOf } from './draft.ts';
import type { StatementKind } from './kinds.ts';
import { pastNexts } from './next.ts';
import { planIn } from './plan.ts';
import { unansweredQuestion } from './question.ts';
import { commandOf } from './runs.ts';
import type { Statement } from './statements.ts';

const itemsMax = 12;

/** `all`: what was stated in it, where that is known already. */
export function draftClaims(story: Story, all = statementsOf(story)): Claims {
  const stated = all.filter(({ by }) => by === 'agent');
  const of = (kind: StatementKind): Statement[] =>
    strongest(stated.filter((statement) => statement.kind === kind));
  const decisions = of('decision').map(({ text, ref }) => ({ text, evidence: [`s${ref}`] }));
  const failed = of('dead-end').map(({ text, ref }) => ({
    what: text,
    why: `as the agent said in s${ref}`,
    evidence: [`s${ref}`],
  }));
  const blocker = stated.findLast(({ kind }) => kind === 'blocker');
  const past = pastNexts(stated, story.steps);
  const said = stated.findLast((one) => one.kind === 'next' && !past.has(one));
  const plan = planIn(story);
  // Whichever is newer: a list that was kept up says more than a sentence from before it.
  const listed = plan === null || plan.ref < (said?.ref ?? -1) ? undefined : (plan.doing[0] ?? plan.open[0]);
  const next = listed ?? said?.text;
  const running = stoppedIn(story);
  const doing = [
    ...(running === null ? [] : [claimOf(running)]),
    ...(plan?.doing.map((text) => ({ text, evidence: [`s${plan.ref}`] })) ?? []),
  ];
  const remaining = plan?.open.map((text) => ({ text, evidence: [`s${plan.ref}`] })) ?? [];
  const question = unansweredQuestion(story);
  return {
    ...(decisions.length === 0 ? {} : { decisions }),
    ...(failed.length === 0 ? {} : { failed }),
    ...(blocker === undefined ? {} : { blockers: [{ text: blocker.text, evidence: [`s${blocker.ref}`] }] }),
    ...(question === null
      ? {}
      : { questions: [{ text: question.text, owner: 'human' as const, evidence: [`s${question.ref}`] }] }),
    ...(doing.length === 0 ? {} : { doing }),
    ...(remaining.length === 0 ? {} : { remaining }),
    ...(next === undefined ? {} : { next }),
  };
}

/** What is said of a call that has no result: it may have taken effect. */
export const wasRunning = 'Was running when it stopped, outcome unknown';

function claimOf({ text, ref }: { readonly text: string; readonly ref: number | null }): Claim {
  const said = `${wasRunning}: ${text}`;
  return ref === null ? said : { text: said, evidence: [`s${ref}`] };
}

/** Whether this is a claim that something was running, drafted from a session. */
export function isOfRunning(claim: Claim): boolean {
  return (typeof claim === 'string' ? claim : claim.text).startsWith(`${wasRunning}: `);
}

/** The last session's call that never got a result. */
export function stoppedIn({
  sessions,
  steps,
}: Story): { readonly text: string; readonly ref: number | null } | null {
  const place = sessions.findLastIndex(({ facts, rewritten }) => facts.parent === null && !rewritten);
  const call = sessions[place]?.unanswered.at(-1);
  if (call === undefined) return null;
  const ref = steps.findLast(
    ({ session, calls }) => session === place && calls?.some(({ id }) => id === call.id) === true,
  )?.ref;
  const text = commandOf(call) ?? `${call.tool} ${call.raw ?? JSON.stringify(call.args)}`;
  return { text: text.slice(0, 2000), ref: ref ?? null };
}

function strongest(stated: readonly Statement[]): Statement[] {
  return stated
    .toSorted((a, b) => b.strength - a.strength || b.ref - a.ref)
    .slice(0, itemsMax)
    .toSorted((a, b) => a.ref - b.ref);
}
